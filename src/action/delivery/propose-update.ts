import { commitLocally, findRemote, readTips } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { type Proposal, proposeOnTip, toChangesDigest } from '../../git/push.ts'
import { moveBranches } from '../../github/repositories/branches.ts'
import { type BranchCommitInfo, findCommit, listCommitsSince } from '../../github/repositories/commits.ts'
import {
  closePullRequest,
  findClosedPullRequest,
  findPullRequest,
  type PullRequestInfo,
  updatePullRequest,
} from '../../github/repositories/pull-requests.ts'
import type { GitHubClient, RepositoryName } from '../../github/requests/github-client.ts'
import { ConfigError, GitError, GitHubError } from '../../text/errors.ts'
import type { ConnectResult, GitHubConnection } from '../inputs/github-access.ts'
import { defaultHeadBranch, type PullRequestInputs } from '../inputs/inputs.ts'
import {
  type DeliverOptions,
  type Delivery,
  type DeliveryTools,
  type PlannedUpdate,
  partTrailer,
  readTrailers,
  removeSkipMarkers,
  sourceTrailer,
  toDelivery,
  toSuperseded,
} from './commit-message.ts'
import { clearDigest, openPullRequest, parsePullRequestMarker, setPullRequestDetails } from './pull-request-details.ts'

/**
 * Opens, updates or closes the pull request of a base branch. There is at most one.
 *
 * Its head branch is created again from the newest commit of the base each time. A head branch with commits of other authors is never
 * changed. Afterwards, the work tree is at the base.
 *
 * @throws {ConfigError | GitError | GitHubError}
 */
export async function proposeUpdate(tools: DeliveryTools): Promise<Delivery> {
  const { git, branch: base, inputs, log } = tools
  const connected = await tools.connect()
  if (connected.kind === 'none') {
    throw new ConfigError(`Cannot open a pull request: ${connected.reason}`, { hint: connected.hint })
  }
  const { connection } = connected
  const head = toHeadBranch(base, inputs.pullRequest)
  if (head === base) {
    throw new ConfigError(
      `Unexpected \`${base}\` for the input \`pull-request-branch\`, expected another branch than the target`,
      { hint: 'Use a name such as `docs/<branch>`' },
    )
  }
  const remote = await findRemote(git, tools.token)
  const proposed = await proposeOnTip(git, {
    ...tools,
    remote,
    base,
    head,
    onStale: () => log(`Generating from the newest commit of ${base}`),
    propose: (proposal) =>
      proposeOnce(tools, connection, head, proposal, (commit) =>
        tools.publish(git, commit, { remote, branch: head, expectedSha: proposal.headSha }),
      ),
  })
  if (proposed.kind === 'superseded') return toSuperseded(base)
  if (proposed.kind === 'proposed') return proposed.result
  // The changes of documents with errors are unknown, so keep the pull request.
  const closed = proposed.planned.hasUnknownChanges ? undefined : await closeProposal(tools, connection)
  return closed ?? toDelivery({ operation: 'none' })
}

/** Returns undefined if the head branch has moved meanwhile. */
async function proposeOnce(
  { git, branch: base, inputs, write, restore }: DeliveryTools,
  { open, repository }: GitHubConnection,
  head: string,
  { planned, headSha, baseSha }: Proposal<PlannedUpdate>,
  publish: Parameters<typeof commitLocally>[1]['publish'],
): Promise<Delivery | undefined> {
  const client = await open()
  const existing = headSha === undefined ? undefined : await findPullRequest(client, repository, { head, base })
  const marker = parsePullRequestMarker(existing?.body ?? '')
  const digest = toChangesDigest(planned)
  const isReserved = isReservedName(inputs.pullRequest)
  const foreign =
    headSha === undefined
      ? undefined
      : await findForeignCommit(client, repository, { baseSha, headSha, markedSha: marker?.headSha, isReserved })
  if (foreign) return toKept(head, foreign, existing)
  if (existing && marker && marker.headSha === headSha && marker.digest === digest) {
    return toDelivery({ operation: 'pull-request-unchanged', branch: head, pullRequest: existing })
  }
  const closed = existing ? undefined : await findClosedPullRequest(client, repository, { head, base })
  if (closed && !closed.isMerged && parsePullRequestMarker(closed.body)?.digest === digest) {
    const notes = ['It was closed without a merge, and the changes are the same. To get them, reopen it.']
    return toDelivery({ operation: 'pull-request-declined', branch: head, pullRequest: closed, notes })
  }
  const message = removeSkipMarkers(planned.message)
  const { changes, added } = planned
  const { committer } = inputs
  const commitSha = await commitLocally(git, { changes, added, message, committer, write, restore, publish })
  if (commitSha === undefined) return undefined
  await git.run(['reset', '--keep', baseSha])
  await restore(added)
  const body = planned.renderBody({ sha: commitSha, baseSha, digest })
  const { title } = inputs.pullRequest
  const texts = { title: title ?? message.split('\n', 1)[0] ?? '', body }
  const { pull, isNew, warnings } = existing
    ? { pull: existing, isNew: false, warnings: [] }
    : await openPullRequest(client, repository, { head, base, ...texts, draft: inputs.pullRequest.isDraft })
  const details = () => setPullRequestDetails(client, repository, pull.number, inputs.pullRequest, { isNew })
  const done = { branch: head, commitSha, pullRequest: { number: pull.number, url: pull.url } }
  if (isNew) return toDelivery({ operation: 'pull-request-created', ...done, warnings: [...warnings, ...(await details())] })
  // Do not change the description of a pull request that a user opened.
  const isGeneratedPull = parsePullRequestMarker(pull.body) !== undefined
  if (!isGeneratedPull) {
    const notes = ['The description was not updated, because openapi-pages did not open the pull request.']
    return toDelivery({ operation: 'pull-request-updated', ...done, notes })
  }
  await updatePullRequest(client, repository, { number: pull.number, body, ...(title === undefined ? {} : { title }) })
  return toDelivery({ operation: 'pull-request-updated', ...done, warnings: await details() })
}

function toKept(
  head: string,
  { sha, authorName }: { readonly sha: string; readonly authorName: string },
  pull: PullRequestInfo | undefined,
): Delivery {
  const by = authorName === '' ? '' : ` by \`${authorName.replaceAll('`', "'")}\``
  const notes = [
    `\`${head}\` has a commit that openapi-pages did not create (\`${sha.slice(0, 7)}\`${by}), so it was not updated. Merge it, or delete the branch to start over.`,
  ]
  const pullRequest = pull && { number: pull.number, url: pull.url }
  return toDelivery({ operation: 'pull-request-kept', branch: head, pullRequest, notes })
}

type Options = Pick<DeliverOptions, 'branch' | 'inputs' | 'token' | 'log'>

/**
 * Closes the pull request of an earlier run if the branch is up to date now. Returns undefined if there is none.
 *
 * Only logs errors: the pages are up to date, and only an old pull request stays open.
 *
 * @param baseSha if given, closes only if the branch is at this commit.
 */
export async function closeLeftover(
  git: Git,
  { branch, inputs, token, log }: Options,
  connect: () => Promise<ConnectResult>,
  baseSha?: string,
): Promise<Delivery | undefined> {
  if (isHeadBranch(branch, inputs.pullRequest)) return undefined
  try {
    const connected = await connect()
    if (connected.kind === 'none') return undefined
    return await closeProposal({ git, branch, inputs, token }, connected.connection, baseSha)
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof GitError)) throw error
    log(`${error.message}. ${error.hint ?? 'The next run tries again'}`)
    return undefined
  }
}

/**
 * Closes the pull request of an up-to-date branch with a comment and deletes its head branch. Returns undefined if there is none.
 * Keeps a pull request that another user opened, and a head branch with commits of other authors.
 *
 * @param expectedBaseSha at any other commit the branch may be out of date, so nothing is closed.
 *
 * @throws {GitError | GitHubError}
 */
async function closeProposal(
  { git, branch: base, inputs, token }: Pick<DeliveryTools, 'git' | 'branch' | 'inputs' | 'token'>,
  { open, repository }: GitHubConnection,
  expectedBaseSha?: string,
): Promise<Delivery | undefined> {
  const head = toHeadBranch(base, inputs.pullRequest)
  if (head === base) return undefined
  const tips = await readTips(git, await findRemote(git, token), [base, head])
  const [baseSha, headSha] = [tips.get(base), tips.get(head)]
  if (baseSha === undefined || headSha === undefined) return undefined
  if (expectedBaseSha !== undefined && expectedBaseSha !== baseSha) return undefined
  const client = await open()
  const pull = await findPullRequest(client, repository, { head, base })
  const marker = parsePullRequestMarker(pull?.body ?? '')
  const isReserved = isReservedName(inputs.pullRequest)
  const foreign = await findForeignCommit(client, repository, { baseSha, headSha, markedSha: marker?.headSha, isReserved })
  const found = pull && { pullRequest: { number: pull.number, url: pull.url } }
  if (foreign || (pull && !marker)) {
    const why = foreign
      ? `has a commit that openapi-pages did not create (\`${foreign.sha.slice(0, 7)}\`)`
      : 'has a pull request that openapi-pages did not open'
    const notes = [`The API pages of \`${base}\` are up to date. \`${head}\` was kept, because it ${why}.`]
    return toDelivery({ operation: 'pull-request-kept', branch: head, ...found, notes })
  }
  if (pull) {
    const reason = `The API pages of \`${base}\` are up to date.`
    await closePullRequest(client, repository, { number: pull.number, body: clearDigest(pull.body), reason })
  }
  // This fails if someone has pushed to the branch meanwhile.
  await moveBranches(client, repository, [{ branch: head, from: headSha, to: undefined, mayForce: true }])
  return pull && toDelivery({ operation: 'pull-request-closed', branch: head, ...found })
}

/** Prefix of branches that exist only while a large commit is created in parts. Runs on them are skipped. */
export const temporaryPrefix = 'openapi-pages-temporary/'

/** Prefix of head branches in a docs repository, before the name of the repository with the documents. */
export const sourcePrefix = 'openapi-pages/from/'

const placeholder = '<branch>'

/** Returns the head branch of the pull request for a base branch, as the input `pull-request-branch` names it. */
function toHeadBranch(base: string, { headBranch }: Pick<PullRequestInputs, 'headBranch'>): string {
  return headBranch.replace(placeholder, () => base)
}

/** Whether a branch is the head branch of a generated pull request. */
export function isHeadBranch(branch: string, { headBranch }: Pick<PullRequestInputs, 'headBranch'>): boolean {
  const [before = '', after] = headBranch.split(placeholder)
  if (after === undefined) return branch === headBranch
  return branch.length > before.length + after.length && branch.startsWith(before) && branch.endsWith(after)
}

/** The head branch of the Action's pull request, and its position. */
interface HeadBranch {
  readonly baseSha: string
  readonly headSha: string
  /** The head commit recorded in the marker of the pull request. */
  readonly markedSha: string | undefined
  /**
   * Whether its name is reserved for the Action (`isReservedName`). A branch with another name belongs to the Action only if the Action
   * created its last commit.
   */
  readonly isReserved: boolean
}

/** Whether all head branches with such a name belong to the Action. */
function isReservedName({ headBranch }: Pick<PullRequestInputs, 'headBranch'>): boolean {
  return headBranch === defaultHeadBranch || headBranch.startsWith(sourcePrefix)
}

/**
 * Returns the first commit of a head branch that the Action did not create, or undefined. Returns the head of a branch with too many commits
 * to list.
 *
 * @throws {GitHubError}
 */
async function findForeignCommit(
  client: GitHubClient,
  repository: RepositoryName,
  { baseSha, headSha, markedSha, isReserved }: HeadBranch,
): Promise<Pick<BranchCommitInfo, 'sha' | 'authorName'> | undefined> {
  if (markedSha === headSha) return undefined
  const commits = await listCommitsSince(client, repository, baseSha, headSha)
  if (commits?.length === 0 && !isReserved) {
    const last = await findCommit(client, repository, headSha)
    return last && isGeneratedMessage(last.message) ? undefined : { sha: headSha, authorName: last?.by.author ?? '' }
  }
  return commits === undefined ? { sha: headSha, authorName: '' } : commits.find((commit) => !isGenerated(commit))
}

/**
 * Whether the Action created the commit and it was not amended since. An amended commit has a different committer. Commits created by the API
 * have GitHub as committer (`noreply@…`), also on GitHub Enterprise Server.
 */
function isGenerated({ message, parentCount, authorEmail, committerEmail }: BranchCommitInfo): boolean {
  const isUntouched = committerEmail === authorEmail || committerEmail.startsWith('noreply@')
  return isGeneratedMessage(message) && isUntouched && parentCount === 1
}

function isGeneratedMessage(message: string): boolean {
  return readTrailers(message).some(([name]) => name === sourceTrailer || name === partTrailer)
}
