import {
  type ChangeCode,
  type ChangeLevel,
  changeCodes,
  levelSettings,
  type StabilityLevel,
  stabilityLevels,
} from '../../changes/change.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { resolveEscapes } from '../../openapi/public/restriction-marks.ts'
import { isObject, pointerChild, readOwn, setOwn, stringOf } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { capLimits, defaultLimits, type LimitValues } from '../../text/plain/limits.ts'
import { lazy, listChoices } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { audiences, toReaders } from './audience-settings.ts'
import {
  type ByLabel,
  changeThreshold,
  choice,
  defaultsOf,
  flag,
  type Kind,
  methodOrders,
  oneOf,
  orders,
  orFalse,
  overviewPages,
  type Place,
  perDivision,
  readEntries,
  type Setting,
  type Settings,
  schemaPages,
  section,
  single,
  unknownKey,
  type Values,
} from './config-setting.ts'
import { ignore, limits, rules } from './rule-settings.ts'
import { rulesets } from './ruleset-settings.ts'
import { sources } from './source-settings.ts'
import { isDay, relativePath, relativeTo, traffic } from './traffic-settings.ts'

export { isDay, toReaders }

const tagPattern: Kind<string | undefined> = {
  expected: 'the name of a tag with one `*` for the version',
  code: 'wrong-value',
  schema: { type: 'string', pattern: '^[^*]*\\*[^*]*$' },
  hint: () => 'Use a pattern, for example `tags: api-v*`',
  toValue: (written) => /^[^*]*\*[^*]*$/.exec(stringOf(written) ?? '')?.[0],
}

const baselinePath = { ...relativePath, hint: () => 'Use a path, for example `baseline: openapi-baseline.json`' }

const baseline = relativeTo(
  single<string | undefined>(baselinePath, {
    description: 'File with known problems that are not reported again, relative to the configuration file',
    see: 'Baseline',
    shownDefault: 'none',
    example: 'openapi-baseline.json',
    byDefault: undefined,
  }),
  (path, toPath) => path && toPath(path),
)

const editorUrl: Kind<string | undefined> = {
  expected: 'a URL with `http` or `https`',
  code: 'wrong-value',
  schema: { type: 'string', pattern: '^https?://' },
  hint: () => 'Use the URL that edits the repository, for example `https://git.example.com/acme/docs/edit/main/`',
  toValue: (written) => {
    const text = stringOf(written) ?? ''
    return /^https?:\/\//.test(text) ? URL.parse(text)?.href.replace(/\/?$/, '/') : undefined
  },
}

const basePath: Kind<string | undefined> = {
  expected: 'a path such as `/docs/`',
  code: 'wrong-value',
  schema: { type: 'string', pattern: '^/' },
  hint: () => 'Use the path of the site on its host, for example `base: /docs/`',
  toValue: (written) => (typeof written === 'string' ? toBasePath(written) : undefined),
}

/** A path with one `/` at its start and end; `undefined` if it cannot be that of a site. */
export function toBasePath(written: string): string | undefined {
  const steps = written.split('/').filter((step) => step !== '')
  if (!/^[\w./~%@+,;=!()$&*-]*$/.test(written) || steps.some((step) => step === '.' || step === '..')) return undefined
  return steps.length === 0 ? '/' : `/${steps.join('/')}/`
}

const languageTag: Kind<string | undefined> = {
  expected: 'a language tag, such as `de` or `pt-BR`',
  code: 'wrong-value',
  schema: { type: 'string', pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' },
  hint: () => 'Use the tag of the language, for example `language: de`',
  toValue: (written) => readLanguageTag(stringOf(written) ?? ''),
}

const feedback: Kind<string | false> = {
  expected: '`false` or a URL with `https`',
  code: 'wrong-value',
  schema: { anyOf: [{ enum: [false] }, { type: 'string', pattern: '^https://' }] },
  meanings: {
    false: 'pages do not ask',
    'https://example.com/feedback': 'your server',
  },
  hint: () => 'Use the URL of your server, for example `https://example.com/feedback`',
  toValue: (written) => {
    if (written === false) return false
    const url = URL.parse(stringOf(written) ?? '')
    return url && url.username === '' && url.password === '' && toOrigin(url.origin) !== undefined ? url.href : undefined
  },
}

/** More would make each page longer. */
const maxOrigins = 10

const origins: Kind<readonly string[]> = {
  expected: `a list of at most ${maxOrigins} servers, such as \`https://analytics.example.com\``,
  code: 'wrong-value',
  schema: { type: 'array', maxItems: maxOrigins, items: { type: 'string', pattern: '^https://[^/]+/?$' } },
  hint: () => 'Write each server as `https://` and its name, without a path',
  toValue: (written) => {
    if (!Array.isArray(written) || written.length > maxOrigins) return undefined
    const read = written.map(toOrigin)
    return read.every((origin) => origin !== undefined) ? read : undefined
  },
}

/** The origin of an `https` URL that is nothing more than an origin. */
function toOrigin(written: unknown): string | undefined {
  const url = URL.parse(stringOf(written) ?? '')
  return url?.protocol === 'https:' && url.href === `${url.origin}/` && !/[\s;,*]/.test(url.origin) ? url.origin : undefined
}

const days: Kind<number> = {
  expected: 'a number of days, 0 or more',
  code: 'wrong-value',
  schema: { type: 'integer', minimum: 0, maximum: 10_000 },
  toValue: (written) => (isDays(written) ? written : undefined),
}

/** Whether a value is a number of days that a deprecation can last. */
export function isDays(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000
}

const changeLevel = orFalse(oneOf(levelSettings), levelSettings)

const changeLevels = Object.fromEntries(
  Object.entries(changeCodes).map(([code, { title }]) => [
    code,
    single<ChangeLevel | 'off' | undefined>(changeLevel, { description: title, byDefault: undefined }),
  ]),
)

const levelsExample = 'tag-removed: off'

const levels: Setting<{ readonly [code in ChangeCode]?: ChangeLevel | 'off' }> = {
  description: 'Levels of API changes by code: breaking, risky, compatible or off',
  example: levelsExample,
  keys: changeLevels,
  byDefault: {},
  read: (written, place) => {
    const entries = readEntries(written, place, {
      keys: changeLevels,
      example: levelsExample,
      expected: `a mapping from change codes to ${changeLevel.expected}`,
      unknown: (code) => `code \`${code}\`, expected a code from docs/change-codes.md`,
    })
    return entries && Object.fromEntries(entries)
  },
}

/** The looks of sites: their corners, density, font and sidebar. */
const looks = choice({
  clear: 'system fonts, lines instead of boxes',
  compact: 'more on each screen, the font Inter',
  soft: 'larger text, more space',
})

/** The name of a look. */
export type LookName = NonNullable<ReturnType<typeof looks.toValue>>

/** The keys of the configuration file, in the order of the reference. */
export const settings = {
  materialize: perDivision(flag, {
    description: 'Which divisions have page files. The docs host generates the pages of the others',
    byDefault: true,
  }),
  order: perDivision(orders, { description: 'The order of groups and of the pages in them', byDefault: 'tags' }),
  methodOrder: perDivision(methodOrders, { description: 'The order of the operations of one path', byDefault: 'fixed' }),
  unlisted: perDivision(
    choice({
      report: 'an info',
      add: 'a page and an entry after the listed ones',
      ignore: 'no report and no page',
    }),
    { description: 'Operations that are missing from a division with hand-written page lists', byDefault: 'report' },
  ),
  renames: single(flag, {
    description: 'Whether pages follow renamed operations by similarity',
    see: 'Renames',
    byDefault: true,
  }),
  schemas: perDivision(schemaPages, { description: 'Pages for schemas', example: 'true', byDefault: false }),
  overviews: perDivision(overviewPages, {
    description: 'Pages with the description and operations of an API or group',
    byDefault: 'site',
  }),
  sources,
  update: section(
    { description: 'Settings for updates', example: 'onError: operation' },
    {
      onError: single(
        choice({
          document: 'all pages of the document',
          operation: 'only the pages of operations that an error affects',
        }),
        { description: 'Which pages are not updated if a document has errors', see: 'Errors', byDefault: 'document' },
      ),
      remove: single(flag, {
        description:
          'Whether an update may remove more than a third of the pages of a division (at least 5) that a document at a URL or in another repository no longer has',
        byDefault: false,
      }),
    },
  ),
  github: section(
    { description: 'What the app does on GitHub. `comment` also applies to the Action', example: 'comment: off' },
    {
      check: single(
        choice({
          failure: 'fails, which blocks a merge that requires the check',
          neutral: 'shows the errors and blocks nothing',
          off: 'checks nothing and reports the check as skipped',
        }),
        { description: 'Conclusion of the check if there are errors', byDefault: 'failure' },
      ),
      comment: single(
        choice({
          failure: 'one on pull requests with errors',
          off: 'no comment',
        }),
        { description: 'Comments on pull requests', byDefault: 'failure' },
      ),
      'commit-status': single(flag, {
        description: 'A commit status like the check. It is always set if the app may not write checks',
        byDefault: false,
      }),
      deployment: single(flag, {
        description:
          'A deployment for each checked commit: `docs (production)` for the default branch, `docs (preview)` for others. The path of the docs directory replaces `docs`',
        note: 'Needs `deployments: write`',
        byDefault: false,
      }),
      forkPreviews: single(
        choice({
          approve: 'those of earlier contributors, and commits that a person with write access approves',
          always: 'all',
          never: 'none',
        }),
        { description: 'Which pull requests from forks get a preview', byDefault: 'approve' },
      ),
    },
  ),
  site: section(
    { description: 'Settings for sites', example: 'publish: always' },
    {
      publish: single(
        choice({
          success: 'commits without errors; before the first of them, the newest commit',
          always: 'every commit that has a site',
        }),
        { description: 'Which commits of the default branch become the production site', byDefault: 'success' },
      ),
      schemas: single(flag, {
        description: 'Whether the navigation, search, `llms.txt` and sitemap of a site for a single document contain its schemas',
        byDefault: true,
      }),
      base: single(basePath, {
        description:
          'The path of the site on its host. Links and redirects can start with it, and `build` uses it without `--base`',
        shownDefault: 'the path that most links start with, if it is no directory',
        example: '/docs/',
        byDefault: undefined,
      }),
      language: single(languageTag, {
        description: 'The language of sites, and of pages outside of `navigation.languages`',
        shownDefault: 'the default language of `navigation.languages`, else `en`',
        example: 'de',
        byDefault: undefined,
      }),
      detectLanguage: single(flag, {
        description: "Whether `/` of a site that the app hosts opens the start page in the language of the reader's browser",
        byDefault: true,
      }),
      theme: single<LookName | undefined>(looks, {
        description: 'The look of sites',
        shownDefault: 'the look that is nearest to `theme` of `docs.json`',
        example: 'compact',
        byDefault: undefined,
      }),
      scripts: single(flag, {
        description: 'Run the `.js` files of the docs directory on every page, but never in previews of forks',
        byDefault: false,
      }),
      allowedOrigins: single(origins, {
        description: 'Servers that these scripts may load scripts from and send requests to, at most 10',
        shownDefault: 'none',
        example: '[https://analytics.example.com]',
        byDefault: [],
      }),
      integrations: single(flag, {
        description:
          'Load the analytics and chat of `integrations` in `docs.json`, but never in previews and on sites for some readers',
        byDefault: false,
      }),
      editUrl: single(editorUrl, {
        description: 'URL of "Edit this page", without the path of the file',
        shownDefault: 'no link',
        example: 'https://git.example.com/acme/docs/edit/main/',
        byDefault: undefined,
      }),
      feedback: single(feedback, {
        description: 'Where the answers to "Was this page helpful?" and searches without results are sent',
        example: 'https://example.com/feedback',
        byDefault: false,
      }),
      restricted: single(
        choice({
          hide: 'sites leave it out',
          publish: 'everyone can read it',
        }),
        {
          description: 'Content that only some readers may see (`groups`, `public: false`, `x-mint.groups`, `x-mint-enum`)',
          byDefault: 'hide',
        },
      ),
      audiences,
    },
  ),
  changes: section(
    { description: 'API changes', see: 'API changes', example: 'failOn: breaking' },
    {
      levels,
      failOn: single(changeThreshold, {
        description: 'The changes that fail the check, the Action and `openapi-pages changes`: one value, or a list',
        byDefault: 'never',
      }),
      comment: single(
        choice({
          breaking: 'all changes of a pull request with breaking changes',
          any: 'all changes',
          never: 'none',
        }),
        { description: 'The changes that are reported in a comment on a pull request', byDefault: 'breaking' },
      ),
      stability: single(oneOf<StabilityLevel>(stabilityLevels), {
        description: 'The lowest `x-stability-level` that is compared',
        byDefault: 'beta',
      }),
      deprecationDays: section(
        { description: 'The shortest time between a deprecation and its `x-sunset`, in days', example: 'stable: 180' },
        {
          beta: single(days, { description: 'Of operations and properties with `x-stability-level: beta`', byDefault: 0 }),
          stable: single(days, { description: 'Of all others', note: 'With 0, no date is required', byDefault: 0 }),
        },
      ),
      changelog: single(
        choice({
          off: 'no changelog',
          tags: 'each tag with a version',
          commits: 'each commit that changes the API',
        }),
        { description: 'The versions in the changelog of each API in sites', byDefault: 'off' },
      ),
      tags: single(tagPattern, {
        description: 'The tags of versions, with one `*` for the version',
        shownDefault: 'tags such as 1.0 and v1.0',
        example: 'api-v*',
        byDefault: undefined,
      }),
    },
  ),
  traffic,
  limits,
  rules,
  rulesets,
  ignore,
  inlineIgnore: single(flag, {
    description: 'Whether exceptions in documents have an effect',
    see: 'Exceptions in documents',
    byDefault: true,
  }),
  baseline,
}

/** The settings of a docs directory. Paths are relative to the boundary. */
export type Config = Values<typeof settings>
export type UpdateSetting = Config['update']
export type GitHubSetting = Config['github']
export type SiteSetting = Config['site']
export type ChangesSetting = Config['changes']
/** The settings that a comparison depends on. */
export type ComparisonSettings = Pick<ChangesSetting, 'levels' | 'stability' | 'deprecationDays'>

export const defaultConfig: Config = defaultsOf(settings)

/** Returns the default settings, with limits capped at `ceilings`. */
export function toDefaultConfig(ceilings: LimitValues): Config {
  return ceilings === defaultLimits.ceilings ? defaultConfig : { ...defaultConfig, limits: capLimits(ceilings) }
}

/** Returns the settings for a file that cannot be read. Its audiences are not known, so that no reader has a group. */
export function toUnreadConfig(ceilings: LimitValues): Config {
  const byDefault = toDefaultConfig(ceilings)
  return { ...byDefault, site: { ...byDefault.site, audiences: [] } }
}

/**
 * Returns the value of a setting for a division. The ID takes precedence over the label, since several divisions can have the
 * same label.
 */
export function settingOf<Value>(
  { byDefault, byLabel }: ByLabel<Value>,
  { id, label }: { readonly id: string; readonly label: string | undefined },
): Value {
  const entry = byLabel.find((candidate) => candidate.label === id) ?? byLabel.find((candidate) => candidate.label === label)
  return entry?.value ?? byDefault
}

/**
 * Parses the configuration file (YAML or JSON). A setting with an invalid value is reported and keeps its default.
 *
 * @param ceilings the maximum values for `limits`.
 */
export async function parseConfig(
  source: SourceFile,
  ceilings = defaultLimits.ceilings,
): Promise<{ config: Config; findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report: Place['report'] = (finding) => findings.push({ ...finding, file: source.path })
  const byDefault = toDefaultConfig(ceilings)
  const parsed = await parseSource(source)
  for (const { related: _, ...fault } of parsed.faults) {
    if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  }
  if (parsed.value === undefined) {
    const mayHaveAudiences = resolveEscapes(source.text).includes('audiences')
    return { config: mayHaveAudiences ? toUnreadConfig(ceilings) : byDefault, findings }
  }
  if (!isObject(parsed.value)) {
    report({ code: 'wrong-type', message: 'Unexpected configuration file content, expected a mapping', pointer: '' })
    return { config: byDefault, findings }
  }
  const { value } = parsed
  const known: Settings = settings
  const read: { [key: string]: unknown } = {}
  for (const [key, given] of Object.entries(value)) {
    const pointer = pointerChild('', key)
    if (Object.hasOwn(known, key)) {
      const own = known[key]?.read(given, { key, pointer, file: source.path, ceilings, report })
      if (own !== undefined) setOwn(read, key, own)
    } else if (key !== '$schema' || typeof given !== 'string') {
      // Editors read `$schema`.
      const message = `Unexpected setting \`${key}\`, expected ${listChoices(Object.keys(settings))}`
      report(unknownKey(message, key, pointer, [...Object.keys(settings), '$schema']))
    }
  }
  // Each value was read by the setting of its key.
  const config = { ...byDefault, ...(read as Partial<Config>) }
  if (!config.site.audiences || config.site.restricted === 'hide') return { config, findings }
  const message = 'Cannot use `restricted: publish` together with `audiences`: everyone would read what is for some'
  report({ code: 'wrong-value', message, pointer: '/site/restricted', hint: 'Remove one of the two' })
  return { config: { ...config, site: { ...config.site, restricted: 'hide' } }, findings }
}

/** Creating this takes 20 to 30 ms, and few projects name a language. */
const namesOf = lazy(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))

/**
 * Reads a BCP 47 tag, such as `pt-BR`. `docs.json` also uses the country codes `cn` and `jp`, which become `zh-Hans` and `ja`. `undefined` if the text is
 * not the tag of a known language.
 */
export function readLanguageTag(written: string): string | undefined {
  const tag = readOwn({ cn: 'zh-Hans', jp: 'ja' }, written.toLowerCase()) ?? written
  try {
    const { language, baseName } = new Intl.Locale(tag)
    // Other pairs of letters are no language. Longer names, such as `english`, are reserved.
    const isKnown = language.length === 3 || (language.length === 2 && namesOf().of(language) !== undefined)
    return isKnown ? baseName : undefined
  } catch {
    return undefined
  }
}
