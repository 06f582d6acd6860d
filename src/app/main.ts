import { ConfigError, FilesError } from '../errors.ts'
import { StoreError } from '../store/store-context.ts'
import { runProgram } from './commands/app-program.ts'

/**
 * Runs one command of the app: `serve` unless named.
 *
 * Resolves with the exit code: 0, 1 where a command found something wrong, 2 where it could not do its work.
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

/** Problems that the operator can fix are explained; any other error is printed with its stack. */
function toMessage(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof StoreError) {
    const hint = error.hint === undefined ? '' : `\n  ${error.hint}`
    return `openapi-pages: ${error.message}${hint}`
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
      return `cannot listen on ${where}: another program does\n  stop it, or set PORT to another one`
    case 'EACCES':
      return `cannot listen on ${where}: not allowed\n  set PORT to 1024 or higher, and let a proxy have the low one`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `cannot listen on ${where}: this machine has no such address\n  set HOST to 127.0.0.1, or to 0.0.0.0 for all`
    default:
      return `cannot listen on ${where}: ${error.message}`
  }
}
