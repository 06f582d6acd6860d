import { basename, dirname, join } from 'node:path'
import type { ChangeThreshold } from '../../changes/change.ts'
import { toUserPath, type UserPath } from '../../files/boundary.ts'
import { readReviewStyles } from '../../site/make/assets/read-site-assets.ts'
import { type ReviewDocument, renderReview, reviewDocs, reviewPages } from '../../site/make/review-site.ts'
import { ConfigError } from '../../text/errors.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import { addReadOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { addComparisonOptions, type ComparisonOptions, failOnOption } from '../base/comparison-options.ts'
import { rejectSource, writeOutput } from '../open/write-output.ts'
import { describeDocument, printSummary, runComparison } from './changes-command.ts'

interface ReviewCommandOptions extends Omit<CommonOptions, 'format' | 'all'>, ComparisonOptions {
  /** `-` is stdout. */
  readonly output: UserPath
  readonly failOn?: readonly ChangeThreshold[]
}

/** The options of `review`. */
export const defineReviewCommand: DefineCommand = (command) => {
  const file = 'write to this file, or to stdout for - (default: review.html)'
  command.option('-o, --output <file>', file, toUserPath, toUserPath('review.html')).addOption(failOnOption())
  addComparisonOptions(command)
  addReadOptions(command)
  return runReviewCommand
}

/** Compares two versions and writes their changed pages. The exit codes are those of `changes`. */
async function runReviewCommand(
  base: string,
  revision: string,
  options: ReviewCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { output, quiet, stripPrefix: ignoredPrefixes, path, tag, matchPath } = options
  const { stdout, workingDirectory: shownFrom } = context
  const isStdout = output === '-'
  if (isStdout && stdout.isTerminal)
    throw new ConfigError('cannot write a web page to the terminal', {
      hint: 'Name a file with --output, or redirect the output',
    })
  if (!isStdout) rejectSource(output, [base, revision], context)
  return await runComparison({ base, revision }, { ...options, all: false, shownFrom }, context, async (compared) => {
    const documents: ReviewDocument[] = []
    const isFiltered = path.length + tag.length > 0 || matchPath !== undefined
    for (const document of compared.documents) {
      const subjects = await reviewPages(document.compared, { ignoredPrefixes, isFiltered })
      documents.push({ title: describeDocument(document), subjects })
    }
    const access = { base: compared.named.base.access, revision: compared.named.revision.access }
    for (const roots of isFiltered ? [] : compared.roots) documents.push(...(await reviewDocs(roots, access)))
    const accept = `openapi-pages accept ${[base, revision].map(quoteForShell).join(' ')} --reason '…' --fingerprint`
    const files = renderReview(documents, {
      accept,
      stylesheet: readReviewStyles(),
      ...(!isStdout && { fileName: basename(output) }),
    })
    for (const [name, html] of files) {
      if (isStdout) stdout.write(html)
      else await writeOutput(toUserPath(join(dirname(output), name)), html, context)
    }
    if (!quiet && !isStdout) printSummary(compared, { ...options, format: 'text' }, context)
  })
}
