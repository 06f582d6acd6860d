import { ConfigError, FilesError } from '../errors.ts'
import { StoreError } from '../store/store-context.ts'
import { runProgram } from './commands/app-program.ts'

/**
 * Runs a command of the app; the default is `serve`.
 *
 * @returns The exit code: 0 for success, 1 if a command found problems, 2 if it could not run.
 */
export async function main(args: readonly string[]): Promise<number> {
  const isUnnamed = args[0] === undefined || args[0].startsWith('-')
  try {
    return await runProgram(isUnnamed ? ['serve', ...args] : args, process.env)
  } catch (error) {
    console.error(toMessage(error))
    return 2
  }
}

/** Shows the hint of an error that the operator can fix, and the stack of any other error. */
function toMessage(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof StoreError) {
    const hint = error.hint === undefined ? '' : `\n  ${error.hint}`
    return `openapi-pages: ${error.message.replace(/^Cannot /, 'cannot ')}${hint}`
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `openapi-pages: ${toListenMessage(error)}`
  return `openapi-pages: unexpected error, please report it\n${error instanceof Error ? error.stack : String(error)}`
}

function toListenMessage(error: Error): string {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number } // A system error of `listen`.
  const where = `${address ?? ''}:${port ?? ''}`
  switch (code) {
    case 'EADDRINUSE':
      return `cannot listen on ${where}: the port is in use\n  Stop the other program, or set PORT to another port`
    case 'EACCES':
      return `cannot listen on ${where}: permission denied\n  Set PORT to 1024 or higher, and use a proxy for lower ports`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `cannot listen on ${where}: this machine has no such address\n  Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses`
    default:
      return `cannot listen on ${where}: ${error.message}`
  }
}
