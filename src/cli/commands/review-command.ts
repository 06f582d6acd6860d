import { join } from 'node:path'
import { type ChangeThreshold, countChanges } from '../../changes/change.ts'
import { formatLevels } from '../../changes/show/changes-text.ts'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { toUserPath, type UserPath } from '../../files/boundary.ts'
import { readReviewStyles } from '../../site/make/assets/read-site-assets.ts'
import { type ReviewDocument, renderReview } from '../../site/page/review/review-page.tsx'
import { reviewPages } from '../../site/page/review/review-subjects.tsx'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { quoteForShell } from '../base/command-line.ts'
import { addReadOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { addComparisonOptions, type ComparisonOptions } from '../base/comparison-options.ts'
import { type ComparedVersions, compareNamed } from '../open/compare-named.ts'
import { rejectSource, writeOutput } from '../open/write-output.ts'
import { choosePalette, createProgress } from '../print/terminal.ts'
import { createFails, failOnOption, warnAboutErrors } from './changes-command.ts'

interface ReviewCommandOptions extends Omit<CommonOptions, 'format' | 'all'>, ComparisonOptions {
  /** `-` is stdout. */
  readonly output: UserPath
  readonly failOn?: ChangeThreshold
}

/** The options of `review`. */
export const defineReviewCommand: DefineCommand = (command) => {
  command
    .option(
      '-o, --output <file>',
      'write to this file, or to stdout for - (default: review.html)',
      toUserPath,
      toUserPath('review.html'),
    )
    .addOption(failOnOption())
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
  const { output, quiet } = options
  const { stdout, stderr } = context
  if (output === '-' && stdout.isTerminal) {
    throw new ConfigError('cannot write a web page to the terminal', {
      hint: 'Name a file with --output, or redirect the output',
    })
  }
  const progress = createProgress(stderr, quiet)
  const compareOptions = { ...options, all: false, shownFrom: context.workingDirectory }
  const compared = await compareNamed({ base, revision }, compareOptions, context, progress)
  const isComplete = compared?.documents.every(({ comparison }) => comparison) === true
  if (!compared || (!isComplete && !compared.isDirectory)) return 2
  const { documents } = compared
  if (output !== '-') rejectSource(output, listSources(compared), context)
  progress.step('rendering pages')
  const reviewed: ReviewDocument[] = []
  for (const { document, kind, comparison, checks, checkedChanges } of documents) {
    const changes = comparison?.changes.flatMap((shown, index) => {
      const checked = checkedChanges[index]
      return checked ? [{ shown, checked }] : []
    })
    const pages = changes && (await reviewPages(checks, changes, options.stripPrefix))
    reviewed.push({ document, kind, comparison, pages })
  }
  const named = [base, revision].map(quoteForShell).join(' ')
  const html = renderReview(reviewed, {
    stylesheet: readReviewStyles(),
    toAcceptCommand: (fingerprint) => `openapi-pages accept ${named} --fingerprint ${fingerprint} --reason '…'`,
  })
  progress.clear()
  if (output === '-') stdout.write(html)
  else {
    const verb = (await writeOutput(output, html, context)) === 'unchanged' ? 'is up to date' : 'written'
    const changes = documents.flatMap(({ comparison }) => comparison?.changes ?? [])
    const facts = [
      formatLevels(countChanges(changes)),
      formatCount(reviewed.flatMap(({ pages }) => pages?.subjects ?? []).length, 'page'),
    ]
    const palette = choosePalette(stderr, context, options.color)
    const line = `${palette.success(`✔ ${escapeText(output)} ${verb}`)} ${palette.dim(`(${facts.filter(Boolean).join(', ')})`)}\n`
    if (!quiet) stderr.write(line)
  }
  if (!quiet) for (const document of documents) warnAboutErrors(document, compared, context)
  if (!isComplete) return 2
  const fails = createFails(documents, options)
  return documents.some(({ comparison }) => comparison?.changes.some(fails)) ? 1 : 0
}

/** The files on the disk that are compared. */
function listSources({ documents, named }: ComparedVersions): readonly string[] {
  return (['base', 'revision'] as const).flatMap((side) => {
    const { revision, workspace } = named[side]
    const files = documents.flatMap(({ checks }) => [...(checks[side]?.documents.keys() ?? [])])
    return revision === undefined ? files.map((file) => (isUrl(file) ? file : join(workspace.boundary, file))) : []
  })
}
