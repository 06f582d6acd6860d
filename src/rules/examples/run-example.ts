import { checkDescription } from '../../openapi/checks/check-description.ts'
import { isContainer, isObject, type JsonObject } from '../../text/json/json-values.ts'
import type { Rule } from '../ruleset.ts'
import { type RunWithin, runRuleset } from '../run-ruleset.ts'

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
