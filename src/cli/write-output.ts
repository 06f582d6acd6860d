import { basename, dirname, resolve } from 'node:path'
import { FilesError } from '../errors.ts'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { resolveThroughLinks } from '../files/boundary.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import type { FileChange } from '../text/file-change.ts'
import type { CliContext } from './cli-context.ts'
import { statPath } from './stat-path.ts'

/**
 * Writes a text to a file that the command line names, whole or not at all; a file that has the text already is not touched.
 *
 * @returns what happened to the file.
 * @throws {FilesError} when there is no such folder, or when the disk refuses.
 */
export async function writeOutput(
  path: string,
  content: string,
  { workingDirectory }: Pick<CliContext, 'workingDirectory'>,
): Promise<'added' | 'modified' | 'unchanged'> {
  if (path === '') throw new FilesError('cannot write to an empty name', { path, hint: 'Name a file with --output.' })
  const target = resolveThroughLinks(resolve(workingDirectory, path))
  const folder = dirname(target)
  if (!statPath(folder)?.isDirectory()) throw new FilesError(`cannot write ${path}: no such folder`, { path })
  const name = basename(target)
  const existing = await openDiskFiles(folder).read(name, Number.POSITIVE_INFINITY)
  if (existing.kind === 'missing') {
    await apply(folder, { kind: 'add', path: name, content }, path)
    return 'added'
  }
  if (existing.kind !== 'file') {
    const reason = existing.kind === 'folder' ? 'there is a folder of that name' : 'it is no file that can be replaced'
    throw new FilesError(`cannot write ${path}: ${reason}`, { path })
  }
  const before = Buffer.from(existing.bytes).toString('utf8')
  if (before === content) return 'unchanged'
  await apply(folder, { kind: 'modify', path: name, before, content }, path)
  return 'modified'
}

/** Makes the change; what the disk refuses is told of the file as the person named it. */
async function apply(folder: string, change: FileChange, path: string): Promise<void> {
  try {
    await applyFileChanges(folder, [change])
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    const { code, hint } = error
    // Of a folder of the system's own, such as `/proc`, it says that there is no such file.
    const told =
      code === 'ENOENT'
        ? `cannot write ${path}: its folder takes no files`
        : error.message.replace(/^Cannot write `[^`]*`/, `cannot write ${path}`)
    throw new FilesError(told, { path, code, cause: error, ...(hint === undefined ? {} : { hint }) })
  }
}
