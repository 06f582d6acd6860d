import type { CliContext, Output } from './cli-context.ts'
import { writeOutput } from './write-output.ts'

/**
 * Runs what prints, and writes to a file what it would have printed on stdout. The file is written whole or not at all.
 *
 * @throws {FilesError} when it cannot be written.
 */
export async function toFile(path: string, context: CliContext, print: (context: CliContext) => Promise<void>): Promise<void> {
  let text = ''
  const stdout: Output = {
    write(part) {
      text += part
    },
    isTerminal: false,
    columns: undefined,
  }
  await print({ ...context, stdout })
  await writeOutput(path, text, context)
}
