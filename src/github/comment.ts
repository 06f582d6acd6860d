import { GitHubError } from '../errors.ts'
import type { Feedback } from '../report/feedback.ts'
import {
  type CommentMarker,
  parseCommentMarker,
  type RenderedComment,
  renderFailureComment,
  renderFixedComment,
} from '../report/render-comment.ts'
import { callGitHub, type GitHubOperation } from './call-github.ts'
import { repeatable } from './pace-requests.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What to tell a pull request. */
export type CommentContent =
  /** Errors: said in a comment of its own, or in the one that is there. */
  | { readonly kind: 'failure'; readonly feedback: Feedback }
  /** None: an earlier comment of ours says that it is fixed; without one nothing is said. */
  | { readonly kind: 'success'; readonly headSha: string }

/** What was done. */
export interface CommentResult {
  /** `left-to-action`: the Action comments on this pull request already. */
  readonly kind: 'created' | 'edited' | 'unchanged' | 'none' | 'left-to-action'
  /** The comment's number, where there is one of ours. */
  readonly commentId: number | undefined
}

/**
 * Keeps the one comment of a project on a pull request true: creates it when there is something to say, edits it only when what it
 * says changes, and never adds a second, nor one beside that of the Action.
 *
 * A comment is ours when the app wrote it and it begins with the marker of this key; a person who copies the marker changes nothing.
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
    /** The app whose comments are ours. */
    readonly appId: number
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
  if (!own && foreign) return { kind: 'left-to-action', commentId: undefined }
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
  { pullNumber, key, appId }: { readonly pullNumber: number; readonly key: string; readonly appId: number },
): Promise<{ own: FoundComment | undefined; foreign: FoundComment | undefined }> {
  const comments = await client.paginate(client.rest.issues.listComments, {
    ...repository,
    issue_number: pullNumber,
    per_page: 100,
  })
  let own: FoundComment | undefined
  let foreign: FoundComment | undefined
  for (const comment of comments) {
    const marker = parseCommentMarker(comment.body ?? '')
    if (marker?.key !== key) continue
    const isBot = comment.user?.type === 'Bot'
    if (isBot && comment.performed_via_github_app?.id === appId) own ??= { id: comment.id, marker }
    // A workflow may also comment with the token of a person who works on the repository; a stranger's copy counts for nothing.
    else if (isBot || trustedAuthors.has(comment.author_association)) foreign ??= { id: comment.id, marker }
  }
  return { own, foreign }
}

const trustedAuthors: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

function render(key: string, content: CommentContent, previous: CommentMarker | undefined): RenderedComment | undefined {
  if (content.kind === 'failure') return renderFailureComment(key, content.feedback)
  return previous && renderFixedComment(key, content.headSha, previous)
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
