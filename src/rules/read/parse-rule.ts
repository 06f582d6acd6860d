import type { Severity } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { RuleAction } from '../ruleset.ts'
import {
  checkKeys,
  child,
  childPlace,
  entriesOf,
  findMisspelt,
  items,
  type ParseOptions,
  type RulesetNode,
  readFlag,
  readFormats,
  readText,
  readUrl,
  shorten,
} from './ruleset-nodes.ts'
import type { GivenText, RuleDefinition, RuleEntry } from './types.ts'

const ruleKeys = [
  ...['given', 'then', 'severity', 'message', 'description', 'documentationUrl', 'formats', 'recommended', 'resolved'],
  ...['tags', 'type', 'extensions'],
]
const actionKeys = ['field', 'function', 'functionOptions']

export function readRules(node: RulesetNode | undefined, options: ParseOptions): ReadonlyMap<string, RuleEntry> {
  const rules = new Map<string, RuleEntry>()
  for (const [name, entry] of entriesOf(node, 'a mapping from names to rules', options)) {
    if (!options.countRule(entry.place)) break
    const rule = readRule(name, entry, options)
    if (!rule) continue
    const current = rule.kind === 'definition' ? name : (renamedRules.get(name) ?? name)
    const other = current === name ? undefined : rules.get(current)
    // Several old rules became one, which gets the highest of their severities.
    if (!other || rankOf(rule) < rankOf(other)) rules.set(current, rule)
  }
  return rules
}

/** Rules of `spectral:oas` that have another name since Spectral 6. Source: `packages/ruleset-migrator/src/transformers/rules.ts`. */
const renamedRules: ReadonlyMap<string, string> = new Map([
  ['operation-2xx-response', 'operation-success-response'],
  ['oas3-unused-components-schema', 'oas3-unused-component'],
  ['oas2-valid-parameter-example', 'oas2-valid-schema-example'],
  ['oas2-valid-response-schema-example', 'oas2-valid-schema-example'],
  ['oas2-valid-definition-example', 'oas2-valid-schema-example'],
  ['oas2-valid-response-example', 'oas2-valid-media-example'],
  ['oas3-valid-oas-parameter-example', 'oas3-valid-media-example'],
  ['oas3-valid-oas-content-example', 'oas3-valid-media-example'],
  ['oas3-valid-oas-header-example', 'oas3-valid-media-example'],
  ['oas3-valid-header-schema-example', 'oas3-valid-schema-example'],
  ['oas3-valid-parameter-schema-example', 'oas3-valid-schema-example'],
])

const ranks: readonly (Severity | 'off')[] = ['error', 'warning', 'info', 'off']

function rankOf(rule: RuleEntry): number {
  return rule.kind === 'severity' ? ranks.indexOf(rule.severity) : -1
}

function readRule(name: string, node: RulesetNode, options: ParseOptions): RuleEntry | undefined {
  const { value, place } = node
  if (isObject(value)) {
    const definition = readDefinition(name, node, value, options)
    return definition && { kind: 'definition', definition, place }
  }
  if (typeof value === 'boolean') return { kind: 'switch', isOn: value, place }
  const severity = severityWords.get(value)
  if (severity) return { kind: 'severity', severity, place }
  const message = `Unexpected value of the rule \`${name}\`, expected a rule with \`given\` and \`then\`, a severity (${listChoices(severityNames)}), \`true\` or \`false\``
  options.report({ message, place, hint: severityHint(value) })
  return undefined
}

/** Returns `undefined` if a part without which the rule would mean something else cannot be read. */
function readDefinition(name: string, node: RulesetNode, value: JsonObject, options: ParseOptions): RuleDefinition | undefined {
  const { report } = options
  checkKeys(node, value, ruleKeys, `key in the rule \`${name}\``, options)
  const given = child(node, 'given')
  const then = child(node, 'then')
  const formats = child(node, 'formats')
  const readFormat = readFormats(formats, options)
  const expressions = given && readGiven(given, options)
  const actions = then && readActions(then, options)
  const severity = readSeverity(child(node, 'severity'), options)
  if ((given && !expressions) || (then && !actions) || (formats && !readFormat)) return undefined
  // The misspelt key is reported.
  if ((!given && findMisspelt('given', value, ruleKeys)) || (!then && findMisspelt('then', value, ruleKeys))) return undefined
  const optional = {
    severity,
    isRecommended: readFlag(child(node, 'recommended'), report),
    resolved: readFlag(child(node, 'resolved'), report),
    message: readText(child(node, 'message'), report),
    description: readText(child(node, 'description'), report),
    documentationUrl: readUrl(child(node, 'documentationUrl'), options),
    given: expressions,
    actions,
    formats: readFormat,
  }
  return Object.fromEntries(Object.entries(optional).filter(([, field]) => field !== undefined))
}

/** Returns `undefined` if there is no valid expression. */
export function readGiven(node: RulesetNode, { report, checkPath }: ParseOptions): readonly GivenText[] | undefined {
  const nodes = Array.isArray(node.value) ? items(node) : [node]
  const given = nodes.flatMap(({ value, place }) => {
    if (typeof value !== 'string' || !/^[$#]/.test(value)) {
      const hint =
        typeof value === 'string' && /^[\w[.@*]/.test(value)
          ? `Did you mean \`$${/^[[.]/.test(value) ? '' : '.'}${value}\`?`
          : undefined
      report({
        message: 'Unexpected expression, expected a JSONPath such as `$.paths[*]`, or an alias such as `#Operation`',
        place,
        hint,
      })
      return []
    }
    const problem = value.startsWith('$') ? checkPath(value) : undefined
    if (problem === undefined) return [{ text: value, place }]
    report({ message: `Cannot read the JSONPath \`${shorten(value)}\`: ${problem}`, place })
    return []
  })
  if (nodes.length === 0) report({ message: 'Empty list, expected at least one expression', place: node.place })
  return given.length === nodes.length && nodes.length > 0 ? given : undefined
}

export const severityWords: ReadonlyMap<unknown, Severity | 'off'> = new Map<unknown, Severity | 'off'>([
  ['error', 'error'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['hint', 'info'],
  ['off', 'off'],
  [0, 'error'],
  [1, 'warning'],
  [2, 'info'],
  [3, 'info'],
  [-1, 'off'],
])

export const severityNames = ['error', 'warn', 'info', 'hint', 'off']

export function severityHint(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return didYouMean(severityNames.find((name) => name.length > 3 && value.startsWith(name)) ?? suggest(value, severityNames))
}

function readSeverity(node: RulesetNode | undefined, { report }: ParseOptions): Severity | 'off' | undefined {
  if (!node) return undefined
  const severity = severityWords.get(node.value)
  if (!severity) {
    const message = `Unexpected \`severity\`, expected ${listChoices(severityNames)}`
    report({ message, place: node.place, hint: severityHint(node.value) })
  }
  return severity
}

/** Returns `undefined` if one of the actions cannot be used. */
function readActions(node: RulesetNode, options: ParseOptions): readonly RuleAction[] | undefined {
  const nodes = Array.isArray(node.value) ? items(node) : [node]
  if (nodes.length === 0) options.report({ message: 'Empty list, expected at least one `function`', place: node.place })
  const actions = nodes.flatMap((action) => readAction(action, options) ?? [])
  return actions.length === nodes.length && nodes.length > 0 ? actions : undefined
}

function readAction(node: RulesetNode, options: ParseOptions): RuleAction | undefined {
  const { functions, report } = options
  if (!isObject(node.value)) {
    report({ message: 'Unexpected `then`, expected a mapping with `function`', place: node.place })
    return undefined
  }
  const named = child(node, 'function')
  // Spectral ignores all other keys here.
  for (const key of actionKeys) {
    const misspelt = child(node, key) ? undefined : findMisspelt(key, node.value, actionKeys)
    if (misspelt === undefined) continue
    const message = `Missing \`${key}\`, found \`${shorten(misspelt)}\``
    const problem = { message, place: childPlace(node.place, misspelt), on: 'key', hint: didYouMean(key) } as const
    report(key === 'function' ? problem : { ...problem, severity: 'warning' })
    if (key === 'function') return undefined
  }
  const field = child(node, 'field')
  if (field && typeof field.value !== 'string') {
    report({ message: 'Unexpected `field`, expected a string', place: field.place })
    return undefined
  }
  if (typeof named?.value !== 'string') {
    const hint = 'For example, `function: truthy`'
    report({ message: 'Missing `function`, expected the name of a function', place: (named ?? node).place, hint })
    return undefined
  }
  const name = named.value
  const definition = functions.get(name)
  if (!definition) {
    if (functions.has(name)) return undefined
    const hint = didYouMean(suggest(name, functions.keys())) ?? 'List your functions in `functions`'
    report({ message: `Unknown function \`${shorten(name)}\``, place: named.place, hint })
    return undefined
  }
  const given = child(node, 'functionOptions')
  const problem = definition.checkOptions(given?.value)
  if (problem) {
    const { file, pointer } = (given ?? named).place
    const place = { file, pointer: given ? pointer + problem.pointer : pointer }
    report({ message: problem.message, place, hint: problem.hint })
    return undefined
  }
  return {
    field: typeof field?.value === 'string' ? field.value : undefined,
    functionName: name,
    run: definition.run,
    ...(definition.readsPath && { readsPath: true }),
    options: given?.value,
    place: node.place,
  }
}
