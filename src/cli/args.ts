import type { CliContext, Output } from './cli-context.ts'

/**
 * Reads what the process was started with. Nothing else in the CLI looks at the process.
 *
 * A reader that goes away (`| head`) is no error: the rest is not written.
 */
export function readArguments(): { argv: readonly string[]; context: CliContext } {
  return {
    argv: process.argv.slice(2),
    context: {
      workingDirectory: process.cwd(),
      env: process.env,
      stdout: new StreamOutput('stdout'),
      stderr: new StreamOutput('stderr'),
    },
  }
}

/** Opens its stream only when asked for it, as Node makes them on first use and a run seldom needs both. */
class StreamOutput implements Output {
  readonly #name: 'stdout' | 'stderr'
  #stream: NodeJS.WriteStream | undefined
  #isClosed = false

  constructor(name: 'stdout' | 'stderr') {
    this.#name = name
  }

  write(text: string): void {
    const stream = this.#open()
    if (!this.#isClosed) stream.write(text)
  }

  get isTerminal(): boolean {
    return this.#open().isTTY === true
  }

  get columns(): number | undefined {
    return this.#open().columns
  }

  #open(): NodeJS.WriteStream {
    if (this.#stream) return this.#stream
    const stream = process[this.#name]
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#isClosed = true
      if (error.code === 'EPIPE') return
      process.exitCode = 2
      if (this.#name === 'stdout')
        process.stderr.write(`openapi-pages: cannot write the output: ${error.code ?? error.message}\n`)
    })
    this.#stream = stream
    return stream
  }
}
