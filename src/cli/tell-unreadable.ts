import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import type { Output } from './cli-context.ts'
import { describeUnreadable } from './describe-unreadable.ts'
import { splitUnreadable } from './is-unreadable.ts'

/** Tells, as errors of the command, the arguments that could not be read; gives the findings that are left to show. */
export function tellUnreadable(diagnostics: readonly Diagnostic[], output: Output): Diagnostic[] {
  const { unreadable, findings } = splitUnreadable(diagnostics)
  for (const diagnostic of unreadable) output.write(describeUnreadable(diagnostic))
  return findings
}
