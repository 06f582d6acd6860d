import { isObject, type JsonObject } from '../../../source/is-object.ts'
import type { Path, Rule, RuleAction } from '../ruleset.ts'
import type { RunWithin } from '../run-ruleset.ts'
import { findSimplePath, placeExample, putAt } from './place-example.ts'
import { readTests } from './read-tests.ts'
import { runExample } from './run-example.ts'
import { absent, listSampleValues } from './sample-values.ts'
import { spectralExamples } from './spectral-examples.ts'

/** An example of a rule to read. The rule was applied to it. */
export interface ShownExample {
  readonly isValid: boolean
  /** A document, or a part of one. */
  readonly value: unknown
  /** What the rule says about it. */
  readonly messages: readonly string[]
}

/**
 * Finds a failing and a passing example of a rule: those in `x-tests`, else one that is made for its function.
 *
 * The rule is applied to every example. One that does not do what it says is left out, so the result can be empty.
 *
 * @param release the version of OpenAPI of the examples, such as `3.1.1`.
 */
export async function findExamples(rule: Rule, release: string, runWithin: RunWithin): Promise<readonly ShownExample[]> {
  const tryExample = async (value: unknown, isValid: boolean, tried = rule, isMade = true): Promise<ShownExample | undefined> => {
    const placed = placeExample(value, tried.given, release)
    const result = placed.kind === 'placed' ? await runExample(tried, placed.document, runWithin) : undefined
    if (result?.kind !== 'run' || (result.problems.length === 0) !== isValid) return undefined
    // A made example without the value would say nothing.
    if (isMade && !result.selectsValue) return undefined
    return { isValid, value, messages: result.problems.map(({ message }) => message) }
  }
  const written = rule.tests ? readTests(rule.tests, () => {}) : []
  const known = rule.place.file === 'spectral:oas' ? spectralExamples.get(rule.name) : undefined
  const candidates = [
    ...written,
    ...(known
      ? [
          { isValid: false, value: known.invalid },
          { isValid: true, value: known.valid },
        ]
      : []),
  ]
  const found: ShownExample[] = []
  for (const isValid of [false, true]) {
    for (const candidate of candidates) {
      if (candidate.isValid !== isValid) continue
      const example = await tryExample(candidate.value, isValid, rule, false)
      if (!example) continue
      found.push(example)
      break
    }
  }
  return found.length > 0 ? found : await makeExamples(rule, tryExample)
}

type TryExample = (value: unknown, isValid: boolean, rule?: Rule) => Promise<ShownExample | undefined>

/** Makes examples from values that fit the functions of a rule. */
async function makeExamples(rule: Rule, tryExample: TryExample): Promise<readonly ShownExample[]> {
  const expression = rule.given.find((each) => findSimplePath(each) !== undefined)
  const path = expression === undefined ? undefined : findSimplePath(expression)
  if (!path) return []
  const toDocument = (values: readonly unknown[]): JsonObject | undefined => {
    const value = combine(rule.then, values)
    const document = value === absent ? undefined : putAt(path, value)
    return isObject(document) ? document : undefined
  }
  /** For each action, a value that it accepts, and those that it does not. */
  const choices: { readonly valid: unknown; readonly invalid: readonly unknown[] }[] = []
  for (const action of rule.then) {
    // biome-ignore lint/suspicious/noThenProperty: the field of rulesets
    const alone: Rule = { ...rule, then: [action] }
    const fieldPath = toFieldPath(action)
    if (!fieldPath) return []
    let valid: unknown = absent
    const invalid: unknown[] = []
    for (const value of listSampleValues(action, [...path, ...fieldPath])) {
      const document = toDocument(rule.then.map((each) => (each === action ? value : absent)))
      if (!document) continue
      if (valid === absent && (await tryExample(document, true, alone))) valid = value
      else if (invalid.length === 0 && (await tryExample(document, false, alone))) invalid.push(value)
      if (valid !== absent && invalid.length > 0) break
    }
    choices.push({ valid, invalid })
  }
  const valids = choices.map(({ valid }) => valid)
  const found: (ShownExample | undefined)[] = []
  for (const [index, { invalid }] of choices.entries()) {
    // Other actions can have a value for the same field.
    const isOther = (at: number) => at !== index && rule.then[at]?.field === rule.then[index]?.field
    const values = valids.with(index, invalid[0]).map((value, at) => (isOther(at) ? absent : value))
    const document = invalid.length > 0 ? toDocument(values) : undefined
    const example = document && (await tryExample(document, false))
    if (!example) continue
    found.push(example)
    break
  }
  const document = toDocument(valids)
  found.push(document && (await tryExample(document, true)))
  return found.filter((example) => example !== undefined)
}

/** The path of a field inside the value that `given` selects. Undefined if it cannot be made. */
function toFieldPath({ field }: RuleAction): Path | undefined {
  if (field === undefined) return []
  if (field === '@key') return ['@key']
  const known = /^[\w-]+$/.test(field) ? [field] : undefined
  return known ?? findSimplePath(field.startsWith('$') ? field : `$.${field}`)
}

/** The value that `given` selects, with a value for each action. */
function combine(actions: readonly RuleAction[], values: readonly unknown[]): unknown {
  let whole: unknown = absent
  for (const [index, action] of actions.entries()) {
    const path = toFieldPath(action) ?? []
    const value = values[index]
    if (path.length === 0) {
      if (value !== absent) whole = merge(whole, value)
    } else if (path[0] === '@key') whole = merge(whole, typeof value === 'string' ? { [value]: {} } : {})
    else whole = merge(whole, value === absent ? putAt(path.slice(0, -1), {}) : putAt(path, value))
  }
  return whole
}

function merge(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return second
  const merged = Object.entries(second).map(([key, value]) => [key, Object.hasOwn(first, key) ? merge(first[key], value) : value])
  return { ...first, ...Object.fromEntries(merged) }
}
