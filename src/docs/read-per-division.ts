import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { suggest } from '../text/suggest.ts'
import type { PerDivision } from './config.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

/**
 * Makes the reader of a setting that is one of `choices`: for every division, or in a mapping for single ones by their labels.
 *
 * What is none of the choices is a finding and keeps the default.
 */
export function toReadPerDivision<Value extends string | boolean>(
  key: string,
  choices: readonly Value[],
  fallback: PerDivision<Value>,
): (value: unknown, report: Report) => PerDivision<Value> {
  const words = choices.map((choice) => `\`${choice}\``)
  const toChoice = (value: unknown) => choices.find((choice) => choice === value)
  const refuse = (name: string, value: unknown, pointer: string, report: Report) => {
    const near = typeof value === 'string' ? suggest(value, choices.map(String)) : undefined
    report({
      code: typeof fallback.byDefault === 'boolean' ? 'wrong-type' : 'wrong-value',
      message: `Unexpected value for \`${name}\`, expected ${joinWords(words)}${name === key ? ', or a mapping of division labels to these' : ''}`,
      pointer,
      hint:
        near === undefined ? `write for example \`${key}: { API Reference: ${choices.at(-1)} }\`` : `did you mean \`${near}\`?`,
    })
  }
  return (value, report) => {
    if (value === undefined) return fallback
    if (!isObject(value)) {
      const choice = toChoice(value)
      if (choice !== undefined) return { byDefault: choice, byLabel: [] }
      refuse(key, value, pointerChild('', key), report)
      return fallback
    }
    const byLabel = Object.entries(value).flatMap(([label, written]) => {
      const pointer = pointerChild(pointerChild('', key), label)
      const choice = toChoice(written)
      if (choice !== undefined) return { label, value: choice, pointer }
      refuse(label, written, pointer, report)
      return []
    })
    return { byDefault: fallback.byDefault, byLabel }
  }
}

function joinWords(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
