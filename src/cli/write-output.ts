import { basename, dirname, resolve } from 'node:path'
import { ConfigError, FilesError } from '../errors.ts'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { resolveThroughLinks } from '../files/boundary.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import type { FileChange } from '../source/file-change.ts'
import { isUrl } from '../source/relative-path.ts'
import type { CliContext, Output } from './cli-context.ts'
import { statPath } from './workspace.ts'

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

/** Applies the change. Errors name the file as the user wrote it. */
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

/**
 * Runs what prints, and writes to a file what it would have printed on stdout. The file is written whole or not at all.
 *
 * @throws {FilesError} when it cannot be written.
 */
export async function writeToFile(
  path: string,
  context: CliContext,
  print: (context: CliContext) => Promise<void>,
): Promise<void> {
  let text = ''
  const stdout: Output = {
    write(part) {
      text += part
    },
    isTerminal: false,
    columns: undefined,
  }
  await print({ ...context, stdout })
  await writeOutput(path, text, context)
}

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

/**
 * Refuses to write what a command says of a file over that file.
 *
 * @param sources what is read: addresses, and paths that are absolute or relative to the working directory.
 * @throws {ConfigError} when the output is one of them.
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
    throw new ConfigError(`cannot write ${output}: it is one of the files that are read`, {
      hint: 'Name another file with --output; nothing was changed.',
    })
  }
}
