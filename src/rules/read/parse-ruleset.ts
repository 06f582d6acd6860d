import type { Severity } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { decodePercent, isUrl } from '../../text/plain/urls.ts'
import {
  type FunctionDefinition,
  type FunctionEntry,
  formatHint,
  type ReportProblem,
  type RuleAction,
  type RulesetPlace,
  toFormat,
} from '../ruleset.ts'
import { readFilePattern } from './file-patterns.ts'
import type {
  Alias,
  ExtendsEntry,
  ExtendsLevel,
  GivenText,
  OverrideEntry,
  OverrideTarget,
  RuleDefinition,
  RuleEntry,
  RulesetFile,
  RulesetPart,
} from './types.ts'

interface ParseOptions {
  /** Relative to the boundary, a URL, or the name of a built-in ruleset. */
  readonly file: string
  /** The functions that rules can use. `undefined`: it was named in `functions` but cannot be used, which is already reported. */
  readonly functions: ReadonlyMap<string, FunctionDefinition | undefined>
  readonly report: ReportProblem
  /** Counts rules. Returns false at the limit, which it reports. */
  readonly countRule: (place: RulesetPlace) => boolean
  /** Counts the size of patterns in `files`. Returns false at the limit, which it reports. */
  readonly countPattern: (size: number, place: RulesetPlace) => boolean
  /** Checks a path expression without alias. Returns what is wrong with it. */
  readonly checkPath: (expression: string) => string | undefined
}

/** A value of a ruleset and its location. */
interface Node {
  readonly value: unknown
  readonly place: RulesetPlace
}

const rulesetKeys = [
  'extends',
  'rules',
  'formats',
  'aliases',
  'overrides',
  'except',
  'functions',
  'functionsDir',
  'documentationUrl',
  'description',
  'parserOptions',
]
const overrideKeys = ['files', 'extends', 'rules', 'formats', 'aliases', 'parserOptions', 'description']
const ruleKeys = [
  'given',
  'then',
  'severity',
  'message',
  'description',
  'documentationUrl',
  'formats',
  'recommended',
  'resolved',
  'tags',
  'type',
  'extensions',
]
const actionKeys = ['field', 'function', 'functionOptions']

/**
 * Reads one file of a ruleset. Reports every mistake, leaves out what cannot be used, and reads the rest.
 *
 * Source: Spectral, the guides in `docs/guides` and the JSON Schemas in `packages/core/src/ruleset/meta`.
 */
export function parseRuleset(value: unknown, options: ParseOptions): RulesetFile {
  const { file, report } = options
  const root: Node = { value, place: { file, pointer: '' } }
  const empty: RulesetFile = { file, documentationUrl: undefined, overrides: [], ...emptyPart }
  if (!isObject(value)) {
    if (value === undefined || value === null)
      report({ message: 'Empty file, expected a ruleset', place: root.place, hint: start })
    else report({ message: 'Unexpected ruleset, expected a mapping with `extends` or `rules`', place: root.place })
    return empty
  }
  checkKeys(root, value, rulesetKeys, 'key', options)
  if (!['extends', 'rules', 'overrides', 'except'].some((key) => Object.hasOwn(value, key))) {
    report({ message: 'Ruleset without rules, expected `extends` or `rules`', place: root.place, hint: start })
  }
  explainParserOptions(child(root, 'parserOptions'), options)
  return {
    file,
    documentationUrl: readUrl(child(root, 'documentationUrl'), options),
    ...readPart(root, options),
    overrides: [...readOverrides(child(root, 'overrides'), options), ...readExcept(child(root, 'except'), options)],
  }
}

/** The functions in JavaScript files that a ruleset names. */
export function listFunctions(value: unknown, file: string, report: ReportProblem): readonly FunctionEntry[] {
  const root: Node = { value, place: { file, pointer: '' } }
  const functions = child(root, 'functions')
  const folder = child(root, 'functionsDir')
  if (folder && typeof folder.value !== 'string') {
    report({ message: 'Unexpected `functionsDir`, expected the path of a directory', place: folder.place })
  }
  if (!functions) return []
  if (!Array.isArray(functions.value)) {
    report({ message: 'Unexpected `functions`, expected a list of names', place: functions.place })
    return []
  }
  const directory = typeof folder?.value === 'string' ? folder.value : 'functions'
  return items(functions).flatMap((entry) => {
    // Old rulesets name the options of a function beside it.
    const name = Array.isArray(entry.value) ? (entry.value[0] as unknown) : entry.value
    if (typeof name === 'string' && name !== '')
      return [{ name, file: beside(file, `${directory}/${name}.js`), place: entry.place }]
    report({ message: 'Unexpected function, expected the name of a file without `.js`', place: entry.place })
    return []
  })
}

/** A path beside a file, which can be a URL. */
function beside(file: string, path: string): string {
  if (!isUrl(file)) return joinPath(parentPath(file), path)
  return URL.canParse(path, file) ? new URL(path, file).href : file
}

const start = 'Add `extends: spectral:oas` for the rules of Spectral'

const emptyPart: RulesetPart = { extends: [], formats: undefined, aliases: new Map(), hasRules: false, rules: new Map() }

function readPart(node: Node, options: ParseOptions): RulesetPart {
  return {
    extends: readExtends(child(node, 'extends'), options),
    formats: readFormats(child(node, 'formats'), options),
    aliases: readAliases(child(node, 'aliases'), options),
    hasRules: child(node, 'rules') !== undefined,
    rules: readRules(child(node, 'rules'), options),
  }
}

const levels: readonly ExtendsLevel[] = ['all', 'recommended', 'off']

function readExtends(node: Node | undefined, { report }: ParseOptions): readonly ExtendsEntry[] {
  if (!node) return []
  if (typeof node.value === 'string') {
    return [{ name: node.value, level: 'recommended', isExplicit: false, place: node.place }]
  }
  if (!Array.isArray(node.value)) {
    const hint = 'For example, `extends: [[spectral:oas, all], ./base.yaml]`'
    report({ message: 'Unexpected `extends`, expected a name or a list of names', place: node.place, hint })
    return []
  }
  return items(node).flatMap((entry): ExtendsEntry[] => {
    const { value, place } = entry
    if (typeof value === 'string') return [{ name: value, level: 'recommended', isExplicit: false, place }]
    const [name, written]: readonly unknown[] = Array.isArray(value) ? value : []
    const level = levels.find((known) => known === (written === false ? 'off' : written))
    if (typeof name === 'string' && level) return [{ name, level, isExplicit: true, place: childPlace(place, 0) }]
    if (typeof name !== 'string') {
      report({ message: 'Unexpected entry of `extends`, expected a name or a list such as `[spectral:oas, all]`', place })
    } else {
      const at = written === undefined ? place : childPlace(place, 1)
      const near = typeof written === 'string' ? didYouMean(suggest(written, levels)) : undefined
      report({
        message: `Unexpected level of \`${name}\` in \`extends\`, expected ${listChoices(levels)}`,
        place: at,
        hint: near,
      })
    }
    return []
  })
}

/** Returns the formats that exist. A list in which none exists matches no document. */
function readFormats(node: Node | undefined, { report }: ParseOptions): readonly string[] | undefined {
  if (!node) return undefined
  if (!Array.isArray(node.value)) {
    report({ message: 'Unexpected `formats`, expected a list such as `[oas3]`', place: node.place })
    return undefined
  }
  return items(node).flatMap(({ value, place }) => {
    const format = typeof value === 'string' ? toFormat(value) : undefined
    if (format !== undefined) return [format]
    const shown = typeof value === 'string' ? ` \`${value}\`` : ''
    report({ message: `Unknown format${shown}`, place, hint: formatHint(String(value)) })
    return []
  })
}

function readAliases(node: Node | undefined, options: ParseOptions): ReadonlyMap<string, Alias> {
  const aliases = new Map<string, Alias>()
  for (const [name, entry] of entriesOf(node, 'a mapping from names to lists of expressions', options)) {
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) {
      const message = `Unexpected alias \`${name}\`, expected a letter and then letters, digits, \`_\` or \`-\``
      options.report({ message, place: entry.place, on: 'key' })
    } else {
      const alias = readAlias(entry, options)
      if (alias) aliases.set(name, alias)
    }
  }
  return aliases
}

function readAlias(node: Node, options: ParseOptions): Alias | undefined {
  const { report } = options
  if (!isObject(node.value)) {
    const given = readGiven(node, options)
    return given && { kind: 'simple', given: given.map(({ text }) => text) }
  }
  checkKeys(node, node.value, ['description', 'targets'], 'key of an alias', options)
  const targets = child(node, 'targets')
  if (!targets || !Array.isArray(targets.value) || targets.value.length === 0) {
    const message = 'Unexpected alias, expected a list of expressions, or `targets` with `formats` and `given`'
    report({ message, place: (targets ?? node).place })
    return undefined
  }
  return {
    kind: 'scoped',
    targets: items(targets).flatMap((target) => {
      const formats = readFormats(child(target, 'formats'), options)
      const given = child(target, 'given')
      const expressions = given && readGiven(given, options)
      if (formats && expressions) return [{ formats, given: expressions.map(({ text }) => text) }]
      if (!formats || !given) report({ message: 'Unexpected target, expected `formats` and `given`', place: target.place })
      return []
    }),
  }
}

/** Returns `undefined` if there is no valid expression. */
function readGiven(node: Node, { report, checkPath }: ParseOptions): readonly GivenText[] | undefined {
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

function readRules(node: Node | undefined, options: ParseOptions): ReadonlyMap<string, RuleEntry> {
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

const severityWords: ReadonlyMap<unknown, Severity | 'off'> = new Map<unknown, Severity | 'off'>([
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

const severityNames = ['error', 'warn', 'info', 'hint', 'off']

function severityHint(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return didYouMean(severityNames.find((name) => name.length > 3 && value.startsWith(name)) ?? suggest(value, severityNames))
}

function readRule(name: string, node: Node, options: ParseOptions): RuleEntry | undefined {
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
function readDefinition(name: string, node: Node, value: JsonObject, options: ParseOptions): RuleDefinition | undefined {
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
    tests: child(node, 'x-tests'),
  }
  return Object.fromEntries(Object.entries(optional).filter(([, field]) => field !== undefined))
}

function readSeverity(node: Node | undefined, { report }: ParseOptions): Severity | 'off' | undefined {
  if (!node) return undefined
  const severity = severityWords.get(node.value)
  if (!severity) {
    const message = `Unexpected \`severity\`, expected ${listChoices(severityNames)}`
    report({ message, place: node.place, hint: severityHint(node.value) })
  }
  return severity
}

/** Returns `undefined` if one of the actions cannot be used. */
function readActions(node: Node, options: ParseOptions): readonly RuleAction[] | undefined {
  const nodes = Array.isArray(node.value) ? items(node) : [node]
  if (nodes.length === 0) options.report({ message: 'Empty list, expected at least one `function`', place: node.place })
  const actions = nodes.flatMap((action) => readAction(action, options) ?? [])
  return actions.length === nodes.length && nodes.length > 0 ? actions : undefined
}

function readAction(node: Node, options: ParseOptions): RuleAction | undefined {
  const { functions, report } = options
  if (!isObject(node.value)) {
    report({ message: 'Unexpected `then`, expected a mapping with `function`', place: node.place })
    return undefined
  }
  const named = child(node, 'function')
  const misspelt = named ? undefined : findMisspelt('function', node.value, actionKeys)
  if (misspelt !== undefined) {
    const message = `Missing \`function\`, found \`${shorten(misspelt)}\``
    report({ message, place: childPlace(node.place, misspelt), on: 'key', hint: didYouMean('function') })
    return undefined
  }
  // Spectral ignores other keys here, so a ruleset that it accepts has no errors.
  checkKeys(node, node.value, actionKeys, 'key in `then`', options, 'warning')
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

function readOverrides(node: Node | undefined, options: ParseOptions): readonly OverrideEntry[] {
  const { report } = options
  if (!node) return []
  if (!Array.isArray(node.value)) {
    const hint = 'For example, `overrides: [{ files: ["v2/**/*.yaml"], rules: { some-rule: off } }]`'
    report({ message: 'Unexpected `overrides`, expected a list', place: node.place, hint })
    return []
  }
  return items(node).flatMap((entry) => {
    if (!isObject(entry.value)) {
      report({ message: 'Unexpected entry of `overrides`, expected a mapping with `files` and `rules`', place: entry.place })
      return []
    }
    checkKeys(entry, entry.value, overrideKeys, 'key in `overrides`', options)
    explainParserOptions(child(entry, 'parserOptions'), options)
    const files = child(entry, 'files')
    if (!files || !Array.isArray(files.value) || files.value.length === 0) {
      const hint = 'For example, `files: ["v2/**/*.yaml"]`'
      report({ message: 'Missing `files`, expected a list of patterns', place: (files ?? entry).place, hint })
      return []
    }
    if (!child(entry, 'rules') && !child(entry, 'extends')) {
      report({ message: 'Override without `rules`', place: entry.place, hint: 'Add `rules`' })
    }
    const targets = items(files).flatMap((target) => readTarget(target, options))
    const part = readPart(entry, options)
    if (targets.some(({ pointer }) => pointer !== undefined)) rejectDefinitions(part, report)
    return [{ targets, ...part }]
  })
}

function readTarget({ value, place }: Node, { report, countPattern }: ParseOptions): OverrideTarget[] {
  if (typeof value !== 'string' || value === '' || value.startsWith('#')) {
    const hint = typeof value === 'string' && value !== '' ? `Did you mean \`**${value}\`?` : undefined
    report({ message: 'Unexpected value in `files`, expected a pattern such as `v2/**/*.yaml`', place, hint })
    return []
  }
  if (!countPattern(value.length, place)) return []
  const hash = value.indexOf('#')
  const pattern = readFilePattern(hash === -1 ? value : value.slice(0, hash))
  const pointer = hash === -1 ? undefined : decodePercent(value.slice(hash + 1))
  if (pattern.kind === 'failed') {
    report({ message: `Cannot read the pattern \`${shorten(value)}\`: ${pattern.reason}`, place })
    return []
  }
  if (pointer !== undefined && pointer !== '' && !pointer.startsWith('/')) {
    const hint = 'Write it as a JSON Pointer, for example `**#/paths/~1pets`'
    report({ message: `Unexpected \`#${shorten(pointer)}\`, expected \`#/\``, place, hint })
    return []
  }
  return countPattern(pattern.size, place) ? [{ test: pattern.test, pointer }] : []
}

/** A rule as a whole cannot apply to a part of a file. */
function rejectDefinitions(part: RulesetPart, report: ReportProblem): void {
  for (const [name, { kind, place }] of part.rules) {
    if (kind === 'severity') continue
    const message = `Unexpected value of the rule \`${name}\`, expected a severity for the JSON Pointers in \`files\``
    report({ message, place })
  }
}

/** `except` of Spectral 5: rules that are off for files or parts of them. */
function readExcept(node: Node | undefined, options: ParseOptions): readonly OverrideEntry[] {
  return entriesOf(node, 'a mapping from files to lists of rules', options).flatMap(([pattern, entry]) => {
    const target = readTarget({ value: pattern.startsWith('#') ? `**${pattern}` : pattern, place: entry.place }, options)
    if (!Array.isArray(entry.value)) {
      options.report({ message: 'Unexpected value in `except`, expected a list of rules', place: entry.place })
      return []
    }
    const rules = new Map<string, RuleEntry>()
    for (const { value, place } of items(entry)) {
      if (typeof value === 'string') rules.set(value, { kind: 'severity', severity: 'off', place })
      else options.report({ message: 'Unexpected value in `except`, expected the name of a rule', place })
    }
    return [{ ...emptyPart, targets: target, hasRules: true, rules }]
  })
}

/** What Spectral reports about the syntax of documents, our codes report. */
function explainParserOptions(node: Node | undefined, options: ParseOptions): void {
  for (const [key, { value, place }] of entriesOf(node, 'a mapping', options)) {
    if (key !== 'duplicateKeys' && key !== 'incompatibleValues') {
      const hint = didYouMean(suggest(key, ['duplicateKeys', 'incompatibleValues']))
      options.report({ message: `Unknown key \`${shorten(key)}\` in \`parserOptions\``, place, on: 'key', hint })
    } else if (!severityWords.has(value)) {
      const message = `Unexpected \`${key}\`, expected ${listChoices(severityNames)}`
      options.report({ message, place, hint: severityHint(value) })
    } else if (key === 'duplicateKeys' && severityWords.get(value) !== 'error') {
      const message = '`duplicateKeys` has no effect: a duplicate key is always an error (`duplicate-key`)'
      options.report({ message, place, on: 'key', severity: 'info' })
    }
  }
}

function readText(node: Node | undefined, report: ReportProblem): string | undefined {
  if (!node || typeof node.value === 'string') return node?.value as string | undefined
  report({ message: `Unexpected \`${lastKey(node)}\`, expected a string`, place: node.place })
  return undefined
}

function readFlag(node: Node | undefined, report: ReportProblem): boolean | undefined {
  if (!node || typeof node.value === 'boolean') return node?.value as boolean | undefined
  report({ message: `Unexpected \`${lastKey(node)}\`, expected \`true\` or \`false\``, place: node.place })
  return undefined
}

function readUrl(node: Node | undefined, { report }: ParseOptions): string | undefined {
  if (!node) return undefined
  if (typeof node.value === 'string' && isUrl(node.value) && URL.canParse(node.value)) return node.value
  report({ message: 'Unexpected `documentationUrl`, expected a URL with `https://`', place: node.place })
  return undefined
}

function lastKey({ place: { pointer } }: Node): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** More would only fill the report. */
const maxUnknownKeys = 100

/** Reports the keys of a mapping that are not known. Keys that start with `x-` are extensions. */
function checkKeys(
  node: Node,
  value: JsonObject,
  known: readonly string[],
  what: string,
  { report }: ParseOptions,
  severity?: Severity,
): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-') && key !== '$schema')
  for (const key of unknown.slice(0, maxUnknownKeys)) {
    const hint = didYouMean(suggest(key, known)) ?? `Expected ${listChoices(known)}`
    const place = childPlace(node.place, key)
    report({ message: `Unknown ${what}: \`${shorten(key)}\``, place, on: 'key', hint, ...(severity && { severity }) })
  }
}

/** The unknown key of a mapping that is most like a missing one. */
function findMisspelt(missing: string, value: JsonObject, known: readonly string[]): string | undefined {
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return suggest(missing, unknown)
}

/** The entries of a mapping. Reports a value that is no mapping. */
function entriesOf(node: Node | undefined, expected: string, { report }: ParseOptions): readonly (readonly [string, Node])[] {
  if (!node) return []
  if (isObject(node.value)) {
    return Object.entries(node.value).map(([key, value]) => [key, { value, place: childPlace(node.place, key) }])
  }
  report({ message: `Unexpected \`${lastKey(node)}\`, expected ${expected}`, place: node.place })
  return []
}

function items({ value, place }: Node): readonly Node[] {
  return Array.isArray(value) ? value.map((entry: unknown, index) => ({ value: entry, place: childPlace(place, index) })) : []
}

function child(node: Node, key: string): Node | undefined {
  const { value, place } = node
  if (!isObject(value) || !Object.hasOwn(value, key) || value[key] === undefined) return undefined
  return { value: value[key], place: childPlace(place, key) }
}

function childPlace({ file, pointer }: RulesetPlace, key: string | number): RulesetPlace {
  return { file, pointer: pointerChild(pointer, key) }
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
