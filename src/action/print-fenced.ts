import { randomUUID } from 'node:crypto'

/**
 * Prints text to the log, where it is only text: no line of it is taken for a command to the runner.
 *
 * Source: "Workflow commands for GitHub Actions", "Stopping and starting workflow commands". Nobody can guess the token that
 * starts them again.
 */
export function printFenced(text: string): void {
  const token = randomUUID()
  process.stdout.write(`::stop-commands::${token}\n${text.endsWith('\n') ? text : `${text}\n`}::${token}::\n`)
}
