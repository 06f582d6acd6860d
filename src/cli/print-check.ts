import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { formatGithub } from '../diagnostic/format-github.ts'
import { formatJson } from '../diagnostic/format-json.ts'
import type { SourceFile } from '../text/source-file.ts'
import { packageVersion } from '../update/package-version.ts'
import type { CliContext } from './cli-context.ts'
import type { CheckCommandOptions } from './command-options.ts'
import { describeUnreadable } from './describe-unreadable.ts'
import { isUnreadable } from './is-unreadable.ts'
import { printFindings } from './print-findings.ts'

export interface PrintedCheck {
  /** What a person is told as errors of the command. */
  readonly unreadable: readonly Diagnostic[]
  readonly findings: readonly Diagnostic[]
  /** Both, as a program is told of them. */
  readonly all: readonly Diagnostic[]
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** Prints what a check found in the format that was asked for. */
export async function printCheck(
  { unreadable, findings, all, sources }: PrintedCheck,
  options: CheckCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout, stderr } = context
  for (const diagnostic of unreadable) stderr.write(describeUnreadable(diagnostic))
  if (options.format === 'json') stdout.write(formatJson(all))
  else if (options.format === 'sarif') {
    const { formatSarif } = await import('../diagnostic/format-sarif.ts')
    stdout.write(formatSarif(all, { version: packageVersion, isComplete: !all.some(isUnreadable) }))
  } else if (options.format === 'github') stdout.write(formatGithub(all))
  else await printFindings(stdout, { diagnostics: findings, sources }, options, context)
}
