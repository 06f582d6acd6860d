/** An error with what to do about it. */
class HintedError extends Error {
  readonly hint: string | undefined
  constructor(message: string, { hint, cause }: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.hint = hint
  }
}

/** An invalid flag, input, setting or environment variable. The message names it and the accepted values. */
export class ConfigError extends HintedError {
  override readonly name = 'ConfigError'
}

/** An error of the disk or a process, which no edit of a document can fix. */
export class FilesError extends HintedError {
  override readonly name = 'FilesError'
  readonly path: string
  /** The system's code, such as `ENOSPC` or `EROFS`. */
  readonly code: string | undefined
  constructor(message: string, options: { path: string; code?: string | undefined; hint?: string | undefined; cause?: unknown }) {
    super(message, options)
    this.path = options.path
    this.code = options.code
  }
}

/** Git or the Git server refused an operation. */
export class GitError extends HintedError {
  override readonly name = 'GitError'
  /** A branch rule refused it (GH006, GH013). A pull request may still be possible. */
  readonly isProtected: boolean
  /**
   * The credentials are missing, not accepted, or have no access. The server may also report that the repository does not exist. The hint
   * does not say how to get others.
   */
  readonly lacksAccess: boolean
  constructor(
    message: string,
    options: { hint?: string | undefined; isProtected?: boolean; lacksAccess?: boolean; cause?: unknown } = {},
  ) {
    super(message, options)
    this.isProtected = options.isProtected ?? false
    this.lacksAccess = options.lacksAccess ?? false
  }
}

/** The kinds of failed GitHub requests, by how the caller can react. */
export type GitHubFailure =
  /** 401: the key or token is not accepted. */
  | 'unauthorized'
  /** 403: the installation lacks a permission or is suspended. */
  | 'forbidden'
  /** 403 or 429 because of a limit, or the app's own request budget is used up. Retry after `retryAfterMs`. */
  | 'rate-limited'
  /** 404 or 410: it does not exist, or the installation has no access. */
  | 'not-found'
  /** 403, 409 or 422, or a declined push: a rule or branch protection refuses it. */
  | 'protected'
  /** 409, or the branch has moved. Read again and plan the change again. */
  | 'conflict'
  /** 400 or 422: GitHub rejects the request. Retrying does not help. */
  | 'invalid'
  /** 5xx: GitHub failed. Retry later. */
  | 'unavailable'
  /** No response or an incomplete one. A write may have taken effect. Retry later. */
  | 'unreachable'
  /** An archive or response that is over a limit or invalid. */
  | 'refused'

/** A failed GitHub request. The message has the operation, its target and GitHub's response. The hint has the fix. */
export class GitHubError extends HintedError {
  override readonly name = 'GitHubError'
  readonly failure: GitHubFailure
  /** The HTTP status; absent if there was no response. */
  readonly status: number | undefined
  /** `X-GitHub-Request-Id`, for questions to GitHub Support. */
  readonly requestId: string | undefined
  /** The operation: `create check run`. */
  readonly operation: string
  /** The permission it needs: `checks: write`. */
  readonly permission: string | undefined
  /** The time to wait that GitHub or the app's own request budget requires. */
  readonly retryAfterMs: number | undefined
  constructor(
    message: string,
    options: {
      failure: GitHubFailure
      operation: string
      status?: number | undefined
      requestId?: string | undefined
      permission?: string | undefined
      retryAfterMs?: number | undefined
      hint?: string | undefined
      cause?: unknown
    },
  ) {
    super(message, options)
    this.failure = options.failure
    this.operation = options.operation
    this.status = options.status
    this.requestId = options.requestId
    this.permission = options.permission
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The answer to a question to Git, a host or GitHub. Only a known answer may remove, publish or loosen anything. */
export type Answer<Value> = Known<Value> | Unknown

type Known<Value> = { readonly kind: 'known'; readonly value: Value }

/** Neither yes nor no. `reason` is one line, and `hint` says what to do. */
type Unknown = { readonly kind: 'unknown'; readonly reason: string; readonly hint: string | undefined }

/** Asks a question. The only place where a failure of Git, GitHub or the disk becomes a value, and it is never the value of an answer. */
export async function ask<Value>(question: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { kind: 'known', value: await question() }
  } catch (error) {
    if (!(error instanceof GitError || error instanceof GitHubError || error instanceof FilesError)) throw error
    return { kind: 'unknown', reason: error.message, hint: error.hint }
  }
}

/** The value of an answer, if it is known. For what an unknown one does not change, and is said. */
export function knownValueOf<Value>(answer: Answer<Value> | undefined): Value | undefined {
  return answer?.kind === 'known' ? answer.value : undefined
}

/** The store cannot be opened, read or written. The message names the file and the failed operation. */
export class StoreError extends HintedError {
  override readonly name = 'StoreError'
  /** The database's error code, such as `SQLITE_FULL`. */
  readonly code: string | undefined
  constructor(message: string, options: { code?: string; hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options)
    this.code = options.code
  }
}

/** The code of an error of Node.js or of a library, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** A failed call of a tool for agents. The agent receives the message. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}
