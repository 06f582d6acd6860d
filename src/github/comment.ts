import { GitHubError } from '../errors.ts'
import type { Feedback, ReportedSite } from '../report/feedback.ts'
import {
  type CommentMarker,
  parseCommentMarker,
  type RenderedComment,
  renderFailureComment,
  renderFixedComment,
} from '../report/render-comment.ts'
import { callGitHub, type GitHubOperation } from './call-github.ts'
import { repeatable } from './request-pace.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What to tell a pull request. */
export type CommentContent =
  /** Errors: said in a comment of its own, or in the one that is there. */
  | { readonly kind: 'failure'; readonly feedback: Feedback }
  /** None: an earlier comment of ours says that it is fixed; without one nothing is said. */
  | { readonly kind: 'success'; readonly headSha: string; readonly site?: ReportedSite | undefined }

/** What was done. */
export interface CommentResult {
  /** `left-to-other`: app or Action, whichever this is not, comments on this pull request already. */
  readonly kind: 'created' | 'edited' | 'unchanged' | 'none' | 'left-to-other'
  /** The comment's number, where there is one of ours. */
  readonly commentId: number | undefined
  /** Whose comment is there, of `left-to-other`. */
  readonly otherAuthor?: string
}

/** Whose comments are ours: those of an app, or those of whoever the token belongs to. */
export type CommentAuthor = { readonly kind: 'app'; readonly appId: number } | { readonly kind: 'token' }

/**
 * Keeps the one comment of a project on a pull request true: creates it when there is something to say, edits it only when what it
 * says changes, and never adds a second. App and Action never both comment: the comment that was there first stays, and where both began
 * at once the later one is taken away by its owner.
 *
 * A comment is ours when we wrote it and it begins with the marker of this key; a person who copies the marker changes nothing.
 * Every page of comments is read first.
 *
 * @throws {GitHubError} also where the conversation is locked (`forbidden`).
 */
export async function syncComment(
  client: GitHubClient,
  repository: RepositoryName,
  comment: {
    readonly pullNumber: number
    /** `toCommentKey(root)`. */
    readonly key: string
    readonly author: CommentAuthor
    readonly content: CommentContent
  },
): Promise<CommentResult> {
  const { pullNumber, key, content } = comment
  const about: GitHubOperation = {
    operation: 'write comment',
    on: `\`${repository.owner}/${repository.repo}#${pullNumber}\``,
    permission: 'pull_requests: write',
  }
  const find = () => callGitHub({ ...about, operation: 'read comments' }, () => findComments(client, repository, comment))
  const { own, foreign } = await find()
  if (foreign && !(own && own.id < foreign.id)) {
    if (own) await remove(client, repository, own.id, about)
    return { kind: 'left-to-other', commentId: undefined, otherAuthor: foreign.author }
  }
  const wanted = render(key, content, own?.marker)
  if (!wanted) return { kind: 'none', commentId: own?.id }
  if (own?.marker.digest === wanted.digest) return { kind: 'unchanged', commentId: own.id }
  if (own && (await edit(client, repository, own.id, wanted, about))) return { kind: 'edited', commentId: own.id }
  // Deleted between reading and editing: only what is wrong is said anew.
  if (content.kind === 'success') return { kind: 'none', commentId: undefined }
  const create = async () => {
    const { data } = await client.rest.issues.createComment({ ...repository, issue_number: pullNumber, body: wanted.body })
    return data.id
  }
  try {
    return { kind: 'created', commentId: await callGitHub(about, create) }
  } catch (error) {
    const isUncertain = error instanceof GitHubError && (error.failure === 'unreachable' || error.failure === 'unavailable')
    // The request may have been acted on although no answer came: a second one would be a second comment.
    const made = isUncertain ? (await find()).own : undefined
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
  // Most pull requests have none, and then nobody needs to know who we are.
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
    // A workflow may also comment with the token of a person who works on the repository; a stranger's copy counts for nothing.
    else if (isBot || trustedAuthors.has(comment.author_association)) {
      foreign ??= { id: comment.id, marker, author: comment.user?.login ?? 'somebody' }
    }
  }
  return { own, foreign }
}

/** Who a token is: a person, or the bot of an app such as `github-actions[bot]`, which REST tells neither of. */
async function readViewer(client: GitHubClient): Promise<string> {
  const { viewer } = await client.graphql<{ viewer: { login: string } }>(viewerQuery)
  return viewer.login
}

/** Asks who a token is. */
export const viewerQuery = 'query { viewer { login } }'

/** GraphQL names a bot with `[bot]` or without, by its mood; a person of the same name is no bot. */
function isSameAccount(user: { readonly login: string; readonly type: string }, viewer: string): boolean {
  const bare = (login: string) => login.replace(/\[bot\]$/, '')
  return bare(user.login) === bare(viewer) && (user.type === 'Bot' || !viewer.endsWith('[bot]'))
}

const trustedAuthors: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

function render(key: string, content: CommentContent, previous: CommentMarker | undefined): RenderedComment | undefined {
  if (content.kind === 'failure') return renderFailureComment(key, content.feedback)
  return previous && renderFixedComment(key, content, previous)
}

/** False where the comment was deleted since it was read. */
async function edit(
  client: GitHubClient,
  repository: RepositoryName,
  commentId: number,
  { body }: RenderedComment,
  about: GitHubOperation,
): Promise<boolean> {
  try {
    await callGitHub(about, () =>
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
  about: GitHubOperation,
): Promise<void> {
  try {
    await callGitHub({ ...about, operation: 'delete comment' }, () =>
      client.rest.issues.deleteComment({ ...repository, comment_id: commentId, request: repeatable }),
    )
  } catch (error) {
    if (!(error instanceof GitHubError) || error.failure !== 'not-found') throw error
  }
}
