import { formatCount } from '../../diagnostics/diagnostic.ts'
import { ConfigError } from '../../errors.ts'
import { hashContent } from '../../files/output-folder.ts'
import { buildSite } from '../../site/build/build-site.ts'
import { readSiteAssets } from '../../site/build/read-site-assets.ts'
import { createSiteScore, type SiteScore } from '../../site/build/score-site.ts'
import { escapeText, toSafeJson } from '../../source/escape-text.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import {
  addColorOptions,
  addServerNetworkOptions,
  type CommonOptions,
  type DefineCommand,
  formatOption,
  type ServerOptions,
} from '../command-options.ts'
import { choosePalette } from '../output/terminal.ts'
import { openSite } from '../site-root.ts'

interface ScoreCommandOptions extends ServerOptions, Pick<CommonOptions, 'quiet' | 'color'> {
  readonly format: 'text' | 'json'
  /** The least score with exit code 0. */
  readonly min?: number
}

/** Sites need a URL for their sitemap. The score does not depend on it. */
const scoredUrl = 'https://site.invalid/'

/** The options, help and action of `score`. */
export const defineScoreCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Scores from 0 to 100 how well agents can use the site of a docs.json or OpenAPI document. Builds the site in memory, and names each ' +
        'lost point with its fix. Reads only files, so the score is the same on every machine.',
    )
    .option('--min <score>', 'exit with code 1 if the score is lower, from 0 to 100', readMinimum)
    .addOption(formatOption('output format: text, json (default: text)', ['text', 'json']).default('text'))
    .option('--quiet', 'print only checks that lost points', false)
    .option('--boundary <directory>', 'do not read files outside this directory (default: the Git work tree)')
  addServerNetworkOptions(command)
  addColorOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages score                 Score the site of the docs.json, or of the only OpenAPI document
  openapi-pages score docs --min 90   Fail in CI below 90 points
  openapi-pages score docs --format json

Exit codes: 0 success, 1 score below --min, 2 the command could not run.`,
    )
    .action(async (root: string, options: ScoreCommandOptions) => {
      end(await runScoreCommand(root, options, context))
    })
}

/** @throws {ConfigError} unless it is a number from 0 to 100. */
function readMinimum(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100) {
    throw new ConfigError(`unexpected value ${text} for --min, expected a number from 0 to 100`)
  }
  return Number(text)
}

async function runScoreCommand(given: string, options: ScoreCommandOptions, context: CliContext): Promise<ExitCode> {
  const opened = await openSite(given, 'score', options, context)
  if (!opened) return 2
  const { source, workspace, progress } = opened
  const { root, environment, madeFiles } = source
  const score = createSiteScore()
  // Changelogs are left out: they depend on the depth of the clone.
  const built = await buildSite(
    { root, base: '/', url: scoredUrl, assets: readSiteAssets().paths, isPreview: false, ...(madeFiles && { madeFiles }) },
    environment,
    (file) => {
      score.add(file)
      return hashContent(file.content)
    },
  )
  progress.clear()
  if (built.pageCount === 0) {
    const { diagnostics } = await workspace.show(built.diagnostics)
    const [first] = diagnostics.filter(({ severity }) => severity === 'error')
    throw new ConfigError(`cannot score ${given}: its site has no pages${first ? `: ${first.file}: ${first.message}` : ''}`, {
      hint: 'Run `openapi-pages build` to see all problems',
    })
  }
  const result = score.finish({ ...built, diagnostics: (await workspace.show(built.diagnostics)).diagnostics })
  if (options.format === 'json') context.stdout.write(`${toSafeJson({ version: 1, ...result })}\n`)
  else printScore(result, options, context)
  return options.min !== undefined && result.score < options.min ? 1 : 0
}

function printScore({ score, checks }: SiteScore, options: ScoreCommandOptions, context: CliContext): void {
  const { stdout } = context
  const palette = choosePalette(stdout, context, options.color)
  for (const { title, points, maxPoints, message, fix, examples } of checks) {
    const isFull = points === maxPoints
    if (isFull && options.quiet) continue
    const mark = isFull ? palette.success('✔') : palette.warning('!')
    stdout.write(`${mark} ${`${points}/${maxPoints}`.padStart(5)}  ${escapeText(`${title}: ${message}`)}\n`)
    if (fix !== null) stdout.write(`         ${escapeText(fix)}\n`)
    for (const example of examples) stdout.write(`         ${escapeText(example)}\n`)
  }
  const lost = checks.filter(({ points, maxPoints }) => points < maxPoints).length
  const isEnough = options.min === undefined || score >= options.min
  const minimum = options.min === undefined ? '' : `, at least ${options.min} expected`
  const summary = `${score} of 100${minimum}${lost === 0 ? '' : `, ${formatCount(lost, 'check')} lost points`}`
  stdout.write(`\n${isEnough ? palette.success(`✔ ${summary}`) : palette.error(`✖ ${summary}`)}\n`)
}
