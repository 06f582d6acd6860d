import { isObject } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { decodePercent, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { FunctionEntry, ReportProblem } from '../ruleset.ts'
import { readFilePattern } from './file-patterns.ts'
import { readGiven, readRules, severityHint, severityNames, severityWords } from './parse-rule.ts'
import {
  checkKeys,
  child,
  childPlace,
  entriesOf,
  items,
  type ParseOptions,
  type RulesetNode,
  readFormats,
  readUrl,
  shorten,
} from './ruleset-nodes.ts'
import type {
  Alias,
  ExtendsEntry,
  ExtendsLevel,
  OverrideEntry,
  OverrideTarget,
  RuleEntry,
  RulesetFile,
  RulesetPart,
} from './types.ts'

const rulesetKeys = [
  ...['extends', 'rules', 'formats', 'aliases', 'overrides', 'except', 'functions', 'functionsDir'],
  ...['documentationUrl', 'description', 'parserOptions'],
]
const overrideKeys = ['files', 'extends', 'rules', 'formats', 'aliases', 'parserOptions', 'description']

/**
 * Reads one file of a ruleset. Reports every mistake, leaves out what cannot be used, and reads the rest.
 *
 * Source: Spectral, the guides in `docs/guides` and the JSON Schemas in `packages/core/src/ruleset/meta`.
 */
export function parseRuleset(value: unknown, options: ParseOptions): RulesetFile {
  const { file, report } = options
  const root: RulesetNode = { value, place: { file, pointer: '' } }
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
  const root: RulesetNode = { value, place: { file, pointer: '' } }
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

function readPart(node: RulesetNode, options: ParseOptions): RulesetPart {
  return {
    extends: readExtends(child(node, 'extends'), options),
    formats: readFormats(child(node, 'formats'), options),
    aliases: readAliases(child(node, 'aliases'), options),
    hasRules: child(node, 'rules') !== undefined,
    rules: readRules(child(node, 'rules'), options),
  }
}

const levels: readonly ExtendsLevel[] = ['all', 'recommended', 'off']

function readExtends(node: RulesetNode | undefined, { report }: ParseOptions): readonly ExtendsEntry[] {
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

function readAliases(node: RulesetNode | undefined, options: ParseOptions): ReadonlyMap<string, Alias> {
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

function readAlias(node: RulesetNode, options: ParseOptions): Alias | undefined {
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

function readOverrides(node: RulesetNode | undefined, options: ParseOptions): readonly OverrideEntry[] {
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

function readTarget({ value, place }: RulesetNode, { report, countPattern }: ParseOptions): OverrideTarget[] {
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
function readExcept(node: RulesetNode | undefined, options: ParseOptions): readonly OverrideEntry[] {
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
function explainParserOptions(node: RulesetNode | undefined, options: ParseOptions): void {
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
