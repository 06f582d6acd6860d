import { randomBytes } from 'node:crypto'
import { type AddedFile, type Committer, fetchRef, readHead } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { commitAndPush, type PublishCommit, pushCommit } from '../../git/push.ts'
import { readCommitChanges } from '../../git/revisions.ts'
import { commitChanges } from '../../github/repositories/branches.ts'
import { ask, ConfigError, GitError, GitHubError } from '../../text/errors.ts'
import { lazy } from '../../text/plain/lists.ts'
import { type ConnectResult, type GitHubConnection, isHandledByNewerRun } from '../inputs/github-access.ts'
import { botName } from '../inputs/inputs.ts'
import type { RunVariables } from '../inputs/workflow-event.ts'
import { restoreAddedFiles } from './added-files.ts'
import {
  addTrailers,
  type DeliverOptions,
  type Delivery,
  type DeliveryTools,
  type PlannedUpdate,
  partTrailer,
  readSourceHash,
  type Trailer,
  toDelivery,
  toSuperseded,
} from './commit-message.ts'
import { closeLeftover, isHeadBranch, proposeUpdate, temporaryPrefix } from './propose-update.ts'

/**
 * Commits an update to the branch, or opens a pull request if requested or required by branch rules.
 *
 * If the branch moves meanwhile, plans again from its newest commit. Never overwrites commits of other authors.
 *
 * @throws {ConfigError | GitError | GitHubError}
 */
export async function deliverUpdate(git: Git, options: DeliverOptions): Promise<Delivery> {
  const notes: string[] = []
  const replaced: AddedFile[] = []
  const plan: DeliverOptions['plan'] = (outdated) => {
    replaced.push(...outdated)
    return options.plan(replaced)
  }
  const tools = createTools(git, { ...options, plan }, (note) => notes.push(note))
  let delivery: Delivery
  try {
    delivery = options.mode === 'commit' ? await commitUpdate(tools) : await proposeUpdate(tools)
  } finally {
    // Later steps need the files of earlier steps.
    await tools.restore(replaced)
  }
  const verified = await verifyCommit(tools, delivery)
  return { ...verified, notes: [...notes, ...verified.notes] }
}

function createTools(git: Git, options: DeliverOptions, addNote: (note: string) => void): DeliveryTools {
  const { mode: _, github, ...shared } = options
  const { inputs } = shared
  const connect = lazy(() => github.connect(git))
  const choose = lazy(async () => choosePublish(inputs, github.variables, await connect(), addNote))
  const publish: PublishCommit = async (...args) => (await choose())(...args)
  const restore = (files: readonly AddedFile[]) => restoreAddedFiles(options.boundary, files)
  return { ...shared, git, connect, publish, restore, isSuperseded: createIsSuperseded(git, connect, github.variables) }
}

/** @throws {ConfigError} if signed commits are required but not possible. */
async function choosePublish(
  { commitMethod, committer, requireSigned }: DeliverOptions['inputs'],
  variables: RunVariables,
  connected: ConnectResult,
  addNote: (note: string) => void,
): Promise<PublishCommit> {
  if (commitMethod === 'git') return pushCommit
  if (connected.kind === 'connected') {
    return createPublishByApi(connected.connection, variables, committer)
  }
  if (requireSigned) {
    throw new ConfigError(`Cannot create a signed commit, required by \`require-signed\`: ${connected.reason}`, {
      hint: `${connected.hint}, or remove the input \`require-signed\``,
    })
  }
  addNote(`The commit was pushed with Git and is not signed, because GitHub's API is not available: ${connected.reason}.`)
  return pushCommit
}

async function commitUpdate(tools: DeliveryTools): Promise<Delivery> {
  const { git, branch, inputs, log } = tools
  let planned: PlannedUpdate | undefined
  const plan: DeliverOptions['plan'] = async (outdated) => {
    planned = await tools.plan(outdated)
    return planned
  }
  try {
    const result = await commitAndPush(git, {
      ...tools,
      committer: inputs.committer,
      plan,
      onStale: () => log('The branch has new commits, generating again'),
    })
    if (result.kind === 'superseded') return toSuperseded(branch)
    const sha = result.kind === 'pushed' ? result.sha : undefined
    const isDone = inputs.onProtected === 'pull-request' && planned?.hasUnknownChanges === false
    const left = isDone ? await closeLeftover(git, tools, tools.connect) : undefined
    if (sha === undefined) return left ?? toDelivery({ operation: 'none' })
    return toDelivery({ operation: 'committed', branch, commitSha: sha, notes: left?.notes ?? [] })
  } catch (error) {
    if (!isProtected(error) || inputs.onProtected !== 'pull-request' || isHeadBranch(branch, inputs.pullRequest)) throw error
    const connected = await tools.connect()
    if (connected.kind === 'none') throw error
    log(`${error.message}. Opening a pull request instead`)
    const proposed = await proposeUpdate(tools)
    return { ...proposed, notes: [`${error.message}.`, ...proposed.notes] }
  }
}

function isProtected(error: unknown): error is GitError | GitHubError {
  return (error instanceof GitError && error.isProtected) || (error instanceof GitHubError && error.failure === 'protected')
}

/**
 * Returns a function that tells, after the work tree has moved to a newer commit, whether a newer run handles that commit: the documents
 * differ, and a newer run of the workflow exists.
 */
function createIsSuperseded(git: Git, connect: () => Promise<ConnectResult>, variables: RunVariables): () => Promise<boolean> {
  const open = async () => {
    const connected = await connect()
    if (connected.kind === 'none') return undefined
    return { client: await connected.connection.open(), repository: connected.connection.repository }
  }
  return async () => {
    // `ORIG_HEAD` is the previous commit of the work tree.
    if ((await readSourceHash(git, [])) === (await readSourceHash(git, [], [], 'ORIG_HEAD'))) return false
    return await isHandledByNewerRun(open, variables, await readHead(git))
  }
}

/**
 * Publishes commits through GitHub's API, which signs them. The API creates an equal commit, and the work tree moves to it. The committer is the
 * owner of the token. A different configured committer becomes a co-author.
 */
function createPublishByApi(
  { open, repository }: GitHubConnection,
  { runName }: RunVariables,
  committer: Committer,
): PublishCommit {
  const coAuthors: readonly Trailer[] =
    committer.name === botName ? [] : [['Co-authored-by', `${committer.name} <${committer.email}>`]]
  return async (git, commit, { remote, branch, expectedSha }) => {
    const changes = await readCommitChanges(git, commit)
    const message = coAuthors.length === 0 ? commit.message : addTrailers(commit.message, coAuthors)
    const end = message.indexOf('\n')
    const result = await commitChanges(await open(), repository, {
      branch,
      expectedSha,
      baseSha: commit.baseSha,
      headline: end === -1 ? message : message.slice(0, end),
      body: end === -1 ? '' : message.slice(end).trim(),
      partTrailer,
      changes,
      temporaryBranch: `${temporaryPrefix}${runName}-${randomBytes(4).toString('hex')}`,
    })
    if (result.kind === 'stale') return undefined
    // Only the commit IDs differ. If the fetch fails, the work tree stays at the local commit.
    const fetched = await ask(() => fetchRef(git, remote, result.sha))
    if (fetched.kind === 'known') await git.run(['reset', '--keep', 'FETCH_HEAD'])
    return result.sha
  }
}

/**
 * Looks up whether GitHub shows the commit as verified. After a push, only if `require-signed` is set.
 *
 * Does not throw GitHub errors, because the commit exists anyway.
 */
async function verifyCommit(
  { inputs, connect }: Pick<DeliveryTools, 'inputs' | 'connect'>,
  delivery: Delivery,
): Promise<Delivery> {
  const { commitSha } = delivery
  if (commitSha === undefined || (inputs.commitMethod === 'git' && !inputs.requireSigned)) return delivery
  const connected = await connect()
  if (connected.kind === 'none') return delivery
  const { open, repository } = connected.connection
  try {
    const { findCommit } = await import('../../github/repositories/commits.ts')
    const found = await findCommit(await open(), repository, commitSha)
    if (!found) throw new GitHubError('GitHub does not find the commit', { failure: 'not-found', operation: 'read commit' })
    const { isVerified, verification } = found
    if (isVerified) return { ...delivery, isVerified }
    const note = `GitHub does not show the commit as verified (\`${verification}\`).`
    return { ...delivery, isVerified, notes: [...delivery.notes, note] }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return { ...delivery, notes: [...delivery.notes, `Unknown verification status of the commit: ${error.message}.`] }
  }
}
