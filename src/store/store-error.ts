/** The store cannot be opened, read or written. The message says what was tried on which file, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** The engine's code, such as `SQLITE_FULL`. */
  readonly code: string | undefined
  readonly hint: string | undefined
  constructor(message: string, options: { code?: string; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.hint = options.hint
  }
}
