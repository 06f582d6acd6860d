import { checkDescription } from '../../checks/check-description.ts'
import { keywordsWith } from '../../openapi/schema/json-schema.ts'
import { isContainer, isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { parsePath } from '../path/parse-path.ts'
import type { Step } from '../path/syntax.ts'
import type { Path, ReportProblem, Rule, RulesetPlace, RuleTests } from '../ruleset.ts'
import { type RunWithin, runRuleset } from './run-ruleset.ts'

/** What a rule says about a document. */
export type ExampleResult =
  | {
      readonly kind: 'run'
      /** The problems of the rule, such as "`summary` must be present". */
      readonly problems: readonly { readonly message: string; readonly pointer: string }[]
      /** Whether the rule selects a value, or its function cannot tell. */
      readonly selectsValue: boolean
    }
  | { readonly kind: 'failed'; readonly reason: string }

/** The most values of an example. Aliases of YAML can make a small file large. */
const maxValues = 100_000

/** Applies a rule to a document without other files. */
export async function runExample(rule: Rule, document: JsonObject, runWithin: RunWithin): Promise<ExampleResult> {
  if (countValues(document) > maxValues) return { kind: 'failed', reason: 'the example is too large' }
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  const { description, documents, follow, findings } = await checkDescription(file, async (path) =>
    path === file
      ? { kind: 'loaded', bytes }
      : { kind: 'failed', code: 'file-missing', reason: 'an example cannot reference other files' },
  )
  if (!description || !follow) {
    const [first] = findings
    return { kind: 'failed', reason: `it is no OpenAPI document${first ? `: ${first.message}` : ''}` }
  }
  const run = (each: Rule) =>
    runRuleset({ rules: new Map([[rule.name, each]]), overrides: [] }, { entryPath: file, documents, follow }, runWithin)
  const found = run(rule)
  const failure = found.find(({ code }) => code === 'ruleset-problem')
  if (failure) return { kind: 'failed', reason: failure.message }
  const problems = found.map(({ message, pointer }) => ({ message, pointer }))
  const selectsValue = problems.length > 0 || run(toSelecting(rule)).length > 0
  return { kind: 'run', problems, selectsValue }
}

const file = 'example.json'

/** A rule that reports every value that it selects. */
function toSelecting(rule: Rule): Rule {
  const [action] = rule.then
  if (!action) return rule
  // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
  return { ...rule, then: [{ ...action, field: undefined, run: () => [{ message: 'selected' }] }] }
}

/** Counts shared values as often as they occur. Stops soon after the limit. */
function countValues(value: unknown): number {
  let count = 0
  const pending: unknown[] = [value]
  while (pending.length > 0 && count <= maxValues) {
    const next = pending.pop()
    count++
    if (!isContainer(next)) continue
    const inner: readonly unknown[] = Array.isArray(next) ? next : isObject(next) ? Object.values(next) : []
    if (pending.length + inner.length > maxValues) return maxValues + 1
    for (const each of inner) pending.push(each)
  }
  return count
}

/** An example of a rule to read. The rule was applied to it. */
export interface ShownExample {
  readonly isValid: boolean
  /** A document, or a part of one. */
  readonly value: unknown
  /** What the rule says about it. */
  readonly messages: readonly string[]
}

/**
 * Finds the first failing and the first passing example in `x-tests` of a rule.
 *
 * The rule is applied to every example. One that does not do what it says is left out, so the result can be empty.
 *
 * @param release the version of OpenAPI of the examples, such as `3.1.1`.
 */
export async function findExamples(rule: Rule, release: string, runWithin: RunWithin): Promise<readonly ShownExample[]> {
  const written = rule.tests ? readTests(rule.tests, () => {}) : []
  const found: ShownExample[] = []
  for (const verdict of [false, true]) {
    for (const { isValid, value } of written) {
      if (isValid !== verdict) continue
      const placed = placeExample(value, rule.given, release)
      const result = placed.kind === 'placed' ? await runExample(rule, placed.document, runWithin) : undefined
      if (result?.kind !== 'run' || (result.problems.length === 0) !== isValid) continue
      found.push({ isValid, value, messages: result.problems.map(({ message }) => message) })
      break
    }
  }
  return found
}

/** A document for an example, or why there is none. */
export type PlacedExample =
  | { readonly kind: 'placed'; readonly document: JsonObject }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Makes a document of an example, which is a document or the value that `given` selects.
 *
 * A mapping with `openapi`, or with the first key of a path in `given`, is a document. Anything else is put where `given` selects it, if
 * that is a simple path.
 *
 * @param release the version of documents without `openapi`.
 */
export function placeExample(value: unknown, given: readonly string[], release: string): PlacedExample {
  const paths = given.flatMap((expression) => {
    const found = findSimplePath(expression)
    return found ? [found] : []
  })
  const [path] = paths
  if (isObject(value) && isDocument(value, paths)) return { kind: 'placed', document: { openapi: release, ...value } }
  if (path) {
    const part = putAt(path, value)
    if (isObject(part)) return { kind: 'placed', document: { openapi: release, ...(path.length > 0 && required), ...part } }
    return { kind: 'failed', reason: 'expected a mapping, because `given` selects the document' }
  }
  const reason =
    given.length === 0
      ? 'the rule selects nothing in this version of OpenAPI'
      : 'expected a document, because `given` is no simple path such as `$.paths[*]`'
  return { kind: 'failed', reason }
}

/** What every document has. */
const required = { info: { title: 'Example', version: '1.0.0' }, paths: {} }

const rootKeys = ['openapi', 'info', 'paths', 'webhooks', 'components', 'servers', 'tags', 'security', 'externalDocs']

function isDocument(value: JsonObject, paths: readonly Path[]): boolean {
  if (Object.hasOwn(value, 'openapi')) return true
  if (paths.length === 0) return rootKeys.some((key) => Object.hasOwn(value, key))
  return paths.some(([first]) => first === undefined || Object.hasOwn(value, first))
}

/** Puts a value at a path of an empty document. Every entry of a list is its first. */
function putAt(path: Path, value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)
}

/** The path of a value that an expression selects. Undefined if that depends on other values. */
export function findSimplePath(expression: string): Path | undefined {
  const parsed = parsePath(expression)
  if (parsed.kind === 'failed' || parsed.path.selectsKeys) return undefined
  const path: (string | number)[] = []
  for (const step of parsed.path.steps) {
    const key = findKey(step, path)
    if (key === undefined) return undefined
    path.push(key)
  }
  return path
}

function findKey(step: Step, path: Path): string | number | undefined {
  if (step.kind !== 'children' || step.isDeep) return undefined
  const [selector] = step.selectors
  if (selector?.kind === 'name') return selector.name === '0' && isList(path) ? 0 : selector.name
  return selector?.kind === 'wildcard' ? (isList(path) ? 0 : nameEntry(path)) : undefined
}

const lists = ['tags', 'servers', 'parameters', 'security', 'required', 'enum', ...keywordsWith('list')]

function isList(path: Path): boolean {
  return lists.includes(String(path.at(-1))) && path.at(-2) !== 'components' && path.at(-2) !== 'properties'
}

/** A key for an entry of the mapping at a path. */
function nameEntry(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'info'
  if (path.at(-2) === 'components') return 'Example'
  if (path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks')) return 'get'
  const names: ReadonlyMap<string | number, string> = new Map([
    ['paths', '/example'],
    ['responses', '200'],
    ['content', 'application/json'],
    ['components', 'schemas'],
  ])
  return names.get(last) ?? 'example'
}

/** An example of a rule in `x-tests`. */
export interface RuleExample {
  /** Whether the rule has to accept it. */
  readonly isValid: boolean
  readonly value: unknown
  readonly place: RulesetPlace
}

const verdicts = ['valid', 'invalid']
const hint = 'For example, `x-tests: [{ valid: { summary: List pets } }, { invalid: {} }]`'

/** Reads `x-tests`, a list of mappings with `valid` or `invalid`. Reports every mistake, and reads the rest. */
export function readTests({ value, place }: RuleTests, report: ReportProblem): readonly RuleExample[] {
  if (!Array.isArray(value)) {
    report({ message: 'Unexpected `x-tests`, expected a list of examples', place, hint })
    return []
  }
  return value.flatMap((entry: unknown, index) => {
    const at = { ...place, pointer: pointerChild(place.pointer, index) }
    const keys = isObject(entry) ? Object.keys(entry) : []
    if (keys.length === 0) report({ message: 'Unexpected entry of `x-tests`, expected `valid` or `invalid`', place: at, hint })
    return keys.flatMap((key) => {
      const keyPlace = { ...at, pointer: pointerChild(at.pointer, key) }
      if (verdicts.includes(key) && isObject(entry)) return [{ isValid: key === 'valid', value: entry[key], place: keyPlace }]
      const near = didYouMean(suggest(key, verdicts)) ?? hint
      report({
        message: `Unknown key \`${key}\` in \`x-tests\`, expected \`valid\` or \`invalid\``,
        place: keyPlace,
        on: 'key',
        hint: near,
      })
      return []
    })
  })
}
