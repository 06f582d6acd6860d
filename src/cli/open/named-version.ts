import { relative, resolve, sep } from 'node:path'
import { isDocsConfigPath } from '../../docs/config/config-files.ts'
import { hasDocsConfig } from '../../docs/read/find-docs.ts'
import type { DocsAccess } from '../../docs/types.ts'
import { findBoundary, isFolder, resolveThroughLinks, statPath } from '../../files/boundary.ts'
import type { Files } from '../../files/files.ts'
import { findRevision } from '../../git/commit.ts'
import { type Git, isInWorkTree, openGit } from '../../git/git.ts'
import { missingRevisionHint, openRevision } from '../../git/revisions.ts'
import { ask, ConfigError, GitError } from '../../text/errors.ts'
import { isUrl, normalizePath, parentPath } from '../../text/plain/paths.ts'
import type { CliContext } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import type { Progress } from '../print/terminal.ts'
import { chooseBoundary, openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

/** A version that an argument names: a document or a directory, in the work tree, behind a URL, or in a git revision. */
export interface NamedVersion {
  /** As the user wrote it. */
  readonly argument: string
  readonly kind: 'document' | 'directory'
  /** Relative to the boundary, or a URL. A directory that another argument names may be missing. */
  readonly path: string
  /** The git revision as the user wrote it. Absent for the disk and URLs. */
  readonly revision: string | undefined
  readonly access: DocsAccess
  /** The files on the disk, also for a git revision. */
  readonly workspace: Workspace
  /** Converts a path relative to the boundary to a path relative to `shownFrom`. Keeps URLs. */
  readonly toShown: (path: string) => string
}

interface OpenOptions extends Pick<CommonOptions, 'allowHttp' | 'boundary'>, Pick<WorkspaceOptions, 'network' | 'overlay'> {
  /** The directory to which shown paths are relative. */
  readonly shownFrom: string
}

interface Opening {
  readonly options: OpenOptions
  readonly context: CliContext
  readonly progress: Progress
}

/** What an argument means. */
type Argument =
  | { readonly kind: 'url' | 'disk'; readonly argument: string }
  /** Without a path, it has that of the other argument. */
  | { readonly kind: 'revision'; readonly argument: string; readonly revision: string; readonly path: string | undefined }

/**
 * Opens the two versions that the arguments of a command name.
 *
 * An argument is a URL, an existing file or directory, `revision:path`, or a git revision alone. As in git, `revision:./path` is relative
 * to the working directory, and `revision:path` to the top of the work tree. A revision alone has the path of the other argument. If both are
 * revisions, they mean the working directory if it has a `docs.json`, else the whole repository.
 *
 * @throws {ConfigError} if an argument is ambiguous, does not exist, or is outside the boundary.
 * @throws {GitError} if a git revision does not exist.
 */
export async function openNamedVersions(
  names: { readonly base: string; readonly revision: string },
  options: OpenOptions,
  context: CliContext,
  progress: Progress,
): Promise<{ readonly base: NamedVersion; readonly revision: NamedVersion }> {
  const opening = { options, context, progress }
  const base = await parseArgument(names.base, context)
  const revision = await parseArgument(names.revision, context)
  const opened = { base: await openNamed(base, opening), revision: await openNamed(revision, opening) }
  if ('kind' in opened.base) {
    if ('kind' in opened.revision) return { base: opened.base, revision: opened.revision }
    return { base: opened.base, revision: takePath(opened.revision, opened.base, context) }
  }
  if ('kind' in opened.revision) {
    return { base: takePath(opened.base, opened.revision, context), revision: opened.revision }
  }
  const folder = toInside(opened.base.workspace.boundary, '.', context)
  const isHere = (await hasDocsConfig(folder, opened.revision.files)) || (await hasDocsConfig(folder, opened.base.files))
  const path = isHere ? folder : ''
  return { base: toVersion(opened.base, 'directory', path), revision: toVersion(opened.revision, 'directory', path) }
}

async function parseArgument(argument: string, { workingDirectory }: CliContext): Promise<Argument> {
  if (argument === '') throw new ConfigError('cannot read an empty argument: name a file, a directory, a URL or a git revision')
  if (isUrl(argument)) return { kind: 'url', argument }
  const stats = statPath(resolve(workingDirectory, argument))
  const colon = argument.indexOf(':')
  // A single letter is a Windows drive.
  const hasScheme = colon > 0 && argument.startsWith('//', colon + 1)
  const hasRevision = colon >= (sep === '\\' ? 2 : 1) && !hasScheme
  if (hasRevision && !stats) {
    return { kind: 'revision', argument, revision: argument.slice(0, colon), path: argument.slice(colon + 1) || undefined }
  }
  // Only words can be revisions: no branch is called `./docs`, and none should be called `openapi.yaml`.
  const isPath = /^\.{0,2}(?:\/|$)|\.(?:json|ya?ml)$|\\/i.test(argument)
  if (hasRevision || hasScheme || isPath) return { kind: 'disk', argument }
  const git = openGit(findBoundary(workingDirectory, workingDirectory))
  const isNamed = await ask(() => isRevision(git, argument))
  if (isNamed.kind === 'unknown' && !stats) throw new GitError(isNamed.reason, isNamed)
  if (isNamed.kind === 'unknown' || !isNamed.value) {
    if (stats) return { kind: 'disk', argument }
    throw new ConfigError(`cannot find ${argument}: no such file, directory or git revision`, {
      hint: await explainMissing(git, argument),
    })
  }
  if (!stats) return { kind: 'revision', argument, revision: argument, path: undefined }
  const kind = stats.isDirectory() ? 'directory' : 'file'
  throw new ConfigError(`${argument} is a ${kind} and a git revision`, {
    hint: `Write \`./${argument}\` for the ${kind}, or \`${argument}:\` for the revision`,
  })
}

/** Also false without a repository. */
async function isRevision(git: Git, name: string): Promise<boolean> {
  return (await isInWorkTree(git)) && (await findRevision(git, name)) !== undefined
}

async function explainMissing(git: Git, name: string): Promise<string> {
  if (!(await isRevision(git, 'HEAD'))) return 'Check its name. The working directory is not in a Git repository with commits'
  // Workflows check out a single branch. The others exist only at the remote.
  if (await isRevision(git, `origin/${name}`)) return `Did you mean \`origin/${name}\`?`
  // `HEAD~1` and `main@{1}` are no names that a remote has.
  if (/[~^@:]/.test(name)) return missingRevisionHint
  return `Check its name. If the clone does not have this branch, run \`git fetch origin ${name}\` and use \`FETCH_HEAD\``
}

/** A revision without a path. */
interface OpenRevision {
  readonly argument: string
  readonly revision: string
  readonly files: Files
  readonly workspace: Workspace
}

async function openNamed(argument: Argument, opening: Opening): Promise<NamedVersion | OpenRevision> {
  if (argument.kind === 'revision') return await openRevisionArgument(argument, opening)
  const { options, context, progress } = opening
  const { argument: name } = argument
  const workspace = openWorkspace(chooseBoundary(name, options, context), options, context, progress)
  const { access, toShown } = workspace
  const path = workspace.toInside(name)
  const isDirectory = argument.kind === 'disk' && isFolder(resolve(context.workingDirectory, name))
  return { argument: name, ...toPlace(path, isDirectory), revision: undefined, access, workspace, toShown }
}

/** A `docs.json` means its directory. */
function toPlace(path: string, isDirectory: boolean): Pick<NamedVersion, 'kind' | 'path'> {
  if (isDirectory) return { kind: 'directory', path }
  return !isUrl(path) && isDocsConfigPath(path) ? { kind: 'directory', path: parentPath(path) } : { kind: 'document', path }
}

async function openRevisionArgument(
  { argument, revision, path }: Extract<Argument, { kind: 'revision' }>,
  { options, context, progress }: Opening,
): Promise<NamedVersion | OpenRevision> {
  const boundary = findBoundary(context.workingDirectory, context.workingDirectory)
  progress.step(`reading ${argument}`)
  const files: Files = await openRevision(openGit(boundary), revision)
  const opened = { argument, revision, files, workspace: openWorkspace(boundary, options, context, progress) }
  if (path === undefined) return opened
  const isAtTop = toInside(boundary, '.', context) === ''
  const isRelative = /^\.{1,2}(?:\/|$)/.test(path)
  const inside = isRelative ? toInside(boundary, path, context) : normalizePath(path)
  const found = inside === '' ? 'folder' : (await files.read(inside)).kind
  const isFile = /\.(?:json|ya?ml)$/i.test(inside)
  // Reading a document explains what is missing, but not that its path starts at the top.
  if (found === 'missing' && (!isFile || !(isAtTop || isRelative))) {
    const hint = `For a path relative to this directory, write \`${revision}:./${path}\``
    const missing = isFile ? 'no such file' : 'no such file or directory'
    throw new ConfigError(`cannot read ${argument}: ${missing} in this revision`, isAtTop || isRelative ? {} : { hint })
  }
  const place = toPlace(inside, found === 'folder')
  return toVersion(opened, place.kind, place.path)
}

function toVersion(
  { argument, revision, files, workspace }: OpenRevision,
  kind: NamedVersion['kind'],
  path: string,
): NamedVersion {
  const { access, toShown } = workspace
  return { argument, kind, path, revision, access: { ...access, files }, workspace, toShown }
}

/** Gives a revision without a path the path of the other argument. */
function takePath(opened: OpenRevision, other: NamedVersion, context: CliContext): NamedVersion {
  const { boundary } = opened.workspace
  const path = isUrl(other.path) ? undefined : toInside(boundary, resolve(other.workspace.boundary, other.path), context)
  if (path === undefined || path === '..' || path.startsWith('../')) {
    const reason = path === undefined ? 'is a URL' : 'is not in the repository of this directory'
    throw new ConfigError(`cannot tell which file or directory of ${opened.argument} to read: ${other.argument} ${reason}`, {
      hint: `Write its path after the revision, such as \`${opened.revision}:openapi.yaml\``,
    })
  }
  return toVersion(opened, other.kind, path)
}

/** Converts a path relative to the working directory to a path relative to the boundary. */
function toInside(boundary: string, path: string, { workingDirectory }: CliContext): string {
  return relative(boundary, resolve(resolveThroughLinks(workingDirectory), path)).replaceAll(sep, '/')
}
