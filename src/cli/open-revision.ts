import { relative, resolve, sep } from 'node:path'
import { ConfigError } from '../errors.ts'
import { findBoundary } from '../files/boundary.ts'
import type { Files } from '../files/files.ts'
import { isUrl } from '../source/relative-path.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import type { CliContext } from './cli-context.ts'
import type { CommonOptions } from './command-options.ts'
import type { Progress } from './terminal.ts'
import { chooseBoundary, openWorkspace, rejectFolder, statPath, type Workspace } from './workspace.ts'

/** A document that an argument names, in the work tree, behind a URL, or in a git revision. */
export interface NamedDocument {
  /** Relative to the boundary, or a URL. */
  readonly entry: string
  readonly environment: UpdateEnvironment
  /** The files on the disk, also for a document in a git revision. */
  readonly workspace: Workspace
  /** Converts a path relative to the boundary to a path relative to `shownFrom`. Keeps URLs. */
  readonly toShown: (path: string) => string
}

interface OpenOptions extends Pick<CommonOptions, 'allowHttp' | 'boundary'> {
  /** The directory to which shown paths are relative. */
  readonly shownFrom: string
}

/**
 * Opens a document by `file`, `URL` or `revision:path`. As in git, `revision:./path` is relative to the working directory, and
 * `revision:path` to the top of the work tree.
 *
 * @throws {ConfigError} if the argument is a directory or outside the boundary.
 * @throws {GitError} if the revision does not exist.
 */
export async function openNamedDocument(
  argument: string,
  options: OpenOptions,
  context: CliContext,
  progress: Progress,
): Promise<NamedDocument> {
  const split = splitRevision(argument, context)
  if (split) return await openInRevision(argument, split, options, context, progress)
  rejectFolder(argument, context)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  const { environment, toShown } = workspace
  return { entry: workspace.toInside(argument), environment, workspace, toShown }
}

interface RevisionPath {
  readonly revision: string
  readonly path: string
}

function splitRevision(argument: string, { workingDirectory }: CliContext): RevisionPath | undefined {
  const colon = argument.indexOf(':')
  // A single letter is a Windows drive.
  if (colon < (sep === '\\' ? 2 : 1) || isUrl(argument) || argument.startsWith('//', colon + 1)) return undefined
  if (statPath(resolve(workingDirectory, argument))) return undefined
  return { revision: argument.slice(0, colon), path: argument.slice(colon + 1) }
}

async function openInRevision(
  argument: string,
  { revision, path }: RevisionPath,
  options: OpenOptions,
  context: CliContext,
  progress: Progress,
): Promise<NamedDocument> {
  const { workingDirectory } = context
  const { openGit } = await import('../git/git.ts')
  const { openRevision } = await import('../git/revision-files.ts')
  const boundary = findBoundary('.', workingDirectory)
  progress.step(`reading ${argument}`)
  const files: Files = await openRevision(openGit(boundary), revision)
  const folder = relative(boundary, resolve(workingDirectory)).replaceAll(sep, '/')
  const isRelative = /^\.\.?\//.test(path)
  const entry = isRelative ? toPosix(relative(boundary, resolve(workingDirectory, path))) : path
  if (entry === '' || (await files.read(entry)).kind === 'folder') {
    throw new ConfigError(`cannot read ${argument}: it is a directory`, { hint: 'Name an OpenAPI document' })
  }
  if (folder !== '' && !isRelative && (await files.read(entry)).kind === 'missing') {
    const hint = `For a path relative to this directory, write \`${revision}:./${path}\``
    throw new ConfigError(`cannot read ${argument}: no such file in this revision`, { hint })
  }
  const workspace = openWorkspace(boundary, options, context, progress)
  return { entry, environment: { ...workspace.environment, files }, workspace, toShown: workspace.toShown }
}

function toPosix(path: string): string {
  return path.replaceAll(sep, '/')
}
