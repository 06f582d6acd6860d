import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import type { OptionsProblem, Path } from '../ruleset.ts'

/** Says what an option has to be, if it is wrong: completes "expected …". */
export type OptionTest = (value: unknown) => string | undefined

export interface OptionTable {
  readonly function: string
  readonly options: Readonly<Record<string, OptionTest>>
  readonly required?: readonly string[]
  /** At least one of the options is required. */
  readonly needsOne?: boolean
  /** `functionOptions` may be absent. */
  readonly mayBeAbsent?: boolean
  /** `functionOptions` for the hint. */
  readonly example: string
}

/** Checks `functionOptions` against the table of a function. */
export function checkOptions(table: OptionTable, options: unknown): OptionsProblem | undefined {
  const hint = `For example, \`functionOptions: ${table.example}\``
  if ((options === undefined || options === null) && table.mayBeAbsent) return undefined
  if (!isObject(options)) {
    return { message: `Missing \`functionOptions\` of the function \`${table.function}\`, expected a mapping`, pointer: '', hint }
  }
  const names = Object.keys(table.options)
  for (const [name, value] of Object.entries(options)) {
    const pointer = pointerChild('', name)
    const test = Object.hasOwn(table.options, name) ? table.options[name] : undefined
    if (!test) {
      return {
        message: `Unknown option \`${name}\` of the function \`${table.function}\`, expected ${listChoices(names)}`,
        pointer,
        hint: didYouMean(suggest(name, names)) ?? hint,
      }
    }
    const expected = test(value)
    if (expected !== undefined) {
      return { message: `Wrong option \`${name}\` of the function \`${table.function}\`, expected ${expected}`, pointer, hint }
    }
  }
  const missing = table.required?.find((name) => !Object.hasOwn(options, name))
  if (missing !== undefined) {
    return { message: `Missing option \`${missing}\` of the function \`${table.function}\``, pointer: '', hint }
  }
  if (table.needsOne && Object.keys(options).length === 0) {
    return { message: `Missing option of the function \`${table.function}\`, expected ${listChoices(names)}`, pointer: '', hint }
  }
  return undefined
}

/** Checks that a function without options has none. */
export function checkNoOptions(name: string): (options: unknown) => OptionsProblem | undefined {
  return (options) =>
    options === undefined || options === null
      ? undefined
      : {
          message: `Unexpected \`functionOptions\`, expected none: the function \`${name}\` has no options`,
          pointer: '',
          hint: 'Remove `functionOptions`',
        }
}

export const isText: OptionTest = (value) => (typeof value === 'string' ? undefined : 'a string')
export const isNumber: OptionTest = (value) => (typeof value === 'number' ? undefined : 'a number')
export const isBoolean: OptionTest = (value) => (typeof value === 'boolean' ? undefined : '`true` or `false`')

/** A list of strings with at least two entries. */
export const isNameList: OptionTest = (value) =>
  isTextList(value) && value.length >= 2 ? undefined : 'a list of at least two names'

/** Whether a value is a list of strings. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => isText(entry) === undefined)
}

/** One of several values. */
export function isOneOf(choices: readonly (string | number)[]): OptionTest {
  return (value) => (choices.some((choice) => choice === value) ? undefined : listChoices(choices.map(String)))
}

/** Names the value at a path at the start of a message: "`summary`", "Entry 2 of `tags`" or "The document". */
export function nameValue(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'The document'
  const list = path.at(-2)
  if (typeof last === 'number')
    return list === undefined ? `Entry ${last + 1}` : `Entry ${last + 1} of \`${shorten(String(list))}\``
  return `\`${shorten(last)}\``
}

/** Formats a value for a message: one line, limited length. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'no value'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'a mapping'
  return value === '' ? 'an empty string' : `\`${shorten(String(value))}\``
}
