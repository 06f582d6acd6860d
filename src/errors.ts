/** A flag, input, setting or value of the environment that cannot be used. The message names it and says what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly hint: string | undefined
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
  }
}

/** The disk or a process refused something that no edit of a document can cure. */
export class FilesError extends Error {
  override readonly name = 'FilesError'
  readonly path: string
  /** The system's code, such as `ENOSPC` or `EROFS`. */
  readonly code: string | undefined
  readonly hint: string | undefined
  constructor(message: string, options: { path: string; code?: string | undefined; hint?: string; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.path = options.path
    this.code = options.code
    this.hint = options.hint
  }
}

/** Git, or the server behind it, refused something. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly hint: string | undefined
  /** A rule or a protection of the branch refused it (GH006, GH013): a pull request may still do it. */
  readonly isProtected: boolean
  constructor(message: string, options: { hint?: string; isProtected?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
    this.isProtected = options.isProtected ?? false
  }
}

/** What went wrong with a request to GitHub, told apart by what the caller can do about it. */
export type GitHubFailure =
  /** 401: the key or the token is not accepted. */
  | 'unauthorized'
  /** 403: the installation lacks a permission, or is suspended. */
  | 'forbidden'
  /** 403 or 429 with a limit behind it, or our own budget is used up: worth trying again after `retryAfterMs`. */
  | 'rate-limited'
  /** 404 or 410: gone, or not visible to this installation. */
  | 'not-found'
  /** 403, 409 or 422, or a push that was declined: a rule or a protection of the branch refuses it. */
  | 'protected'
  /** 409, or the branch has moved since: read again and decide anew. */
  | 'conflict'
  /** 400 or 422: GitHub does not accept what was sent; trying again does not help. */
  | 'invalid'
  /** 5xx: GitHub failed; worth trying again later. */
  | 'unavailable'
  /** No answer came, or only part of one; worth trying again later. Whether a write was done is not known. */
  | 'unreachable'
  /** An archive, or an answer, that is over a limit of ours or is not what it should be. */
  | 'refused'

/** GitHub refused or failed. The message says what was tried, on what, and what GitHub said; the hint says what to do. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  readonly failure: GitHubFailure
  /** The HTTP status; absent where no answer came. */
  readonly status: number | undefined
  /** `X-GitHub-Request-Id`, for a question to GitHub's support. */
  readonly requestId: string | undefined
  /** What was tried: `create check run`. */
  readonly operation: string
  /** The permission it needs: `checks: write`. */
  readonly permission: string | undefined
  /** How long GitHub, or our own budget, asks to wait. */
  readonly retryAfterMs: number | undefined
  readonly hint: string | undefined
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
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.failure = options.failure
    this.operation = options.operation
    this.status = options.status
    this.requestId = options.requestId
    this.permission = options.permission
    this.retryAfterMs = options.retryAfterMs
    this.hint = options.hint
  }
}
