import { fstatSync, type Stats, statSync, writeSync } from 'node:fs'
import { type OwnedPath, toUserPath } from '../../files/boundary.ts'
import { FilesError } from '../../text/errors.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import type { Questions } from './ask.ts'

/** One stream of the terminal. */
export interface Output {
  write(text: string): void
  readonly isTerminal: boolean
  /** Width of the terminal, if it is one. */
  readonly columns: number | undefined
}

/** The parts of the process that a command may use. */
export interface CliContext {
  /** Absolute, symbolic links not resolved. */
  readonly workingDirectory: OwnedPath
  readonly env: { readonly [name: string]: string | undefined }
  /** Reads standard input. Rejects with {@link FilesError} if it exceeds the largest document size. */
  readStdin(): Promise<Uint8Array>
  /** For results only. */
  readonly stdout: Output
  /** For messages, errors and progress. */
  readonly stderr: Output
  /** Opens questions on stderr. Absent unless stdin and stderr are terminals. */
  readonly openQuestions?: (() => Promise<Questions>) | undefined
}

/** 0 success, 1 errors found or pages out of date, 2 the command could not run. */
export type ExitCode = 0 | 1 | 2

/**
 * Reads the arguments and environment of the process. No other module of the CLI accesses the process.
 *
 * If the reader of the output closes its end (`| head`), the rest is dropped without an error.
 */
export function readArguments(): { argv: readonly string[]; context: CliContext } {
  return {
    argv: process.argv.slice(2),
    context: {
      workingDirectory: toUserPath(process.cwd()),
      env: process.env,
      readStdin,
      stdout: new StreamOutput('stdout'),
      stderr: new StreamOutput('stderr'),
      get openQuestions() {
        const { isatty } = process.getBuiltinModule('node:tty')
        if (!isatty(descriptors.stdin) || !isatty(descriptors.stderr) || process.env['TERM'] === 'dumb') return undefined
        return async () => (await import('./ask.ts')).openQuestions(process.stdin, process.stderr)
      },
    },
  }
}

async function readStdin(): Promise<Uint8Array> {
  const { readWholeBytes, TooLargeError } = await import('../../files/disk-files.ts')
  try {
    // A stream without an encoding yields buffers. The check applies the configured limit.
    return await readWholeBytes(process.stdin as AsyncIterable<Buffer>, { limitBytes: limitBounds['document-size'].most })
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    throw new FilesError(`cannot read standard input: ${error.message}`, { path: '-' })
  }
}

const descriptors = { stdin: 0, stdout: 1, stderr: 2 } as const

/**
 * Writes to files and pipes synchronously, and to terminals through Node's stream.
 *
 * Creating that stream is slow, so it happens only for terminals and for pipes that are full.
 */
class StreamOutput implements Output {
  readonly #name: 'stdout' | 'stderr'
  #stream: NodeJS.WriteStream | undefined
  #isClosed = false

  constructor(name: 'stdout' | 'stderr') {
    this.#name = name
  }

  write(text: string): void {
    if (this.#isClosed || text === '') return
    if (this.#stream || this.#mayBeTerminal()) this.#open().write(text)
    else this.#writeAtOnce(Buffer.from(text))
  }

  get isTerminal(): boolean {
    return this.#mayBeTerminal() && this.#open().isTTY === true
  }

  get columns(): number | undefined {
    return this.#mayBeTerminal() ? this.#open().columns : undefined
  }

  #writeAtOnce(bytes: Buffer): void {
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(descriptors[this.#name], bytes, written)
    } catch (error) {
      const failure = error as NodeJS.ErrnoException // Everything `node:fs` throws has this shape.
      if (failure.code === 'EAGAIN') this.#open().write(bytes.subarray(written))
      else this.#close(failure)
    }
  }

  #mayBeTerminal(): boolean {
    try {
      const stats = fstatSync(descriptors[this.#name])
      return !stats.isFile() && !stats.isFIFO() && !stats.isSocket() && !isNullDevice(stats)
    } catch {
      return true
    }
  }

  #open(): NodeJS.WriteStream {
    if (this.#stream) return this.#stream
    const stream = process[this.#name]
    stream.on('error', (error: NodeJS.ErrnoException) => this.#close(error))
    this.#stream = stream
    return stream
  }

  #close(error: NodeJS.ErrnoException): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (error.code === 'EPIPE') return
    process.exitCode = 2
    if (this.#name === 'stdout') process.stderr.write(`openapi-pages: cannot write the output: ${error.code ?? error.message}\n`)
  }
}

/** Whether the file is the null device. Always false on systems without device numbers. */
function isNullDevice({ rdev }: Stats): boolean {
  return rdev !== 0 && rdev === statSync(process.getBuiltinModule('node:os').devNull).rdev
}
