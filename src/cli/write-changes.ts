import { FilesError } from '../errors.ts'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import type { FileChange } from '../text/file-change.ts'

/**
 * Makes changes to files below a folder, see `applyFileChanges`.
 *
 * @param toShown how the person knows a path: from the working directory.
 * @throws {FilesError} as there, with the path as the person knows it.
 */
export async function writeChanges(
  root: string,
  changes: readonly FileChange[],
  toShown: (path: string) => string,
  ...writableFolders: readonly string[]
): Promise<void> {
  try {
    await applyFileChanges(root, changes, ...writableFolders)
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    const { code, hint, path } = error
    const message = error.message.replace(`\`${path}\``, () => `\`${toShown(path)}\``)
    throw new FilesError(message, { path: toShown(path), code, cause: error, ...(hint === undefined ? {} : { hint }) })
  }
}
