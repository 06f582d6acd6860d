import { ConfigError, FilesError, StoreError } from '../text/errors.ts'
import { runProgram } from './commands/app-program.ts'
import { explainSystemError } from './commands/explain-system-error.ts'
import type { Environment } from './commands/with-store.ts'

/**
 * Runs a command of the app; the default is `serve`.
 *
 * @returns The exit code: 0 for success, 1 if a command found problems, 2 if it could not run.
 */
export async function main(args: readonly string[], env: Environment = process.env): Promise<number> {
  const isUnnamed = args[0] === undefined || (args[0].startsWith('-') && args[0] !== '--version')
  try {
    return await runProgram(isUnnamed ? ['serve', ...args] : args, env)
  } catch (error) {
    console.error(toMessage(error))
    return 2
  }
}

/** Shows the hint of an error that the operator can fix, and the stack of any other error. */
function toMessage(error: unknown): string {
  const isExplained = error instanceof ConfigError || error instanceof FilesError || error instanceof StoreError
  const known = isExplained ? { message: error.message, fix: error.hint } : explainSystemError(error)
  if (!known) return `openapi-pages: unexpected error, please report it\n${error instanceof Error ? error.stack : String(error)}`
  const hint = known.fix === undefined ? '' : `\n  ${known.fix}`
  return `openapi-pages: ${known.message.replace(/^Cannot /, 'cannot ')}${hint}`
}
