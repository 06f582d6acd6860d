import { type Command, Option } from 'commander'
import { changeThresholds, type StabilityLevel, stabilityLevels } from '../../changes/change.ts'
import { isDays } from '../../docs/config/project-config.ts'
import { ConfigError } from '../../text/errors.ts'
import { choiceOption, collect, overlayOption, repeatable } from './command-options.ts'

/** The options of the commands that compare two versions of a description. They decide which changes there are. */
export interface ComparisonOptions {
  /** Paths with `*`; empty for all. */
  readonly path: readonly string[]
  /** Matches a part of the path. */
  readonly matchPath?: RegExp
  /** Names of tags; empty for all. */
  readonly tag: readonly string[]
  /** Beginnings of paths, without a slash at the end. See `CompareOptions.ignoredPrefixes`. */
  readonly stripPrefix: readonly string[]
  /** Overlays that apply to both versions of a document, as written by the user. */
  readonly overlay: readonly string[]
  /** Replaces the setting `changes.stability`. */
  readonly stabilityLevel?: StabilityLevel
  /** These replace the settings in `changes.deprecationDays`. */
  readonly deprecationDaysBeta?: number
  readonly deprecationDaysStable?: number
}

/** The option `--fail-on`. */
export function failOnOption(): Option {
  return repeatable(
    choiceOption(
      '--fail-on <level>',
      'exit with code 1 for changes of this level or worse: breaking, risky, any, never; or for those that break a recorded client: client; or may: client-unknown (repeatable; default: `changes.failOn`, or never)',
      changeThresholds,
    ),
  )
}

/** Adds the options in {@link ComparisonOptions}. */
export function addComparisonOptions(command: Command): void {
  command
    .option('--path <pattern>', 'compare only operations with this path; `*` matches any characters (repeatable)', collect, [])
    .option('--match-path <regex>', 'compare only operations with a path that this regular expression matches', parsePattern)
    .option('--tag <name>', 'compare only operations with this tag (repeatable)', collect, [])
    .addOption(
      new Option('--strip-prefix <path>', 'ignore this beginning of paths, such as /v1 (repeatable)')
        .argParser(collectPrefix)
        .default([], 'none'),
    )
    .addOption(overlayOption())
    .addOption(
      choiceOption(
        '--stability-level <level>',
        'lowest `x-stability-level` to compare: draft, alpha, beta, stable (default: `changes.stability`, or beta)',
        stabilityLevels,
      ),
    )
    .option(
      '--deprecation-days-beta <days>',
      'shortest time from a deprecation to its `x-sunset`, for beta operations (default: `changes.deprecationDays.beta`, or 0)',
      (value) => parseDays(value, '--deprecation-days-beta'),
    )
    .option(
      '--deprecation-days-stable <days>',
      'the same for stable operations (default: `changes.deprecationDays.stable`, or 0)',
      (value) => parseDays(value, '--deprecation-days-stable'),
    )
}

function parsePattern(value: string): RegExp {
  try {
    return new RegExp(value, 'u')
  } catch {
    throw new ConfigError(`cannot read \`${value}\` for --match-path, expected a regular expression`)
  }
}

function collectPrefix(value: string, before: readonly string[]): readonly string[] {
  const prefix = value.replace(/(?<!\/)\/+$/, '')
  if (prefix.startsWith('/') && !prefix.includes('{')) return [...before, prefix]
  const reason = value.includes('{') ? 'a path without parameters' : 'the beginning of a path, such as /v1'
  throw new ConfigError(`unexpected \`${value}\` for --strip-prefix, expected ${reason}`)
}

function parseDays(value: string, name: string): number {
  const days = /^\d+$/.test(value) ? Number(value) : undefined
  if (isDays(days)) return days
  throw new ConfigError(`unexpected \`${value}\` for ${name}, expected a number of days`)
}
