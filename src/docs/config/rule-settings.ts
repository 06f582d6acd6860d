import {
  type DiagnosticCode,
  diagnosticCodes,
  type Finding,
  isDiagnosticCode,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { explainRefusal, type IgnoreSetting, isAllowedSeverity, type RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { isContainer, isObject, type JsonObject, pointerChild, readOwn, readText } from '../../text/json/json-values.ts'
import {
  capLimits,
  defaultLimits,
  formatLimit,
  type LimitName,
  type Limits,
  limitBounds,
  limitNames,
} from '../../text/plain/limits.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { joinPath, matchesSteps, type PatternStep, parentPath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { oneOf, type Place, readEntries, type Setting, single, unknownKey } from './config-setting.ts'

const severities = ['off', 'info', 'warning', 'error'] as const
const level = oneOf<Severity | 'off'>(severities)

const levels = Object.fromEntries(Object.keys(diagnosticCodes).map((code) => [code, toLevel(code as DiagnosticCode)])) as {
  readonly [code in DiagnosticCode]: Setting<Severity | 'off'>
} // One entry for each code.

function toLevel(code: DiagnosticCode): Setting<Severity | 'off'> {
  const { title, severity } = diagnosticCodes[code]
  const allowed = severities.filter((each) => isAllowedSeverity(code, each))
  return {
    ...single(level, { description: title, byDefault: severity }),
    schema: { ...level.schema, enum: allowed, default: severity },
    read: (written, place) => {
      const value = readLevel(written, place)
      if (value === undefined || isAllowedSeverity(code, value)) return value
      place.report({ code: 'wrong-value', ...explainRefusal(code, value), pointer: place.pointer })
      return undefined
    },
  }
}

function readLevel(written: unknown, { key, pointer, report }: Place): Severity | 'off' | undefined {
  const value = level.toValue(written)
  if (value !== undefined) return value
  const hint = level.hint?.(written)
  const message = `Unexpected level for \`${key}\`, expected ${level.expected}`
  report({ code: 'wrong-value', message, pointer, hint })
  return undefined
}

/** For a rule of the ruleset. */
const ruleLevel: Setting<Severity | 'off' | undefined> = {
  description: 'A rule of the ruleset',
  byDefault: undefined,
  read: readLevel,
}

const rulesExample = 'unused-component: off'

/** `rules`: a mapping from codes, and names of rules of the ruleset, to levels. `findUnknownRules` finds the names that are neither. */
export const rules: Setting<RuleSettings['severities']> = {
  description: 'Severity of diagnostics by code, and of the rules of the ruleset by name: off, info, warning or error',
  see: 'Severities',
  example: rulesExample,
  keys: levels,
  schema: { additionalProperties: level.schema },
  byDefault: new Map(),
  read: (written, place) => {
    const names = isObject(written) ? Object.keys(written).filter((name) => !isDiagnosticCode(name)) : []
    const entries = readEntries<Severity | 'off' | undefined>(written, place, {
      keys: { ...levels, ...Object.fromEntries(names.map((name) => [name, ruleLevel])) },
      example: rulesExample,
      expected: `a mapping from codes and rules to ${level.expected}`,
      unknown: (name) => `rule \`${name}\``,
    })
    return entries && new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
  },
}

/**
 * Reports the names in `rules` that are neither a code nor a rule.
 *
 * @param file the configuration file.
 * @param known the names of the rules of the ruleset. Empty without a ruleset.
 */
export function findUnknownRules(
  severities: RuleSettings['severities'],
  file: string,
  known: Pick<ReadonlySet<string>, 'has' | 'keys'>,
): Finding[] {
  const names = [...severities.keys()].filter((name) => !isDiagnosticCode(name) && !known.has(name))
  return names.map((name) => {
    const rules = [...known.keys()]
    const expected = `a code from docs/diagnostics.md${rules.length === 0 ? '' : ' or a rule of the ruleset that is not off'}`
    const message = `Unexpected rule \`${name}\`, expected ${expected}`
    return { ...unknownKey(message, name, pointerChild('/rules', name), [...Object.keys(diagnosticCodes), ...rules]), file }
  })
}

const ignoreFields = {
  code: { description: 'The code of the problem.', enum: Object.keys(diagnosticCodes) },
  rule: { description: 'The name of a rule of the ruleset, or a code.', type: 'string', minLength: 1 },
  path: {
    description: 'The file, relative to the configuration file. May contain `*` and `**`.',
    type: 'string',
    minLength: 1,
  },
  pointer: { description: 'A JSON Pointer to a part of the file.', type: 'string', pattern: '^/' },
}

/** `ignore`: a list of mappings. Paths are relative to the directory of the configuration file. */
export const ignore: Setting<RuleSettings['ignores']> = {
  description: 'Problems that are not reported. An entry applies to the problems that match all its keys',
  see: 'Severities',
  example: '- code: path-ambiguous\n  path: specs/legacy/*.yaml',
  schema: {
    type: 'array',
    items: { type: 'object', minProperties: 1, additionalProperties: false, properties: ignoreFields },
  },
  byDefault: [],
  read: (written, place) => {
    if (Array.isArray(written)) {
      return written.flatMap((entry: unknown, index) =>
        readIgnore(entry, { ...place, pointer: pointerChild(place.pointer, `${index}`) }),
      )
    }
    const hint = 'Use a list, for example `-  { code: unused-component, path: api.yaml }`'
    place.report({
      code: 'wrong-type',
      message: 'Unexpected value for `ignore`, expected a list',
      pointer: place.pointer,
      hint,
    })
    return undefined
  },
}

function readIgnore(entry: unknown, { file, pointer, report }: Place): IgnoreSetting[] {
  if (!isObject(entry) || Object.keys(entry).length === 0) {
    const message = 'Unexpected value in `ignore`, expected a mapping with `code`, `rule`, `path` or `pointer`'
    report({ code: 'wrong-type', message, pointer })
    return []
  }
  const faults = [...findIgnoreFaults(entry, pointer)]
  for (const fault of faults) report(fault)
  if (faults.length > 0) return []
  const [code, rule, path, at] = ['code', 'rule', 'path', 'pointer'].map((key) => readText(entry, key))
  return [
    {
      code: code !== undefined && isDiagnosticCode(code) ? code : undefined,
      rule,
      path: path === undefined ? undefined : toPathPattern(path, parentPath(file)),
      pointer: at,
      place: { file, pointer },
    },
  ]
}

/** An invalid entry is skipped entirely, since using half of it would suppress more than intended. */
function* findIgnoreFaults(entry: JsonObject, pointer: string): Generator<Omit<Finding, 'file'>> {
  for (const [key, value] of Object.entries(entry)) {
    const at = pointerChild(pointer, key)
    if (!Object.hasOwn(ignoreFields, key)) {
      const message = `Unexpected \`${key}\` in \`ignore\`, expected \`code\`, \`rule\`, \`path\` or \`pointer\``
      yield unknownKey(message, key, at, Object.keys(ignoreFields))
    } else if (typeof value !== 'string' || value === '') {
      yield { code: 'wrong-type', message: `Unexpected value for \`${key}\`, expected a string`, pointer: at }
    } else if (key === 'code' && !isDiagnosticCode(value)) {
      const hint = didYouMean(suggest(value, Object.keys(diagnosticCodes)))
      const message = `Unexpected code \`${value}\`, expected a code from docs/diagnostics.md`
      yield { code: 'unknown-field', message, pointer: at, hint }
    } else if (key === 'pointer' && !value.startsWith('/')) {
      const message = `Unexpected \`${value}\` for \`pointer\`, expected a JSON Pointer such as \`/paths/~1pets/get\``
      yield { code: 'wrong-value', message, pointer: at, hint: `Write \`/${value.replace(/^#?\/*/, '')}\`` }
    }
  }
}

/**
 * Creates a matcher for paths relative to the boundary from a pattern relative to a directory. `*` matches within one path
 * segment, the segment `**` matches any segments, and a directory matches everything below it.
 */
export function toPathPattern(pattern: string, folder: string): { test(path: string): boolean } {
  const steps = joinPath(folder, pattern).split('/').map(toStep)
  return { test: (path) => matchesSteps(steps, path.split('/')) || matchesSteps([...steps, '**'], path.split('/')) }
}

function toStep(text: string): PatternStep {
  return text === '**' ? text : [...text].map((character) => (character === '*' ? character : { character }))
}

const limitSettings = Object.fromEntries(limitNames.map((name) => [name, toSetting(name)])) as {
  readonly [Name in LimitName]: Setting<number>
} // One entry for each name.

const example = 'document-size: 64 MiB'

/**
 * `limits`: a mapping from names to sizes (`64 MiB`), times (`60 s`) and counts.
 *
 * Values above the ceilings for untrusted configuration files are reported and reduced.
 */
export const limits: Setting<Limits> = {
  description: 'Limits for the size, depth and number of inputs',
  see: 'Limits',
  example,
  keys: limitSettings,
  byDefault: defaultLimits,
  read: (written, place) => {
    const unknown = (key: string) => `limit \`${key}\`, expected ${listChoices(limitNames)}`
    const entries = readEntries(written, place, { keys: limitSettings, example, unknown })
    if (!entries) return undefined
    const { values, ceilings } = capLimits(place.ceilings)
    return { values: { ...values, ...Object.fromEntries(entries) }, ceilings }
  },
}

function toSetting(name: LimitName): Setting<number> {
  const { unit, byDefault, least, most, appliesTo } = limitBounds[name]
  const scale = unit === 'milliseconds' ? 1_000 : 1
  const number = { type: 'integer', minimum: least / scale, maximum: most / scale }
  const text = { bytes: '^\\d{1,12} ?(KiB|MiB|GiB)$', milliseconds: '^\\d{1,12}( ?s)?$', count: '^\\d{1,12}$' }[unit]
  const pattern = { type: 'string', pattern: text }
  return {
    description: `${appliesTo}. Default: ${formatLimit(name, byDefault)}. At most ${formatLimit(name, most)}`,
    schema: { anyOf: unit === 'bytes' ? [pattern] : [number, pattern] },
    byDefault,
    read: (written, { pointer, ceilings, report }) => {
      const value = toLimit(name, written)
      if (typeof value !== 'number') {
        report({ ...value, pointer })
        return undefined
      }
      const ceiling = ceilings[name]
      if (value <= ceiling) return value
      const message = `Unexpected \`${formatLimit(name, value)}\` for \`${name}\`, using the maximum of ${formatLimit(name, ceiling)} instead`
      report({ code: 'wrong-value', severity: 'info', message, pointer })
      return ceiling
    },
  }
}

/** Accepted units. Counts and times need no unit: a plain number is a count or a number of seconds. */
const units = { bytes: { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }, milliseconds: { s: 1_000 }, count: {} } as const

/** Converts a limit and checks its range. Returns the problem if the value is invalid. */
function toLimit(name: LimitName, written: unknown): number | Pick<Finding, 'code' | 'message' | 'hint'> {
  const { unit, least, most } = limitBounds[name]
  const match = /^(\d{1,12})(?: ?([A-Za-z]+))?$/.exec(isContainer(written) ? '' : String(written))
  const factors: { readonly [unit: string]: number } = units[unit]
  const bare = { bytes: undefined, milliseconds: 1_000, count: 1 }[unit]
  const factor = match?.[2] === undefined ? bare : readOwn(factors, match[2])
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
