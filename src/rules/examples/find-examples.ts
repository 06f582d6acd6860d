import type { Rule } from '../ruleset.ts'
import type { RunWithin } from '../run-ruleset.ts'
import { placeExample } from './place-example.ts'
import { readTests } from './read-tests.ts'
import { runExample } from './run-example.ts'

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
