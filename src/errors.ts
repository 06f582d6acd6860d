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
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
  }
}
