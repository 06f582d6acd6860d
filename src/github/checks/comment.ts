import { GitHubError } from '../../text/errors.ts'
import type { Feedback } from '../report/feedback.ts'
import { type CommentMarker, parseCommentMarker, type RenderedComment, renderComment } from '../report/render-comment.ts'
import { callGitHub, type GitHubOperation, isUncertain } from '../requests/call-github.ts'
import { repeatable } from '../requests/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

/** What was done. */
export interface CommentResult {
  /** `left-to-other`: the app and the Action are both active, and the other one already comments on this pull request. */
  readonly kind: 'created' | 'edited' | 'unchanged' | 'none' | 'left-to-other'
  /** The ID of this project's comment, if there is one. */
  readonly commentId: number | undefined
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
    return { kind: 'left-to-other', commentId: undefined, otherAuthor: foreign.author }
  }
  const wanted = renderComment(key, feedback, own?.marker)
  if (!wanted) return { kind: 'none', commentId: own?.id }
  if (own?.marker.digest === wanted.digest) return { kind: 'unchanged', commentId: own.id }
  if (own && (await edit(client, repository, own.id, wanted, operation))) return { kind: 'edited', commentId: own.id }
  // The comment was deleted between reading and editing. Only a report creates a new one.
  if (!wanted.isReport) return { kind: 'none', commentId: undefined }
  const create = async () => {
    const { data } = await client.rest.issues.createComment({ ...repository, issue_number: pullNumber, body: wanted.body })
    return data.id
  }
  try {
    return { kind: 'created', commentId: await callGitHub(operation, create) }
  } catch (error) {
    const made = isUncertain(error) ? (await find()).own : undefined
    if (made) return { kind: 'created', commentId: made.id }
    throw error
  }
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

/** False if the comment was deleted after it was read. */
async function edit(
  client: GitHubClient,
  repository: RepositoryName,
  commentId: number,
  { body }: RenderedComment,
  operation: GitHubOperation,
): Promise<boolean> {
  try {
    await callGitHub(operation, () =>
      client.rest.issues.updateComment({ ...repository, comment_id: commentId, body, request: repeatable }),
    )
    return true
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return false
    throw error
  }
}

async function remove(
  client: GitHubClient,
  repository: RepositoryName,
  commentId: number,
  operation: GitHubOperation,
): Promise<void> {
  try {
    await callGitHub({ ...operation, operation: 'delete comment' }, () =>
      client.rest.issues.deleteComment({ ...repository, comment_id: commentId, request: repeatable }),
    )
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure !== 'not-found') throw error
  }
}
