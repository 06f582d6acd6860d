import { basename, resolve } from 'node:path'
import { lockFileName } from '../../docs/config/config-files.ts'
import { applyFileChanges } from '../../files/apply-file-changes.ts'
import { folderOf, isFolder, type OwnedPath, resolveThroughLinks, type UserPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { resolveOutput } from '../../files/disk-writes.ts'
import { ConfigError, FilesError } from '../../text/errors.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type FileChange, toFileChange } from '../../text/plain/source-file.ts'
import type { CliContext } from '../base/cli-context.ts'

/**
 * Writes text to a file named on the command line, atomically. Does not touch a file that already has the same text.
 *
 * @throws {FilesError} if the folder does not exist or the file cannot be written.
 * @throws {ConfigError} if a symbolic link on the way leaves the repository.
 */
export async function writeOutput(
  path: UserPath,
  content: string,
  { workingDirectory }: Pick<CliContext, 'workingDirectory'>,
): Promise<'written' | 'unchanged'> {
  if (path === '') throw new FilesError('cannot write to an empty file name', { path, hint: 'Name a file with --output' })
  const target = resolveThroughLinks(resolveOutput(path, workingDirectory, 'leaving'))
  const folder = folderOf(target)
  if (!isFolder(folder)) throw new FilesError(`cannot write ${path}: no such directory`, { path })
  const name = basename(target)
  const existing = await openDiskFiles(folder).read(name, Number.POSITIVE_INFINITY)
  if (existing.kind !== 'missing' && existing.kind !== 'file') {
    const reason = existing.kind === 'folder' ? 'a directory with this name exists' : 'it is not a regular file'
    throw new FilesError(`cannot write ${path}: ${reason}`, { path })
  }
  const before = existing.kind === 'file' ? Buffer.from(existing.bytes).toString('utf8') : undefined
  if (before === content) return 'unchanged'
  await apply(folder, toFileChange(name, before, content), path)
  return 'written'
}

/** Applies the change. Errors name the path as the user wrote it. */
async function apply(folder: UserPath, change: FileChange, path: string): Promise<void> {
  try {
    await applyFileChanges(folder, [change])
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    const { code, hint } = error
    // System folders such as `/proc` report ENOENT.
    const message =
      code === 'ENOENT'
        ? `cannot write ${path}: files cannot be created in its directory`
        : error.message.replace(/^Cannot write `[^`]*`/, `cannot write ${path}`)
    throw new FilesError(message, { path, code, cause: error, hint })
  }
}

/**
 * Writes everything that `print` sends to stdout to a file, atomically.
 *
 * @throws {FilesError} if the file cannot be written.
 */
export async function writeToFile(
  path: UserPath,
  context: CliContext,
  print: (context: CliContext) => Promise<void>,
): Promise<void> {
  const parts: string[] = []
  const stdout = { write: (part: string) => void parts.push(part), isTerminal: false, columns: undefined }
  await print({ ...context, stdout })
  await writeOutput(path, parts.join(''), context)
}

/**
 * Applies changes to files below a folder, see `applyFileChanges`.
 *
 * @param toShown makes paths relative to the working directory, for errors.
 * @throws {FilesError}
 */
export async function writeChanges(
  root: OwnedPath,
  changes: readonly FileChange[],
  toShown: (path: string) => string,
  ...writableFolders: readonly string[]
): Promise<void> {
  try {
    await applyFileChanges(root, changes, { writableFolders, lastName: lockFileName })
  } catch (error) {
    if (!(error instanceof FilesError)) throw error
    const { code, hint, path } = error
    const message = error.message.replace(`\`${path}\``, () => `\`${toShown(path)}\``)
    throw new FilesError(message, { path: toShown(path), code, cause: error, hint })
  }
}

/**
 * Rejects an output file that is also an input of the command.
 *
 * @param sources the inputs: URLs, and paths that are absolute or relative to the working directory.
 * @throws {ConfigError}
 */
export function rejectSource(
  output: string,
  sources: Iterable<string>,
  { workingDirectory }: Pick<CliContext, 'workingDirectory'>,
): void {
  const toReal = (path: string) => resolveThroughLinks(resolve(workingDirectory, path))
  const target = toReal(output)
  for (const source of sources) {
    if (isUrl(source) || toReal(source) !== target) continue
    throw new ConfigError(`cannot write ${output}: it is an input of this command`, {
      hint: 'Name another file with --output',
    })
  }
}
