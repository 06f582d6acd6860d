import { listChoices } from '../../text/plain/lists.ts'
import { decodePercent, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import type { FunctionEntry, ReportProblem } from '../ruleset.ts'
import { readFilePattern } from './file-patterns.ts'
import { readGiven, readRules, severityHint, severityNames, severityWords } from './parse-rule.ts'
import { checkKeys, entriesOf, type ParseOptions, RulesetNode, readField, readFormats, readUrl } from './ruleset-nodes.ts'
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
export function parseRuleset(root: RulesetNode, options: ParseOptions): RulesetFile {
  const { report } = options
  const { place, value, entries } = root
  if (!entries) {
    if (value === undefined || value === null) report({ message: 'Empty file, expected a ruleset', place, hint: start })
    else report({ message: 'Unexpected ruleset, expected a mapping with `extends` or `rules`', place })
    return { file: place.file, documentationUrl: undefined, overrides: [], ...emptyPart }
  }
  checkKeys(root, rulesetKeys, 'key', options)
  if (!entries.some(([key]) => ['extends', 'rules', 'overrides', 'except'].includes(key))) {
    report({ message: 'Ruleset without rules, expected `extends` or `rules`', place, hint: start })
  }
  explainParserOptions(root.child('parserOptions'), options)
  return {
    file: place.file,
    documentationUrl: readUrl(root.child('documentationUrl'), report),
    ...readPart(root, options),
    overrides: [...readOverrides(root.child('overrides'), options), ...readExcept(root.child('except'), options)],
  }
}

/** The functions in JavaScript files that a ruleset names. */
export function listFunctions(root: RulesetNode, report: ReportProblem): readonly FunctionEntry[] {
  const folder = readField(root.child('functionsDir'), ({ text }) => text, 'the path of a directory', report) ?? 'functions'
  const functions = readField(root.child('functions'), ({ items }) => items, 'a list of names', report) ?? []
  return functions.flatMap((entry) => {
    const { place } = entry
    // Old rulesets name the options of a function beside it.
    const name = (entry.items?.[0] ?? entry).text
    if (name) return [{ name, file: beside(place.file, `${folder}/${name}.js`), place }]
    report({ message: 'Unexpected function, expected the name of a file without `.js`', place })
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
    extends: readExtends(node.child('extends'), options),
    formats: readFormats(node.child('formats'), options),
    aliases: readAliases(node.child('aliases'), options),
    hasRules: node.child('rules') !== undefined,
    rules: readRules(node.child('rules'), options),
  }
}

const levels: readonly ExtendsLevel[] = ['all', 'recommended', 'off']

function readExtends(node: RulesetNode | undefined, { report }: ParseOptions): readonly ExtendsEntry[] {
  const hint = 'For example, `extends: [[spectral:oas, all], ./base.yaml]`'
  const read = (list: RulesetNode) => (list.text === undefined ? list.items : [list])
  return (readField(node, read, 'a name or a list of names', report, hint) ?? []).flatMap((entry): ExtendsEntry[] => {
    const { text, place, items: [name, written] = [] } = entry
    if (text !== undefined) return [{ name: text, level: 'recommended', isExplicit: false, place }]
    const level = levels.find((known) => known === (written?.value === false ? 'off' : written?.value))
    if (name?.text === undefined) {
      report({ message: 'Unexpected entry of `extends`, expected a name or a list such as `[spectral:oas, all]`', place })
    } else if (level) return [{ name: name.text, level, isExplicit: true, place: name.place }]
    else {
      const message = `Unexpected level of \`${name.text}\` in \`extends\`, expected ${listChoices(levels)}`
      const near = written?.text === undefined ? undefined : didYouMean(suggest(written.text, levels))
      report({ message, place: (written ?? entry).place, hint: near })
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
  if (!node.entries) {
    const given = readGiven(node, options)
    return given && [{ given: given.map(({ text }) => text) }]
  }
  checkKeys(node, ['description', 'targets'], 'key of an alias', options)
  const targets = node.child('targets')
  if (!targets?.items?.length) {
    const message = 'Unexpected alias, expected a list of expressions, or `targets` with `formats` and `given`'
    report({ message, place: (targets ?? node).place })
    return undefined
  }
  return targets.items.flatMap((target) => {
    const formats = readFormats(target.child('formats'), options)
    const given = target.child('given')
    const expressions = given && readGiven(given, options)
    if (formats && expressions) return [{ formats, given: expressions.map(({ text }) => text) }]
    if (!formats || !given) report({ message: 'Unexpected target, expected `formats` and `given`', place: target.place })
    return []
  })
}

function readOverrides(node: RulesetNode | undefined, options: ParseOptions): readonly OverrideEntry[] {
  const { report } = options
  const example = 'For example, `overrides: [{ files: ["v2/**/*.yaml"], rules: { some-rule: off } }]`'
  return (readField(node, ({ items }) => items, 'a list', report, example) ?? []).flatMap((entry) => {
    const { place } = entry
    if (!entry.entries) {
      report({ message: 'Unexpected entry of `overrides`, expected a mapping with `files` and `rules`', place })
      return []
    }
    checkKeys(entry, overrideKeys, 'key in `overrides`', options)
    explainParserOptions(entry.child('parserOptions'), options)
    const files = entry.child('files')
    if (!files?.items?.length) {
      const hint = 'For example, `files: ["v2/**/*.yaml"]`'
      report({ message: 'Missing `files`, expected a list of patterns', place: (files ?? entry).place, hint })
      return []
    }
    if (!entry.child('rules') && !entry.child('extends')) {
      report({ message: 'Override without `rules`', place, hint: 'Add `rules`' })
    }
    const targets = files.items.flatMap((target) => readTarget(target, options))
    const part = readPart(entry, options)
    if (targets.some(({ pointer }) => pointer !== undefined)) rejectDefinitions(part, report)
    return [{ targets, ...part }]
  })
}

function readTarget({ text, place }: RulesetNode, { report, countPattern }: ParseOptions): OverrideTarget[] {
  if (!text || text.startsWith('#')) {
    const hint = text ? `Did you mean \`**${text}\`?` : undefined
    report({ message: 'Unexpected value in `files`, expected a pattern such as `v2/**/*.yaml`', place, hint })
    return []
  }
  if (!countPattern(place, text.length)) return []
  const hash = text.indexOf('#')
  const pattern = readFilePattern(hash === -1 ? text : text.slice(0, hash))
  const pointer = hash === -1 ? undefined : decodePercent(text.slice(hash + 1))
  if (pattern.kind === 'failed') {
    report({ message: `Cannot read the pattern \`${shorten(text)}\`: ${pattern.reason}`, place })
    return []
  }
  if (pointer !== undefined && pointer !== '' && !pointer.startsWith('/')) {
    const hint = 'Write it as a JSON Pointer, for example `**#/paths/~1pets`'
    report({ message: `Unexpected \`#${shorten(pointer)}\`, expected \`#/\``, place, hint })
    return []
  }
  return countPattern(place, pattern.size) ? [{ test: pattern.test, pointer }] : []
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
  return entriesOf(node, 'a mapping from files to lists of rules', options).flatMap(([pattern, { items, place }]) => {
    const targets = readTarget(new RulesetNode(pattern.startsWith('#') ? `**${pattern}` : pattern, place), options)
    if (!items) {
      options.report({ message: 'Unexpected value in `except`, expected a list of rules', place })
      return []
    }
    const rules = new Map<string, RuleEntry>()
    for (const { text, place } of items) {
      if (text !== undefined) rules.set(text, { kind: 'severity', severity: 'off', place })
      else options.report({ message: 'Unexpected value in `except`, expected the name of a rule', place })
    }
    return [{ ...emptyPart, targets, hasRules: true, rules }]
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
