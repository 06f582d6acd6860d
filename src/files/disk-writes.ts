import {
  lstatSync,
  type MakeDirectoryOptions,
  mkdirSync,
  mkdtempSync,
  promises,
  type RmOptions,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import failures from '../../texts/failures.json' with { type: 'json' }
import { ConfigError, codeOf, FilesError } from '../text/errors.ts'
import { readOwn } from '../text/json/json-values.ts'
import {
  findRepositoryLinks,
  folderOf,
  type OwnedPath,
  type OwnPath,
  type PlainPath,
  resolveThroughLinks,
  toOwnPath,
  type UserPath,
} from './boundary.ts'

/** What functions of `node:fs` do, at paths that have an owner. No other file imports them, see `test/architecture.test.ts`. */
export const disk = {
  /** Returns the highest folder that it created, with `recursive`. */
  mkdirSync: <Path extends OwnedPath>(folder: Path, options: MakeDirectoryOptions) =>
    mkdirSync(folder, options) as Path | undefined,
  rmSync: (path: OwnedPath, options?: RmOptions) => rmSync(path, options),
  mkdir: async (folder: OwnedPath, options: MakeDirectoryOptions) => await promises.mkdir(folder, options),
  rm: async (path: OwnedPath, options: RmOptions) => await promises.rm(path, options),
  appendFile: async (path: OwnedPath, text: string) => await promises.appendFile(path, text),
  createFile: async (path: OwnedPath, content: Uint8Array, mode: number) =>
    await promises.writeFile(path, content, { mode, flag: 'wx' }),
} as const

interface FileOptions {
  /** Default: what the umask of the process allows. */
  readonly mode?: number | undefined
  /** Wait until the content is on the disk. */
  readonly flush?: boolean
  /** Create missing folders. */
  readonly parents?: boolean
}

/**
 * Creates a file. Fails with `EEXIST` if anything has this name, such as a symbolic link without a target, so that nothing is written
 * through links.
 */
export function createFile(path: OwnedPath, content: string | Uint8Array, options: FileOptions = {}): void {
  writeFileSync(path, content, { ...options, flag: 'wx' })
}

/**
 * Replaces a file, or the link with its name, in one step. The content is written to a new file with a random name first.
 *
 * The folder must be one that only the current user can write to, or be checked with `findRepositoryLinks`.
 */
export function replaceFile(path: OwnedPath, content: string | Uint8Array, { parents, ...options }: FileOptions = {}): void {
  // Loaded only here, to keep the start of `check` fast.
  const { randomUUID } = process.getBuiltinModule('node:crypto')
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    if (parents) mkdirSync(dirname(path), { recursive: true })
    writeFileSync(temporary, content, { ...options, flag: 'wx' })
    renameSync(temporary, path)
  } finally {
    removeTemporary(toOwnPath(temporary))
  }
}

/** Creates an empty folder for files until they are moved into place. Its name has the prefix, the number of this process and random letters. */
export function makeStagingFolder(folder: OwnedPath, prefix: string): OwnPath {
  return toOwnPath(mkdtempSync(join(folder, `${prefix}${process.pid}-`)))
}

/** Creates an empty folder for temporary files. @param parent Default: that of the system. */
export function makeTemporaryFolder(prefix: string, parent = ''): OwnPath {
  return makeStagingFolder(toOwnPath(parent || process.getBuiltinModule('node:os').tmpdir()), prefix)
}

/**
 * Removes a file or folder for temporary files. One that cannot be removed stays for the next run: neither does the work fail for it, nor
 * does it hide the error that the work failed with.
 */
export function removeTemporary(path: OwnedPath): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // What was to be written is complete, or its error says more.
  }
}

/** Without a new file for so long, a staging folder is of a killed run, although another process has its number now. */
const abandonedMs = 10 * 60_000

/**
 * Removes the staging folders of killed runs.
 *
 * @param finish Called with each before.
 * @returns The name of one that another process is using, if any.
 */
export function clearStaging(folder: OwnedPath, prefix: string, finish?: (staging: string) => void): string | undefined {
  let used: string | undefined
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.name.startsWith(prefix)) continue
    const staging = join(folder, entry.name)
    if (isInUse(staging, Number(/^\d+/.exec(entry.name.slice(prefix.length))?.[0]))) used = entry.name
    else {
      if (entry.isDirectory()) finish?.(staging)
      rmSync(staging, { recursive: true, force: true, maxRetries: 3 })
    }
  }
  return used
}

function isInUse(staging: string, processId: number): boolean {
  const changed = lstatSync(staging, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (!(processId > 0) || processId === process.pid || Date.now() - changed > abandonedMs) return false
  try {
    // Sends nothing, and only finds whether the process exists.
    process.kill(processId, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Creates a folder and its parents. Unlike `mkdirSync` with `recursive`, it ends below a folder such as /proc that allows no new folders,
 * and fails if a link is in place of the folder itself.
 */
export function makeRealFolder(folder: UserPath | OwnPath): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = folderOf(folder)
  if (parent !== folder && !lstatSync(parent, { throwIfNoEntry: false })) makeRealFolder(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/**
 * Resolves the path of an output, and refuses it if it passes through a symbolic link of a repository: its authors would choose which files
 * of the user are replaced. Links elsewhere are the user's own. Without Git, the working directory counts as the repository.
 *
 * @param path As the user wrote it, or the default.
 * @param links `leaving` accepts links to other files of the same repository.
 * @returns The absolute path. It need not exist, and can have links of the user.
 * @throws {ConfigError}
 */
export function resolveOutput<Path extends UserPath | OwnPath | PlainPath>(
  path: Path,
  workingDirectory: string,
  links: 'any' | 'leaving',
): Path {
  const here = resolveThroughLinks(workingDirectory)
  // Everything is in the root folder, and its links belong to the system.
  const folder = dirname(here) === here ? undefined : here
  const absolute = resolve(workingDirectory, path)
  const link = findRepositoryLinks(absolute, folder).find(({ isLeaving }) => links === 'any' || isLeaving)
  if (!link) return absolute as Path
  const shown = relative(here, link.path)
  const what = link.isLeaving ? 'a symbolic link that leaves the repository' : 'a symbolic link in the repository'
  throw new ConfigError(`cannot write ${path}: ${shown === normalize(path) ? 'it' : `\`${shown}\``} is ${what}`, {
    hint: 'Remove the link, or name another path. If you trust the link, name its target',
  })
}

/** Explains an error of the file system. `path` is the file as the user knows it, with `/`. */
export function toFilesError(error: unknown, action: string, path: string): FilesError {
  if (error instanceof FilesError) return error
  const code = codeOf(error)
  const known = code === undefined ? undefined : readOwn(failures.write, code)
  const reason = known ? `${known.reason} (${code})` : error instanceof Error ? error.message : String(error)
  return new FilesError(`Cannot ${action} \`${path}\`: ${reason}`, { path, code, hint: known?.hint, cause: error })
}

const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that must not be interrupted. A stop signal that arrives meanwhile takes effect afterwards.
 *
 * The work is synchronous, so no signal handler runs before it has ended.
 */
export async function deferSignals<Result>(work: () => Result): Promise<Result> {
  let received: NodeJS.Signals | undefined
  const remember = (signal: NodeJS.Signals) => {
    received ??= signal
  }
  for (const signal of stoppingSignals) process.on(signal, remember)
  try {
    return work()
  } finally {
    // Node delivers a signal on the next turn of the event loop. Without that turn it would be lost with its handler.
    await new Promise((resolve) => setImmediate(resolve))
    for (const signal of stoppingSignals) process.off(signal, remember)
    if (received) process.kill(process.pid, received)
  }
}

/** Waits for a stop signal. A second signal ends the process at once. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of stoppingSignals) process.off(signal, stop)
      resolve()
    }
    for (const signal of stoppingSignals) process.on(signal, stop)
  })
}
