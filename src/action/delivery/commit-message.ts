import { createHash } from 'node:crypto'
import { countFindings, formatCount } from '../../diagnostics/diagnostic.ts'
import { packageVersion } from '../../docs/config/config-files.ts'
import type { PageReport } from '../../docs/pages/subjects.ts'
import type { Update } from '../../docs/types.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import type { AddedFile } from '../../git/commit.ts'
import { type Git, readGit, toPaths } from '../../git/git.ts'
import type { CommitAndPushOptions, PlannedCommit } from '../../git/push.ts'
import { ask, ConfigError } from '../../text/errors.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { ConnectResult, GitHubAccess } from '../inputs/github-access.ts'
import type { DeliveryInputs, DocsInputs } from '../inputs/inputs.ts'
import type { AddedFiles } from './added-files.ts'

/** Creates the commit message: the configured text, page counts and trailers. It never contains text from documents. */
export function toCommitMessage(
  { commitMessage, committer, signoff, skipCi }: Pick<DeliveryInputs, 'commitMessage' | 'committer' | 'signoff' | 'skipCi'>,
  update: Update,
  trailers: readonly Trailer[],
  addedCount = 0,
): string {
  const [headline = '', ...rest] = addPageCounts(commitMessage, update, addedCount).split('\n')
  const message = [skipCi ? `${headline} ${skipMarker}` : headline, ...rest].join('\n')
  const origins = [...new Set((update.stored ?? []).map(({ origin }) => `${origin.repository}@${origin.sha}`))]
  const from = origins.map((origin): Trailer => [originTrailer, origin])
  const signed: readonly Trailer[] = signoff ? [['Signed-off-by', `${committer.name} <${committer.email}>`]] : []
  return addTrailers(message, [...trailers, ...from, ...signed])
}

/** The trailer with the commit of a stored document. GitHub links to it. */
const originTrailer = 'Openapi-Pages-From'

/** Adds page counts to a message of one line. Longer messages are complete. */
function addPageCounts(message: string, update: Update, addedCount: number): string {
  if (message.includes('\n')) return message
  const { added, modified, removed } = countPages(update.pages)
  const { navigation, stored = [] } = update
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} added` : '',
    modified > 0 ? `${formatCount(modified, 'page')} changed` : '',
    removed > 0 ? `${formatCount(removed, 'page')} removed` : '',
    navigation.added > 0 ? `${navigation.added} added to the navigation` : '',
    navigation.removed > 0 ? `${navigation.removed} removed from the navigation` : '',
    stored.length > 0 ? `${formatCount(stored.length, 'document')} updated` : '',
    addedCount > 0 ? `${formatCount(addedCount, 'other file')} updated` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? message : `${message}\n\n${parts.join(', ')}.`
}

/** Source: GitHub, "Skipping workflow runs". */
const skipMarkers = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: *true *$/gim

const skipMarker = '[skip ci]'

/**
 * Refuses a message that skips workflows if its commit becomes the head of a pull request: required checks would stay pending forever.
 *
 * @throws {ConfigError}
 */
export function rejectSkipMarkers(message: string, isAskedFor: boolean): void {
  const [found] = message.match(skipMarkers) ?? []
  if (!isAskedFor && found === undefined) return
  const what = isAskedFor
    ? 'Unexpected `true` for the input `skip-ci`'
    : `Unexpected \`${found}\` in the input \`commit-message\``
  throw new ConfigError(`${what}: the commit becomes the head of a pull request`, {
    hint: 'Remove it: if workflows are skipped, required checks stay pending forever. Loops are already prevented, because the Action ignores its own commits',
  })
}

/** Removes skip markers from a message, for a commit that goes to a pull request instead of a branch. */
export function removeSkipMarkers(message: string): string {
  return message
    .replaceAll(skipMarkers, '')
    .replaceAll(/(?<![ \t])[ \t]+$/gm, '')
    .trim()
}

/** Returns what else affects the pages besides repository files: the version of this package and the inputs. */
export function toSourceKey(
  roots: readonly string[],
  { documents, directory }: Pick<DocsInputs, 'documents' | 'directory'>,
  { addPaths }: Pick<DeliveryInputs, 'addPaths'>,
): readonly string[] {
  return [packageVersion, ...roots, '', ...documents, '', directory, '', String(addPaths.documents), ...addPaths.patterns]
}

/** Returns a function that creates the source trailer of a commit. */
export function createSourceTrailer(
  git: Git,
  key: readonly string[],
  { holdsDocuments }: Pick<AddedFiles, 'holdsDocuments'>,
): (update: Update, added: readonly AddedFile[]) => Promise<Trailer> {
  return async (update, added) => {
    const { errors, warnings } = countFindings(update.diagnostics)
    // A later run must check again if this one has problems to report. The same applies if a document was read from a URL, is ignored
    // by Git, or was changed by a step. In these cases use a hash that no later run computes.
    const isFinal = errors + warnings === 0 && (await holdsDocuments(update, added))
    const contents = added.map(({ path, bytes }): FileChange => {
      if (bytes === undefined) return { kind: 'delete', path, before: '' }
      return { kind: 'add', path, content: Buffer.from(bytes).toString('utf8') }
    })
    return [sourceTrailer, await readSourceHash(git, isFinal ? key : [...key, 'again'], [...update.changes, ...contents])]
  }
}

/** The trailer of generated commits with the hash of their sources. */
export const sourceTrailer = 'Openapi-Pages-Source'
/** The trailer of all commits but the last, if an update needs several. */
export const partTrailer = 'Openapi-Pages-Part'

/**
 * Computes the SHA-256 of everything that pages are generated from: `key`, and every JSON and YAML file of a commit (documents, `docs.json`,
 * lock file, settings) after applying `changes`.
 *
 * @throws {GitError} if git cannot list the files.
 */
export async function readSourceHash(
  git: Git,
  key: readonly string[],
  changes: readonly FileChange[] = [],
  commit = 'HEAD',
): Promise<string> {
  const blobs = new Map<string, string>()
  for (const line of toPaths(
    await readGit(git, 'read the files of the commit', ['ls-tree', '-r', '-z', '--full-tree', commit]),
  )) {
    const [, blob = '', path] = /^\d+ \w+ (\w+)\t([\s\S]+)$/.exec(line) ?? []
    if (path !== undefined && isSource(path)) blobs.set(path, blob)
  }
  // Git repositories use SHA-1 or SHA-256 object names.
  const algorithm = [...blobs.values()][0]?.length === 64 ? 'sha256' : 'sha1'
  for (const change of changes) {
    if (!isSource(change.path)) continue
    if (change.kind === 'delete') blobs.delete(change.path)
    else blobs.set(change.path, toBlobId(change.content, algorithm))
  }
  const lines = [...blobs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, blob]) => `${blob} ${path}\0`)
  return createHash('sha256')
    .update([...key.map((part) => `${part}\0`), ...lines].join(''))
    .digest('hex')
}

function isSource(path: string): boolean {
  return /\.(json|ya?ml)$/i.test(path)
}

/** Computes the Git object ID of a file. */
function toBlobId(content: string, algorithm: string): string {
  const bytes = Buffer.from(content)
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/**
 * Whether the checked-out commit was generated from its own documents, so that there is nothing to do.
 *
 * False if a step has changed files or if ignored files could be documents, because pages may depend on them.
 */
export async function isUpToDate(git: Git, key: readonly string[]): Promise<boolean> {
  // The next caller reports the problem with git.
  const answer = await ask(() => matchesSourceHash(git, key))
  return answer.kind === 'known' && answer.value
}

async function matchesSourceHash(git: Git, key: readonly string[]): Promise<boolean> {
  const hashes = (await readHeadTrailers(git)).flatMap(([name, value]) => (name === sourceTrailer ? [value] : []))
  if (hashes.length !== 1) return false
  if ((await readGit(git, 'read the changes', ['status', '--porcelain', '--untracked-files=normal'])) !== '') return false
  if (await hasHiddenSources(git)) return false
  return (await readSourceHash(git, key)) === hashes[0]
}

/** Whether the Action created the checked-out commit. @throws {GitError} if git cannot tell. */
export async function isOwnCommit(git: Git): Promise<boolean> {
  return (await readHeadTrailers(git)).some(([name]) => name === sourceTrailer)
}

async function readHeadTrailers(git: Git): Promise<readonly Trailer[]> {
  return readTrailers(await readGit(git, 'read the newest commit', ['log', '-1', '--format=%B', 'HEAD']))
}

/** `git status` shows neither ignored files nor changes to files marked `assume-unchanged` or `skip-worktree`. */
async function hasHiddenSources(git: Git): Promise<boolean> {
  const list = async (...args: readonly string[]) => toPaths(await readGit(git, 'list the files', ['ls-files', '-z', ...args]))
  const ignored = await list('--others', '--ignored', '--exclude-standard', '--directory')
  const isUnseen = (path: string) => (path.endsWith('/') ? !/(^|\/)node_modules\/$/.test(path) : isSource(path))
  return ignored.some(isUnseen) || (await list('-v')).some((line) => /^[a-zS] /.test(line) && isSource(line.slice(2)))
}

export type Trailer = readonly [name: string, value: string]

/** Parses the last paragraph of a message if it contains only trailers. Source: `git interpret-trailers`. */
export function readTrailers(message: string): readonly Trailer[] {
  const paragraphs = message.trimEnd().split(/\n\s*\n/)
  const lines = paragraphs.length > 1 ? (paragraphs.at(-1)?.split('\n') ?? []) : []
  const matches = lines.map((line) => /^([A-Za-z0-9-]+): (.*)$/.exec(line))
  return matches.every((match) => match !== null) ? matches.map(([, name = '', value = '']) => [name, value]) : []
}

/** Appends trailers to the existing trailers of a message, or as a new paragraph. */
export function addTrailers(message: string, trailers: readonly Trailer[]): string {
  const text = message.trimEnd()
  const lines = trailers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${text}${readTrailers(text).length > 0 ? '\n' : '\n\n'}${lines}`
}

/** What a run did with its changes. These are the values of the output `operation`. */
type Operation =
  /** There were no changes, or the mode does not write. */
  | 'none'
  | 'committed'
  /** The branch has new commits, and a newer run handles them. */
  | 'superseded'
  | 'pull-request-created'
  | 'pull-request-updated'
  | 'pull-request-unchanged'
  /** No changes are left. The pull request was closed and its branch deleted. */
  | 'pull-request-closed'
  /** A user closed the pull request without merging it, and the changes are the same. */
  | 'pull-request-declined'
  /** The head branch has commits of other authors, so it was kept. */
  | 'pull-request-kept'

/** The result of writing the changes of a run. */
export interface Delivery {
  readonly operation: Operation
  /** The branch of the commit. */
  readonly branch: string | undefined
  readonly commitSha: string | undefined
  /** Whether GitHub shows the commit as verified, if known. */
  readonly isVerified: boolean | undefined
  readonly pullRequest: { readonly number: number; readonly url: string } | undefined
  /** Sentences for the log and the summary, with names in backticks. */
  readonly notes: readonly string[]
  /** Parts of the request that GitHub refused, such as a reviewer, as sentences without a full stop. */
  readonly warnings: readonly string[]
}

/** A planned update with its commit and pull request. */
export interface PlannedUpdate extends PlannedCommit {
  /** See `Update`. Then one without changes may not be complete. */
  readonly hasUnknownChanges: boolean
  /** Renders the body of the pull request. */
  readonly renderBody: (commit: { readonly sha: string; readonly baseSha: string; readonly digest: string }) => string
}

export interface DeliverOptions
  extends Pick<CommitAndPushOptions, 'branch' | 'mayCreateBranch' | 'knownSha' | 'token' | 'write'> {
  /** The work tree. */
  readonly boundary: OwnedPath
  readonly mode: 'commit' | 'pull-request'
  readonly inputs: DeliveryInputs
  /** Plans from the work tree. Called again each time the work tree has moved. See `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedUpdate>
  readonly log: (line: string) => void
  readonly github: Pick<GitHubAccess, 'connect' | 'variables'>
}

/** Shared by commits and pull requests. */
export interface DeliveryTools
  extends Omit<DeliverOptions, 'mode' | 'github'>,
    Required<Pick<CommitAndPushOptions, 'publish' | 'isSuperseded' | 'restore'>> {
  readonly git: Git
  /** Connects once. */
  readonly connect: () => Promise<ConnectResult>
}

/** Creates a delivery with defaults. */
export function toDelivery(delivery: Pick<Delivery, 'operation'> & Partial<Delivery>): Delivery {
  return {
    branch: undefined,
    commitSha: undefined,
    isVerified: undefined,
    pullRequest: undefined,
    notes: [],
    warnings: [],
    ...delivery,
  }
}

/** The result if a newer run handles the branch. */
export function toSuperseded(branch: string): Delivery {
  return toDelivery({ operation: 'superseded', notes: [toSupersededNote(branch)] })
}

export function toSupersededNote(branch: string): string {
  return `Superseded: \`${branch}\` has new commits, which a newer run of this workflow handles.`
}

/** The text in front of the number of a pull request. */
export const operationLabels: { readonly [operation in Operation]: string } = {
  none: '',
  committed: '',
  superseded: '',
  'pull-request-created': 'Opened',
  'pull-request-updated': 'Updated',
  'pull-request-unchanged': 'Already up to date:',
  'pull-request-closed': 'Closed, because no changes are left:',
  'pull-request-declined': 'Not opened again:',
  'pull-request-kept': 'Not updated:',
}

/** Describes the result without the commit, one sentence per line with names in backticks. */
export function describeDelivery({ operation, pullRequest, notes, warnings }: Delivery): readonly string[] {
  const what = operationLabels[operation]
  const line = pullRequest && what !== '' ? [`${what} pull request #${pullRequest.number} (${pullRequest.url})`] : []
  return [...line, ...notes, ...warnings]
}

/** Counts pages by kind of change. */
export function countPages(pages: readonly PageReport[]): { readonly [kind in PageReport['kind']]: number } {
  const counts = { added: 0, modified: 0, removed: 0, kept: 0, unchanged: 0 }
  for (const page of pages) counts[page.kind]++
  return counts
}
