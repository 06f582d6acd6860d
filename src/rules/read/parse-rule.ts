import type { Severity } from '../../diagnostics/diagnostic.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import { parsePath } from '../path/parse-path.ts'
import type { RuleAction } from '../ruleset.ts'
import {
  checkKeys,
  entriesOf,
  findMisspelt,
  type ParseOptions,
  type RulesetNode,
  readField,
  readFlag,
  readFormats,
  readText,
  readUrl,
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
  const { value, flag, entries, place } = node
  if (entries) {
    const definition = readDefinition(name, node, options)
    return definition && { kind: 'definition', definition, place }
  }
  if (flag !== undefined) return { kind: 'switch', isOn: flag, place }
  const severity = severityWords.get(value)
  if (severity) return { kind: 'severity', severity, place }
  const message = `Unexpected value of the rule \`${name}\`, expected a rule with \`given\` and \`then\`, a severity (${listChoices(severityNames)}), \`true\` or \`false\``
  options.report({ message, place, hint: severityHint(value) })
  return undefined
}

/** Returns `undefined` if a part without which the rule would mean something else cannot be read. */
function readDefinition(name: string, node: RulesetNode, options: ParseOptions): RuleDefinition | undefined {
  const { report } = options
  checkKeys(node, ruleKeys, `key in the rule \`${name}\``, options)
  const given = node.child('given')
  const then = node.child('then')
  const formats = node.child('formats')
  const level = node.child('severity')
  const readFormat = readFormats(formats, options)
  const expressions = given && readGiven(given, options)
  const actions = then && readActions(then, options)
  const findSeverity = ({ value }: RulesetNode) => severityWords.get(value)
  const severity = readField(level, findSeverity, listChoices(severityNames), report, severityHint(level?.value))
  if ((given && !expressions) || (then && !actions) || (formats && !readFormat)) return undefined
  // The misspelt key is reported.
  if ((!given && findMisspelt('given', node, ruleKeys)) || (!then && findMisspelt('then', node, ruleKeys))) return undefined
  const optional = {
    severity,
    isRecommended: readFlag(node.child('recommended'), report),
    resolved: readFlag(node.child('resolved'), report),
    message: readText(node.child('message'), report),
    description: readText(node.child('description'), report),
    documentationUrl: readUrl(node.child('documentationUrl'), report),
    given: expressions,
    actions,
    formats: readFormat,
  }
  return Object.fromEntries(Object.entries(optional).filter(([, field]) => field !== undefined))
}

/** Returns `undefined` if there is no valid expression. */
export function readGiven(node: RulesetNode, { report }: ParseOptions): readonly GivenText[] | undefined {
  const nodes = node.items ?? [node]
  const given = nodes.flatMap(({ text = '', place }) => {
    if (!/^[$#]/.test(text)) {
      const message = 'Unexpected expression, expected a JSONPath such as `$.paths[*]`, or an alias such as `#Operation`'
      const hint = /^[\w[.@*]/.test(text) ? `Did you mean \`$${/^[[.]/.test(text) ? '' : '.'}${text}\`?` : undefined
      report({ message, place, hint })
      return []
    }
    const path = text.startsWith('$') ? parsePath(text) : undefined
    if (path?.kind !== 'failed') return [{ text, place }]
    report({ message: `Cannot read the JSONPath \`${shorten(text)}\`: ${path.reason}`, place })
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

/** Returns `undefined` if one of the actions cannot be used. */
function readActions(node: RulesetNode, options: ParseOptions): readonly RuleAction[] | undefined {
  const nodes = node.items ?? [node]
  if (nodes.length === 0) options.report({ message: 'Empty list, expected at least one `function`', place: node.place })
  const actions = nodes.flatMap((action) => readAction(action, options) ?? [])
  return actions.length === nodes.length && nodes.length > 0 ? actions : undefined
}

function readAction(node: RulesetNode, { functions, report }: ParseOptions): RuleAction | undefined {
  if (!node.entries) {
    report({ message: 'Unexpected `then`, expected a mapping with `function`', place: node.place })
    return undefined
  }
  // Spectral ignores all other keys here.
  for (const key of actionKeys) {
    const misspelt = node.child(key) ? undefined : findMisspelt(key, node, actionKeys)
    if (misspelt === undefined) continue
    const message = `Missing \`${key}\`, found \`${shorten(misspelt)}\``
    const problem = { message, place: node.at(misspelt), on: 'key', hint: didYouMean(key) } as const
    report(key === 'function' ? problem : { ...problem, severity: 'warning' })
    if (key === 'function') return undefined
  }
  const field = readText(node.child('field'), report)
  if (node.child('field') && field === undefined) return undefined
  const named = node.child('function')
  const name = named?.text
  if (!named || name === undefined) {
    const hint = 'For example, `function: truthy`'
    report({ message: 'Missing `function`, expected the name of a function', place: (named ?? node).place, hint })
    return undefined
  }
  const definition = functions.get(name)
  if (!definition) {
    if (functions.has(name)) return undefined
    const hint = didYouMean(suggest(name, functions.keys())) ?? 'List your functions in `functions`'
    report({ message: `Unknown function \`${shorten(name)}\``, place: named.place, hint })
    return undefined
  }
  const given = node.child('functionOptions')
  const problem = definition.checkOptions(given?.value)
  if (problem) {
    const { file, pointer } = (given ?? named).place
    const place = { file, pointer: given ? pointer + problem.pointer : pointer }
    report({ message: problem.message, place, hint: problem.hint })
    return undefined
  }
  const { run, readsPath } = definition
  return { field, functionName: name, run, ...(readsPath && { readsPath }), options: given?.value, place: node.place }
}
