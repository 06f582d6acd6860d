import { isObject, listOf, readOwn, readText } from '../../text/json/json-values.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import type { FunctionDefinition, RuleFunction } from '../ruleset.ts'
import { checkOptions, isNumber, isText, nameValue, type OptionTable, type OptionTest, showValue } from './options.ts'

/** Allowed values that a message lists. */
const maxListed = 20

const isScalarList: OptionTest = (value) =>
  Array.isArray(value) && value.every((entry) => entry === null || ['string', 'number', 'boolean'].includes(typeof entry))
    ? undefined
    : 'a list of strings, numbers, booleans or `null`'

const enumerationTable: OptionTable = {
  function: 'enumeration',
  options: { values: isScalarList },
  required: ['values'],
  example: '{ values: [active, retired] }',
}

/** Scalar values are one of a list. Lists, mappings and missing values are skipped. */
const runEnumeration: RuleFunction = (value, options, context) => {
  if (value === undefined || (typeof value === 'object' && value !== null)) return []
  const values = listOf(readOwn(options, 'values'))
  if (values.includes(value)) return []
  return [
    { message: `${nameValue(context.path)} is ${showValue(value)}, expected one of ${listFirst(values, maxListed, showValue)}` },
  ]
}

const lengthTable: OptionTable = {
  function: 'length',
  options: { min: isNumber, max: isNumber },
  needsOne: true,
  example: '{ min: 1, max: 80 }',
}

/** The UTF-16 units of a string, the entries of a list, the keys of a mapping, or a number itself. Other values are skipped. */
const runLength: RuleFunction = (value, options, context) => {
  const size = measure(value)
  if (size === undefined || !isObject(options)) return []
  const { min, max } = options
  const unit = nameUnit(value)
  return [
    ...(typeof min === 'number' && size < min
      ? [{ message: `${nameValue(context.path)} must have at least ${min}${unit}, found ${size}` }]
      : []),
    ...(typeof max === 'number' && size > max
      ? [{ message: `${nameValue(context.path)} must have at most ${max}${unit}, found ${size}` }]
      : []),
  ]
}

function measure(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : undefined
}

function nameUnit(value: unknown): string {
  if (typeof value === 'string') return ' characters'
  return Array.isArray(value) ? ' entries' : isObject(value) ? ' keys' : ''
}

const alphabeticalTable: OptionTable = {
  function: 'alphabetical',
  options: { keyedBy: isText },
  mayBeAbsent: true,
  example: '{ keyedBy: name }',
}

/** The entries of a list, the keys of a mapping, or a key of the entries of a list, are in alphabetical order. */
const runAlphabetical: RuleFunction = (value, options, context) => {
  const entries: readonly unknown[] | undefined = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : undefined
  if (!entries || entries.length < 2) return []
  const keyedBy = readText(options, 'keyedBy')
  if (keyedBy !== undefined && !entries.every((entry) => typeof entry === 'object' && entry !== null)) {
    return [{ message: `The entries of ${nameValue(context.path)} must be mappings with \`${shorten(keyedBy)}\`` }]
  }
  const words = keyedBy === undefined ? entries : entries.map((entry) => readOwn(entry, keyedBy))
  if (!words.every(isWord))
    return [{ message: `${nameValue(context.path)} must have only strings and numbers to be in alphabetical order` }]
  const index = words.findIndex((word, at) => at > 0 && isAfter(words[at - 1] ?? word, word)) - 1
  const [word, next] = [words[index], words[index + 1]]
  if (index < 0 || word === undefined) return []
  const message = `${showValue(word)} must be placed after ${showValue(next)}: the order is alphabetical`
  return [keyedBy === undefined ? { message, path: [...context.path, Array.isArray(value) ? index : word] } : { message }]
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

const collator = new Intl.Collator('en')

/**
 * Whether a word belongs after the next one. Strings are compared as people sort them, a number and a following numeric string by value.
 * Other mixtures of strings and numbers have no order.
 */
function isAfter(word: string | number, next: string | number): boolean {
  if (typeof word === 'number') {
    return (typeof next === 'number' || !Number.isNaN(Number(next))) && word - Number(next) >= 1
  }
  if (typeof next === 'number') return false
  // A word before a numeric string has no order either.
  if (Number.isNaN(Number(word)) && !Number.isNaN(Number(next))) return false
  return collator.compare(word, next) >= 1
}

/** Functions that compare values. Source: Spectral, "Core Functions" (docs/reference/functions.md). */
export const valueFunctions: readonly FunctionDefinition[] = [
  { name: 'enumeration', checkOptions: (options) => checkOptions(enumerationTable, options), run: runEnumeration },
  { name: 'length', checkOptions: (options) => checkOptions(lengthTable, options), run: runLength },
  { name: 'alphabetical', checkOptions: (options) => checkOptions(alphabeticalTable, options), run: runAlphabetical },
]
