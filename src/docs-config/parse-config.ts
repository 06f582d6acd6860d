import type { Finding } from '../diagnostics/diagnostic.ts'
import { type ChangeCode, type ChangeLevel, changeCodes, isChangeCode, levelSettings } from '../openapi/changes/change-codes.ts'
import { changeThresholds } from '../openapi/changes/change-threshold.ts'
import { isObject } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'
import {
  capLimits,
  defaultLimits,
  formatLimit,
  type LimitName,
  type Limits,
  type LimitValues,
  limitBounds,
  limitNames,
} from '../source/limits.ts'
import { listChoices } from '../source/list-choices.ts'
import { parseSource } from '../source/parse-source.ts'
import { isUrl, joinPath, parentPath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { suggest } from '../source/suggest.ts'
import {
  type ByLabel,
  type ChangesSetting,
  type Config,
  changeComments,
  changelogSettings,
  checkConclusions,
  commentSettings,
  defaultConfig,
  forkPreviewSettings,
  type GitHubSetting,
  type OverviewSetting,
  onErrorSettings,
  orderSettings,
  otherSpellings,
  publishSettings,
  restrictedSettings,
  type SchemaPages,
  type SiteSetting,
  toDefaultConfig,
  type UpdateSetting,
  unlistedSettings,
} from './project-config.ts'
import { readIgnores, readRules } from './read-rules.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

interface ReadContext {
  /** Path of the configuration file. */
  readonly file: string
  readonly ceilings: LimitValues
}

/** Reads `materialise` or `materialize`: `true` or `false`, optionally per division label. */
const readMaterialise = (key: string) =>
  createLabelReader({
    key,
    byDefault: defaultConfig.materialise.byDefault,
    isValue: isBoolean,
    expected: '`true` or `false`',
  })

/** Reads `order`, optionally per division label. */
const readOrder = createLabelReader({ key: 'order', byDefault: defaultConfig.order.byDefault, ...toChoiceSetting(orderSettings) })

/** Reads `unlisted`, optionally per division label. */
const readUnlisted = createLabelReader({
  key: 'unlisted',
  byDefault: defaultConfig.unlisted.byDefault,
  ...toChoiceSetting(unlistedSettings),
})

/** Reads `schemas`: `true`, `false` or a list of names, optionally per division label. */
const readSchemas = createLabelReader({
  key: 'schemas',
  byDefault: defaultConfig.schemas.byDefault,
  isValue: isSchemaPages,
  expected: '`true`, `false` or a list of names',
})

/** Reads `overviews`: `site`, `true` or `false`, optionally per division label. */
const readOverviews = createLabelReader({
  key: 'overviews',
  byDefault: defaultConfig.overviews.byDefault,
  isValue: (value): value is OverviewSetting => value === 'site' || isBoolean(value),
  expected: '`site`, `true` or `false`',
})

/** The reader of each setting. */
const readers: { readonly [Key in keyof Config]: (value: unknown, report: Report, context: ReadContext) => Config[Key] } = {
  materialise: readMaterialise('materialise'),
  order: readOrder,
  unlisted: readUnlisted,
  renames: readRenames,
  schemas: readSchemas,
  overviews: readOverviews,
  update: readUpdate,
  github: readGitHub,
  site: readSite,
  changes: readChanges,
  limits: (value, report, { ceilings }) => readLimits(value, report, ceilings),
  rules: readRules,
  ignore: (value, report, { file }) => readIgnores(value, report, file),
  baseline: (value, report, { file }) => readBaseline(value, report, file),
}

/**
 * Parses the configuration file (YAML or JSON). A setting with an invalid value is reported and keeps its default.
 *
 * Paths in `ignore` are relative to the directory of the file. `materialise`, `order`, `unlisted`, `schemas` and `overviews` take
 * one value for all divisions, or a mapping from division labels to values.
 *
 * @param ceilings the maximum values for `limits`.
 */
export async function parseConfig(
  source: SourceFile,
  ceilings = defaultLimits.ceilings,
): Promise<{ config: Config; findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report: Report = (finding) => findings.push({ ...finding, file: source.path })
  const context: ReadContext = { file: source.path, ceilings }
  const none = toDefaultConfig(ceilings)
  const parsed = await parseSource(source)
  for (const { related: _, ...fault } of parsed.faults) {
    if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  }
  if (parsed.value === undefined) return { config: none, findings }
  if (!isObject(parsed.value)) {
    report({ code: 'wrong-type', message: 'Unexpected configuration file content, expected a mapping', pointer: '' })
    return { config: none, findings }
  }
  const { value } = parsed
  const keys = Object.keys(readers)
  for (const key of Object.keys(value).filter((name) => !keys.includes(name))) {
    const setting = otherSpellings[key]
    if (setting !== undefined && value[setting] !== undefined) {
      const message = `Unexpected setting \`${key}\` in addition to \`${setting}\`, which is the same setting`
      report({ code: 'wrong-value', message, pointer: pointerChild('', key), on: 'key', hint: 'Remove one of them' })
    }
    // Editors read `$schema`.
    if (setting !== undefined || (key === '$schema' && typeof value[key] === 'string')) continue
    const near = suggest(key, [...keys, '$schema'])
    const message = `Unexpected setting \`${key}\`, expected ${listChoices(keys)}`
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer: pointerChild('', key), on: 'key', ...hint })
  }
  return {
    config: {
      materialise:
        value['materialise'] === undefined
          ? readMaterialise('materialize')(value['materialize'], report)
          : readers.materialise(value['materialise'], report, context),
      order: readers.order(value['order'], report, context),
      unlisted: readers.unlisted(value['unlisted'], report, context),
      renames: readers.renames(value['renames'], report, context),
      schemas: readers.schemas(value['schemas'], report, context),
      overviews: readers.overviews(value['overviews'], report, context),
      limits: readers.limits(value['limits'], report, context),
      rules: readers.rules(value['rules'], report, context),
      ignore: readers.ignore(value['ignore'], report, context),
      baseline: readers.baseline(value['baseline'], report, context),
      update: readers.update(value['update'], report, context),
      github: readers.github(value['github'], report, context),
      site: readers.site(value['site'], report, context),
      changes: readers.changes(value['changes'], report, context),
    },
    findings,
  }
}

function readRenames(value: unknown, report: Report): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? defaultConfig.renames
  report({
    code: 'wrong-type',
    message: 'Unexpected value for `renames`, expected `true` or `false`',
    pointer: '/renames',
  })
  return defaultConfig.renames
}

function readGitHub(value: unknown, report: Report): GitHubSetting {
  const { github } = defaultConfig
  const given = readSection('github', value, { keys: Object.keys(github), example: 'comment: off' }, report)
  if (!given) return github
  return {
    check: readChoice('/github/check', given['check'], checkConclusions, report) ?? github.check,
    comment: readChoice('/github/comment', given['comment'], commentSettings, report) ?? github.comment,
    'commit-status': readBoolean('/github/commit-status', given['commit-status'], report) ?? github['commit-status'],
    deployment: readBoolean('/github/deployment', given['deployment'], report) ?? github.deployment,
    forkPreviews: readChoice('/github/forkPreviews', given['forkPreviews'], forkPreviewSettings, report) ?? github.forkPreviews,
  }
}

function readSite(value: unknown, report: Report): SiteSetting {
  const { site } = defaultConfig
  const given = readSection('site', value, { keys: Object.keys(site), example: 'publish: always' }, report)
  if (!given) return site
  return {
    publish: readChoice('/site/publish', given['publish'], publishSettings, report) ?? site.publish,
    scripts: readBoolean('/site/scripts', given['scripts'], report) ?? site.scripts,
    restricted: readChoice('/site/restricted', given['restricted'], restrictedSettings, report) ?? site.restricted,
  }
}

function readChanges(value: unknown, report: Report): ChangesSetting {
  const { changes } = defaultConfig
  const given = readSection('changes', value, { keys: Object.keys(changes), example: 'failOn: breaking' }, report)
  if (!given) return changes
  return {
    levels: readLevels(given['levels'], report),
    failOn: readChoice('/changes/failOn', given['failOn'], changeThresholds, report) ?? changes.failOn,
    comment: readChoice('/changes/comment', given['comment'], changeComments, report) ?? changes.comment,
    changelog: readChoice('/changes/changelog', given['changelog'], changelogSettings, report) ?? changes.changelog,
    tags: readTagPattern(given['tags'], report) ?? changes.tags,
  }
}

function readLevels(written: unknown, report: Report): ChangesSetting['levels'] {
  if (written === undefined) return {}
  if (!isObject(written)) {
    const message = `Unexpected value for \`levels\`, expected a mapping from change codes to ${listChoices(levelSettings)}`
    report({
      code: 'wrong-type',
      message,
      pointer: '/changes/levels',
      hint: 'Use a mapping, for example `levels: { tag-removed: off }`',
    })
    return {}
  }
  const levels: { [code in ChangeCode]?: ChangeLevel | 'off' } = {}
  for (const [code, level] of Object.entries(written)) {
    const pointer = pointerChild('/changes/levels', code)
    if (isChangeCode(code)) {
      const read = readChoice(pointer, level, levelSettings, report)
      if (read !== undefined) levels[code] = read
      continue
    }
    const near = suggest(code, Object.keys(changeCodes))
    const message = `Unexpected code \`${code}\`, expected a code from docs/change-codes.md`
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer, on: 'key', ...hint })
  }
  return levels
}

function readTagPattern(value: unknown, report: Report): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.split('*').length === 2) return value
  report({
    code: 'wrong-value',
    message: 'Unexpected value for `tags`, expected the name of a tag with one `*` for the version',
    pointer: '/changes/tags',
    hint: 'Use a pattern, for example `tags: api-v*`',
  })
  return undefined
}

function readBaseline(value: unknown, report: Report, file: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !isUrl(value) && !/^([/\\]|[a-z]:)/i.test(value)) {
    return joinPath(parentPath(file), value)
  }
  report({
    code: 'wrong-value',
    message: 'Unexpected value for `baseline`, expected a path relative to the configuration file',
    pointer: '/baseline',
    hint: 'Use a path, for example `baseline: openapi-baseline.json`',
  })
  return undefined
}

function readUpdate(value: unknown, report: Report): UpdateSetting {
  const { update } = defaultConfig
  const given = readSection('update', value, { keys: Object.keys(update), example: 'onError: operation' }, report)
  return given ? { onError: readChoice('/update/onError', given['onError'], onErrorSettings, report) ?? update.onError } : update
}

/** Reads a mapping of settings and reports unknown keys. Returns `undefined` if the value is not a mapping. */
function readSection(
  name: string,
  value: unknown,
  { keys, example }: { readonly keys: readonly string[]; readonly example: string },
  report: Report,
): { readonly [key: string]: unknown } | undefined {
  if (value === undefined) return undefined
  if (!isObject(value)) {
    const hint = `Use a mapping, for example \`${name}: { ${example} }\``
    report({ code: 'wrong-type', message: `Unexpected value for \`${name}\`, expected a mapping`, pointer: `/${name}`, hint })
    return undefined
  }
  for (const key of Object.keys(value).filter((one) => !keys.includes(one))) {
    const near = suggest(key, keys)
    const message = `Unexpected setting \`${key}\` in \`${name}\`, expected ${listChoices(keys)}`
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer: pointerChild(`/${name}`, key), on: 'key', ...hint })
  }
  return value
}

function readBoolean(pointer: string, value: unknown, report: Report): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  report({
    code: 'wrong-type',
    message: `Unexpected value for \`${pointer.replace(/^.*\//, '')}\`, expected \`true\` or \`false\``,
    pointer,
  })
  return undefined
}

/** Reads a setting with a fixed list of values. `false` is accepted for `off`, which YAML 1.1 parsers read as a boolean. */
function readChoice<Choice extends string>(
  pointer: string,
  value: unknown,
  choices: readonly Choice[],
  report: Report,
): Choice | undefined {
  if (value === undefined) return undefined
  const given = value === false ? 'off' : value
  const found = choices.find((choice) => choice === given)
  if (found !== undefined) return found
  const near = typeof given === 'string' ? suggest(given, choices) : undefined
  const key = pointer.slice(pointer.lastIndexOf('/') + 1)
  report({
    code: 'wrong-value',
    message: `Unexpected value for \`${key}\`, expected ${listChoices(choices)}`,
    pointer,
    ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
  })
  return undefined
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isSchemaPages(value: unknown): value is SchemaPages {
  return typeof value === 'boolean' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}

function toChoiceSetting<Choice extends string>(choices: readonly Choice[]) {
  const isValue = (value: unknown): value is Choice => choices.some((choice) => choice === value)
  return { isValue, choices, expected: listChoices(choices) }
}

/** A setting that can have a separate value per division. */
interface DivisionSetting<Value> {
  readonly key: string
  readonly byDefault: Value
  readonly isValue: (value: unknown) => value is Value
  /** Describes the accepted values. */
  readonly expected: string
  /** The accepted values, if they are a fixed list. Used to suggest the nearest one. */
  readonly choices?: readonly string[]
}

/**
 * Creates a reader for a setting with one value for all divisions, or a mapping from division labels to values.
 *
 * Invalid values are reported and replaced by the default.
 */
function createLabelReader<Value>(setting: DivisionSetting<Value>): (value: unknown, report: Report) => ByLabel<Value> {
  const { key, byDefault, isValue, expected, choices } = setting
  const refuse = (message: string, value: unknown, pointer: string, report: Report) => {
    const near = choices && typeof value === 'string' ? suggest(value, choices) : undefined
    const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
    report({ code: choices ? 'wrong-value' : 'wrong-type', message, pointer, ...hint })
  }
  return (value, report) => {
    const pointer = pointerChild('', key)
    if (value === undefined) return { byDefault, byLabel: [] }
    if (isValue(value)) return { byDefault: value, byLabel: [] }
    if (!isObject(value)) {
      const message = `Unexpected value for \`${key}\`, expected ${expected}, or a mapping from division labels to these values`
      refuse(message, value, pointer, report)
      return { byDefault, byLabel: [] }
    }
    const byLabel = Object.entries(value).flatMap(([label, given]) => {
      const place = pointerChild(pointer, label)
      if (isValue(given)) return [{ label, value: given, pointer: place }]
      refuse(`Unexpected value for \`${label}\` in \`${key}\`, expected ${expected}`, given, place, report)
      return []
    })
    return { byDefault, byLabel }
  }
}

/**
 * Reads `limits`: a mapping from names to sizes (`64 MiB`), times (`60 s`) and counts.
 *
 * @param ceilings the maximum values for untrusted configuration files. Larger values are reported and reduced to the maximum.
 */
function readLimits(value: unknown, report: Report, ceilings: LimitValues): Limits {
  const byDefault = capLimits(ceilings)
  if (value === undefined) return byDefault
  if (!isObject(value)) {
    const hint = 'Use a mapping, for example `limits: { document-size: 64 MiB }`'
    report({ code: 'wrong-type', message: 'Unexpected value for `limits`, expected a mapping', pointer: '/limits', hint })
    return byDefault
  }
  const values = { ...byDefault.values }
  for (const [key, written] of Object.entries(value)) {
    const pointer = pointerChild('/limits', key)
    const name = limitNames.find((known) => known === key)
    if (name === undefined) {
      const near = suggest(key, limitNames)
      const message = `Unexpected limit \`${key}\`, expected ${listChoices(limitNames)}`
      const hint = near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
      report({ code: 'unknown-field', message, pointer, on: 'key', ...hint })
      continue
    }
    const read = readLimit(name, written)
    if (typeof read === 'number' && read <= ceilings[name]) values[name] = read
    else if (typeof read === 'number') {
      values[name] = ceilings[name]
      const message = `Unexpected \`${formatLimit(name, read)}\` for \`${name}\`, using the maximum of ${formatLimit(name, ceilings[name])} instead`
      report({ code: 'wrong-value', severity: 'info', message, pointer })
    } else report({ ...read, pointer })
  }
  return { values, ceilings }
}

/** Accepted units. Counts and times need no unit: a plain number is a count or a number of seconds. */
const units = { bytes: { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }, milliseconds: { s: 1_000 }, count: {} } as const

/** Reads a limit and checks its range. Returns the problem if the value is invalid. */
function readLimit(name: LimitName, written: unknown): number | Pick<Finding, 'code' | 'message' | 'hint'> {
  const { unit, least, most } = limitBounds[name]
  const match = /^(\d{1,12})(?: ?([A-Za-z]+))?$/.exec(
    typeof written === 'number' || typeof written === 'string' ? `${written}` : '',
  )
  const factors: { readonly [unit: string]: number } = units[unit]
  const bare = { bytes: undefined, milliseconds: 1_000, count: 1 }[unit]
  const factor = match?.[2] === undefined ? bare : factors[match[2]]
  if (!match || factor === undefined) {
    const expected = { count: 'a whole number', bytes: 'a size with `KiB`, `MiB` or `GiB`', milliseconds: 'seconds' }[unit]
    return { code: 'wrong-type', message: `Unexpected value for \`${name}\`, expected ${expected}`, hint: toHint(name) }
  }
  const value = Number(match[1]) * factor
  if (value >= least && value <= most) return value
  const message = `Unexpected \`${written}\` for \`${name}\`, expected a value from ${formatLimit(name, least)} to ${formatLimit(name, most)}`
  return { code: 'wrong-value', message, ...(unit === 'milliseconds' ? { hint: toHint(name) } : {}) }
}

function toHint(name: LimitName): string {
  const { unit, byDefault } = limitBounds[name]
  const example = formatLimit(name, byDefault)
  if (unit !== 'milliseconds') return `Use a value such as \`${name}: ${example}\``
  return `Write the value in seconds, for example \`${name}: ${byDefault / 1_000}\` or \`${name}: ${example}\``
}
