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
      stdout: toOutput(process.stdout),
      stderr: toOutput(process.stderr),
    },
  }
}

function toOutput(stream: NodeJS.WriteStream): Output {
  let closed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true
    if (error.code === 'EPIPE') return
    process.exitCode = 2
    if (stream !== process.stderr)
      process.stderr.write(`openapi-pages: cannot write the output: ${error.code ?? error.message}\n`)
  })
  return {
    write(text) {
      if (!closed) stream.write(text)
    },
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
  }
}
