import { GitHubError } from '../../text/errors.ts'
import type { Feedback } from '../report/feedback.ts'
import { type CommentMarker, parseCommentMarker, renderComment } from '../report/render-comment.ts'
import {
  callGitHub,
  type GitHubOperation,
  isUncertain,
  nameRepository,
  repeatable,
  unlessNotFound,
} from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/github-client.ts'

const permission = 'pull_requests: write'

/**
 * Reads the facts that decide whether the app trusts the commits of a pull request, and what it compares them with. `authorAssociation` is the
 * author's relation to the repository, in GitHub's terms: `MEMBER`, `FIRST_TIME_CONTRIBUTOR`, `NONE`, …
 *
 * @throws {GitHubError} also if GitHub does not find it: one that existed still does.
 */
export async function readPullRequestTrust(client: GitHubClient, repository: RepositoryName, pullNumber: number) {
  const operation = {
    operation: 'read pull request',
    on: `${nameRepository(repository)} #${pullNumber}`,
    permission: 'pull_requests: read',
  }
  const { data } = await callGitHub(operation, () => client.rest.pulls.get({ ...repository, pull_number: pullNumber }))
  return { ...toPullRequest(data), isOpen: data.state === 'open', authorAssociation: data.author_association }
}

/**
 * Finds the open pull request between two branches of a repository. GitHub allows at most one.
 *
 * @throws {GitHubError}
 */
export async function findPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<PullRequestInfo | undefined> {
  const pulls = await listOpenPullRequests(client, repository, head)
  return pulls.find((pull) => pull.isSameRepository && pull.baseRef === base)
}

/**
 * Opens a pull request, or returns the existing one.
 *
 * @throws {GitHubError} `forbidden` without `pull_requests: write`, or when Actions may not open pull requests.
 */
export async function createPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  pull: { readonly head: string; readonly base: string; readonly title: string; readonly body: string; readonly draft?: boolean },
): Promise<{ readonly pull: PullRequestInfo; readonly isNew: boolean }> {
  const operation = { operation: 'open pull request', on: `${nameRepository(repository)} from \`${pull.head}\``, permission }
  try {
    const { data } = await callGitHub(operation, () => client.rest.pulls.create({ ...repository, ...pull }))
    return { pull: toPullRequest(data), isNew: true }
  } catch (error) {
    const mayBeThere = isUncertain(error) || (error instanceof GitHubError && error.failure === 'invalid')
    const there = mayBeThere ? await findPullRequest(client, repository, pull) : undefined
    if (there) return { pull: there, isNew: false }
    throw error
  }
}

/**
 * Finds the newest closed pull request between two branches of a repository, merged or not.
 *
 * @throws {GitHubError}
 */
export async function findClosedPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<{ readonly number: number; readonly url: string; readonly body: string; readonly isMerged: boolean } | undefined> {
  const operation = { operation: 'list pull requests', on: nameRepository(repository), permission: 'pull_requests: read' }
  const query = { ...repository, state: 'closed', head: `${repository.owner}:${head}`, base, per_page: 1 } as const
  const { data } = await callGitHub(operation, () => client.rest.pulls.list(query))
  return data.map((pull) => {
    return { number: pull.number, url: pull.html_url, body: pull.body ?? '', isMerged: typeof pull.merged_at === 'string' }
  })[0]
}

/** Adds labels to a pull request. GitHub creates missing labels. @throws {GitHubError} */
export async function addLabels(
  client: GitHubClient,
  repository: RepositoryName,
  { number, labels }: { readonly number: number; readonly labels: readonly string[] },
): Promise<void> {
  const operation = { operation: 'add labels', on: `${nameRepository(repository)} #${number}`, permission }
  const parameters = { ...repository, issue_number: number, labels: [...labels], request: repeatable }
  await callGitHub(operation, () => client.rest.issues.addLabels(parameters))
}

/** Assigns users to a pull request. Returns those that GitHub ignored, because they cannot be assigned. @throws {GitHubError} */
export async function addAssignees(
  client: GitHubClient,
  repository: RepositoryName,
  { number, assignees }: { readonly number: number; readonly assignees: readonly string[] },
): Promise<readonly string[]> {
  const operation = { operation: 'add assignees', on: `${nameRepository(repository)} #${number}`, permission }
  const parameters = { ...repository, issue_number: number, assignees: [...assignees], request: repeatable }
  const { data } = await callGitHub(operation, () => client.rest.issues.addAssignees(parameters))
  const assigned = new Set((data.assignees ?? []).map(({ login }) => login.toLowerCase()))
  return assignees.filter((login) => !assigned.has(login.toLowerCase()))
}

/**
 * Requests reviews of a pull request. GitHub refuses the whole request if one of the names is not a collaborator.
 *
 * @throws {GitHubError} `invalid` if a name cannot review it.
 */
export async function requestReviewers(
  client: GitHubClient,
  repository: RepositoryName,
  request: { readonly number: number; readonly reviewers?: readonly string[]; readonly teamSlugs?: readonly string[] },
): Promise<void> {
  const { number, reviewers = [], teamSlugs = [] } = request
  const operation = { operation: 'request reviewers', on: `${nameRepository(repository)} #${number}`, permission }
  const names = { ...(reviewers.length > 0 ? { reviewers: [...reviewers] } : { team_reviewers: [...teamSlugs] }) }
  await callGitHub(operation, () =>
    client.rest.pulls.requestReviewers({ ...repository, pull_number: number, ...names, request: repeatable }),
  )
}

/** Updates the title and body of a pull request. @throws {GitHubError} */
export async function updatePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { number, ...texts }: { readonly number: number; readonly body: string; readonly title?: string },
): Promise<void> {
  const operation = { operation: 'update pull request', on: `${nameRepository(repository)} #${number}`, permission }
  await callGitHub(operation, () =>
    client.rest.pulls.update({ ...repository, pull_number: number, ...texts, request: repeatable }),
  )
}

/** Closes a pull request, replaces its body, and comments with the reason. @throws {GitHubError} */
export async function closePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { number, body, reason }: { readonly number: number; readonly body: string; readonly reason: string },
): Promise<void> {
  const operation = { operation: 'close pull request', on: `${nameRepository(repository)} #${number}`, permission }
  await callGitHub(operation, () =>
    client.rest.pulls.update({ ...repository, pull_number: number, state: 'closed', body, request: repeatable }),
  )
  const comment = { ...repository, issue_number: number, body: reason }
  await callGitHub({ ...operation, operation: 'write comment' }, () => client.rest.issues.createComment(comment))
}

/** All open pull requests, or those that have a branch of this repository as head. @throws {GitHubError} */
export async function listOpenPullRequests(
  client: GitHubClient,
  repository: RepositoryName,
  branch?: string,
): Promise<readonly PullRequestInfo[]> {
  const operation = { operation: 'list pull requests', on: nameRepository(repository), permission: 'pull_requests: read' }
  const pulls = await callGitHub(operation, () =>
    client.paginate(client.rest.pulls.list, {
      ...repository,
      state: 'open',
      ...(branch !== undefined && { head: `${repository.owner}:${branch}` }),
      per_page: 100,
    }),
  )
  return pulls.map(toPullRequest)
}

type PullRequestResponse = Pick<
  Awaited<ReturnType<GitHubClient['rest']['pulls']['list']>>['data'][number],
  'number' | 'html_url' | 'body' | 'head' | 'base'
>

/** The fields of a pull request that checks and comments need. */
export type PullRequestInfo = Readonly<ReturnType<typeof toPullRequest>>

function toPullRequest(data: PullRequestResponse) {
  // GitHub sends `null` for a deleted fork, which its types omit.
  const headRepository: { readonly id: number } | null = data.head.repo
  return {
    number: data.number,
    url: data.html_url,
    body: data.body ?? '',
    headSha: data.head.sha,
    headRef: data.head.ref,
    /** False for a fork, even a deleted one. The app cannot write to it. */
    isSameRepository: headRepository?.id === data.base.repo.id,
    /** The branch that the pull request merges into. */
    baseRef: data.base.ref,
    baseSha: data.base.sha,
  }
}

/** What was done. */
export interface CommentResult {
  /** `left-to-other`: the app and the Action are both active, and the other one already comments on this pull request. */
  readonly kind: 'created' | 'edited' | 'unchanged' | 'none' | 'left-to-other'
  /** The author of the other comment, for `left-to-other`. */
  readonly otherAuthor?: string
}

/** The author of our comments: an app, or the owner of the token. */
export type CommentAuthor = { readonly kind: 'app'; readonly appId: number } | { readonly kind: 'token' }

/**
 * Keeps the single comment of a project on a pull request up to date: creates it when there is something to report, edits it only when
 * its content changes, and never adds a second one.
 *
 * If both the app and the Action are active, only one of them comments. The first comment stays. If both start at the same time,
 * the later comment is deleted.
 *
 * The comment is recognized by its author and by the marker with this key at its start. Copies of the marker by other authors
 * have no effect. All pages of comments are read first.
 *
 * @throws {GitHubError} also when the conversation is locked (`forbidden`).
 */
export async function syncComment(
  client: GitHubClient,
  repository: RepositoryName,
  comment: {
    readonly pullNumber: number
    /** From `toCommentKey(root)`. */
    readonly key: string
    readonly author: CommentAuthor
    readonly feedback: Feedback
  },
): Promise<CommentResult> {
  const { pullNumber, key, feedback } = comment
  const operation: GitHubOperation = {
    operation: 'write comment',
    on: `\`${repository.owner}/${repository.repo}#${pullNumber}\``,
    permission: 'pull_requests: write',
  }
  const find = () => callGitHub({ ...operation, operation: 'read comments' }, () => findComments(client, repository, comment))
  const { own, foreign } = await find()
  if (foreign && !(own && own.id < foreign.id)) {
    if (own) await remove(client, repository, own.id, operation)
    return { kind: 'left-to-other', otherAuthor: foreign.author }
  }
  const wanted = renderComment(key, feedback, own?.marker)
  if (!wanted) return { kind: 'none' }
  if (own?.marker.digest === wanted.digest) return { kind: 'unchanged' }
  if (own) {
    const edit = { ...repository, comment_id: own.id, body: wanted.body, request: repeatable }
    const edited = await unlessNotFound(() => callGitHub(operation, () => client.rest.issues.updateComment(edit)))
    if (edited) return { kind: 'edited' }
    // Deleted since it was read? Only a report creates a new one.
    if ((await find()).own)
      throw new GitHubError(`Cannot edit the comment on ${operation.on}: GitHub does not find it`, {
        failure: 'not-found',
        ...operation,
      })
  }
  if (!wanted.isReport) return { kind: 'none' }
  const created = { ...repository, issue_number: pullNumber, body: wanted.body }
  try {
    await callGitHub(operation, () => client.rest.issues.createComment(created))
  } catch (error) {
    if (!isUncertain(error) || !(await find()).own) throw error
  }
  return { kind: 'created' }
}

interface FoundComment {
  readonly id: number
  readonly marker: CommentMarker
}

async function findComments(
  client: GitHubClient,
  repository: RepositoryName,
  { pullNumber, key, author }: { readonly pullNumber: number; readonly key: string; readonly author: CommentAuthor },
): Promise<{ own: FoundComment | undefined; foreign: (FoundComment & { readonly author: string }) | undefined }> {
  const comments = await client.paginate(client.rest.issues.listComments, {
    ...repository,
    issue_number: pullNumber,
    per_page: 100,
  })
  const marked = comments.flatMap((comment) => {
    const marker = parseCommentMarker(comment.body ?? '')
    return marker?.key === key ? [{ comment, marker }] : []
  })
  // Most pull requests have no such comment, so this usually saves a request.
  const viewer = author.kind === 'token' && marked.length > 0 ? await readViewer(client) : undefined
  let own: FoundComment | undefined
  let foreign: (FoundComment & { readonly author: string }) | undefined
  for (const { comment, marker } of marked) {
    const isBot = comment.user?.type === 'Bot'
    const isOwn =
      author.kind === 'app'
        ? isBot && comment.performed_via_github_app?.id === author.appId
        : comment.user !== null && viewer !== undefined && isSameAccount(comment.user, viewer)
    if (isOwn) own ??= { id: comment.id, marker }
    // A workflow may also comment with the token of a collaborator. Copies by other people are ignored.
    else if (isBot || trustedAuthors.has(comment.author_association)) {
      foreign ??= { id: comment.id, marker, author: comment.user?.login ?? 'another account' }
    }
  }
  return { own, foreign }
}

/** The login of a token: a person, or the bot of an app such as `github-actions[bot]`. REST cannot identify both. */
async function readViewer(client: GitHubClient): Promise<string> {
  const { viewer } = await client.graphql<{ viewer: { login: string } }>(viewerQuery)
  return viewer.login
}

/** Queries the owner of a token. */
export const viewerQuery = 'query { viewer { login } }'

/** GraphQL names a bot with or without `[bot]`. A person with the same name is not a bot. */
function isSameAccount(user: { readonly login: string; readonly type: string }, viewer: string): boolean {
  const bare = (login: string) => login.replace(/\[bot\]$/, '')
  return bare(user.login) === bare(viewer) && (user.type === 'Bot' || !viewer.endsWith('[bot]'))
}

const trustedAuthors: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

async function remove(
  client: GitHubClient,
  repository: RepositoryName,
  commentId: number,
  operation: GitHubOperation,
): Promise<void> {
  const request = () => client.rest.issues.deleteComment({ ...repository, comment_id: commentId, request: repeatable })
  await unlessNotFound(() => callGitHub({ ...operation, operation: 'delete comment' }, request))
}
