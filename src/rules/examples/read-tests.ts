import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { ReportProblem } from '../read/types.ts'
import type { RulesetPlace, RuleTests } from '../ruleset.ts'

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
