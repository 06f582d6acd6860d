import {
  type DiagnosticCode,
  diagnosticCodes,
  type Finding,
  isDiagnosticCode,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { explainRefusal, type IgnoreSetting, isAllowedSeverity, type RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { parentPath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { oneOf, type Place, readEntries, type Setting, single, unknownKey } from './config-setting.ts'
import { toPathPattern } from './path-patterns.ts'

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
  report({ code: 'wrong-value', message, pointer, ...(hint === undefined ? {} : { hint }) })
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
  const { code, rule, path, pointer: at } = entry
  return [
    {
      code: typeof code === 'string' && isDiagnosticCode(code) ? code : undefined,
      rule: typeof rule === 'string' ? rule : undefined,
      path: typeof path === 'string' ? toPathPattern(path, parentPath(file)) : undefined,
      pointer: typeof at === 'string' ? at : undefined,
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
      yield { code: 'unknown-field', message, pointer: at, ...(hint === undefined ? {} : { hint }) }
    } else if (key === 'pointer' && !value.startsWith('/')) {
      const message = `Unexpected \`${value}\` for \`pointer\`, expected a JSON Pointer such as \`/paths/~1pets/get\``
      yield { code: 'wrong-value', message, pointer: at, hint: `Write \`/${value.replace(/^#?\/*/, '')}\`` }
    }
  }
}
