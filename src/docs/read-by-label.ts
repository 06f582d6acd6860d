import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { suggest } from '../text/suggest.ts'
import type { ByLabel } from './config.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

/** A setting that single divisions may have a value of their own for. */
export interface DivisionSetting<Value> {
  readonly key: string
  readonly byDefault: Value
  readonly isValue: (value: unknown) => value is Value
  /** What it can be, in words. */
  readonly expected: string
  /** Where its values are these words, a near one can be meant. */
  readonly words?: readonly string[]
}

/**
 * Makes the reader of a setting: one value for every division, or a mapping of labels to those of single ones.
 *
 * What is no value is a finding, and the default holds.
 */
export function toReadByLabel<Value>(setting: DivisionSetting<Value>): (value: unknown, report: Report) => ByLabel<Value> {
  const { key, byDefault, isValue, expected, words } = setting
  const refuse = (message: string, value: unknown, pointer: string, report: Report) => {
    const near = words && typeof value === 'string' ? suggest(value, words) : undefined
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    report({ code: words ? 'wrong-value' : 'wrong-type', message, pointer, ...hint })
  }
  return (value, report) => {
    const pointer = pointerChild('', key)
    if (value === undefined) return { byDefault, byLabel: [] }
    if (isValue(value)) return { byDefault: value, byLabel: [] }
    if (!isObject(value)) {
      const message = `Unexpected value for \`${key}\`, expected ${expected}, or a mapping of division labels to these`
      refuse(message, value, pointer, report)
      return { byDefault, byLabel: [] }
    }
    const byLabel = Object.entries(value).flatMap(([label, given]) => {
      const place = pointerChild(pointer, label)
      if (isValue(given)) return [{ label, value: given, pointer: place }]
      refuse(`Unexpected value for \`${label}\` in \`${key}\`, expected ${expected}`, given, place, report)
      return []
    })
    return { byDefault, byLabel }
  }
}
