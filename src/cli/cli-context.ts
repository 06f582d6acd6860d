/** One stream of the terminal. */
export interface Output {
  write(text: string): void
  readonly isTerminal: boolean
  /** Characters of a line, where it is a terminal. */
  readonly columns: number | undefined
}

/** All that a command may know and use of its process. */
export interface CliContext {
  /** Absolute, as the shell has it. */
  readonly workingDirectory: string
  readonly env: { readonly [name: string]: string | undefined }
  /** All that comes on standard input. Rejects with {@link FilesError} when that is more than a document may have. */
  readStdin(): Promise<Uint8Array>
  /** Results alone. */
  readonly stdout: Output
  /** Words, errors and progress. */
  readonly stderr: Output
}

/** 0 all is well, 1 findings of error level or pages out of date, 2 the command could not run. */
export type ExitCode = 0 | 1 | 2
