import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]

/** The arguments of a log method. pino has more forms, which a method cannot spread. */
type Line = [object, string]

/**
 * The log of one request, with its ID in each line. It creates pino's child logger for the first line: that takes a quarter of the CPU time of a
 * short request, and most requests log nothing.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: Options
  #child: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get level() {
    return this.#parent.level
  }

  trace(...line: unknown[]): void {
    this.#log.trace(...(line as Line))
  }
  debug(...line: unknown[]): void {
    this.#log.debug(...(line as Line))
  }
  info(...line: unknown[]): void {
    this.#log.info(...(line as Line))
  }
  warn(...line: unknown[]): void {
    this.#log.warn(...(line as Line))
  }
  error(...line: unknown[]): void {
    this.#log.error(...(line as Line))
  }
  fatal(...line: unknown[]): void {
    this.#log.fatal(...(line as Line))
  }
  silent(): void {}

  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.#log.child(bindings, options)
  }

  get #log(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options)
    return this.#child
  }
}
