import { randomUUID } from 'node:crypto'

/**
 * Prints text to the log so that the runner never interprets a line of it as a workflow command.
 *
 * Only text that could be a command is put between `::stop-commands::` and its random token: those two lines are visible in the log.
 * Source: "Workflow commands for GitHub Actions", "Stopping and starting workflow commands".
 */
export function printText(text: string): void {
  const block = text.endsWith('\n') ? text : `${text}\n`
  if (!mayBeCommand(block)) process.stdout.write(block)
  else {
    const token = randomUUID()
    process.stdout.write(`::stop-commands::${token}\n${block}::${token}::\n`)
  }
}

/**
 * Whether the runner could read a line as a command: after trimming it begins with `::`, or it contains `##[`. Source: `ActionCommand` of
 * the runner. It compares text by the rules of ICU, which skip invisible characters, so they are removed here first.
 */
function mayBeCommand(text: string): boolean {
  return text.split(/[\r\n\v\f\x85\u2028\u2029]/).some((line) => {
    const visible = line.replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    return /^\s*::/.test(visible) || visible.includes('##[')
  })
}
