import { entriesOf, isObject, readFlag, readOwn, readText } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { compileExpression } from '../regular-expression.ts'
import type { FunctionDefinition, RuleFunction } from '../ruleset.ts'
import { checkOptions, isBoolean, isOneOf, nameValue, type OptionTable, type OptionTest, showValue } from './options.ts'

const isExpression: OptionTest = (value) => {
  if (typeof value !== 'string') return 'a regular expression as a string'
  const { reason } = compileExpression(value)
  return reason === undefined ? undefined : `a regular expression of JavaScript (${reason})`
}

const patternTable: OptionTable = {
  function: 'pattern',
  options: { match: isExpression, notMatch: isExpression },
  needsOne: true,
  example: '{ match: "^[a-z]+$" }',
}

/** A string matches, or does not match, a regular expression. Other values are skipped. */
const runPattern: RuleFunction = (value, options, context) => {
  if (typeof value !== 'string') return []
  const toProblem = (verb: string, pattern: string) => ({
    message: `${nameText(context.path, value)} ${verb} the pattern \`${shorten(pattern)}\``,
  })
  const [match, notMatch] = [readText(options, 'match'), readText(options, 'notMatch')]
  return [
    ...(match !== undefined && !matches(match, value) ? [toProblem('must match', match)] : []),
    ...(notMatch !== undefined && matches(notMatch, value) ? [toProblem('must not match', notMatch)] : []),
  ]
}

function nameText(path: readonly (string | number)[], value: string): string {
  const name = nameValue(path)
  const shown = showValue(value)
  // With `@key`, the value is its own name.
  return name === shown ? name : `${name} is ${shown} and`
}

function matches(expression: string, text: string): boolean {
  const { compiled } = compileExpression(expression)
  if (!compiled) return false
  compiled.lastIndex = 0
  return compiled.test(text)
}

/**
 * The conventions of `casing`: the first character, the others, and the character that joins words. `capital`: words start with a capital
 * letter instead, which is followed by another character or ends the text.
 */
const conventions: Readonly<Record<string, { first: string; others: string; joiner?: string; capital?: boolean }>> = {
  flat: { first: 'a-z', others: 'a-z' },
  camel: { first: 'a-z', others: 'a-z', capital: true },
  pascal: { first: 'A-Z', others: 'a-z', capital: true },
  kebab: { first: 'a-z', others: 'a-z', joiner: '-' },
  cobol: { first: 'A-Z', others: 'A-Z', joiner: '-' },
  snake: { first: 'a-z', others: 'a-z', joiner: '_' },
  macro: { first: 'A-Z', others: 'A-Z', joiner: '_' },
}

const isSeparator: OptionTest = (value) =>
  [...(readText(value, 'char') ?? 'none')].length <= 1 &&
  [undefined, true, false].some((one) => readOwn(value, 'allowLeading') === one) &&
  entriesOf(value).every(([key]) => key === 'char' || key === 'allowLeading')
    ? undefined
    : 'a mapping with `char`, one character, and optionally `allowLeading`'

const casingTable: OptionTable = {
  function: 'casing',
  options: { type: isOneOf(Object.keys(conventions)), disallowDigits: isBoolean, separator: isSeparator },
  required: ['type'],
  example: '{ type: kebab }',
}

/** A string follows a convention for names. Empty strings and other values are skipped. */
const runCasing: RuleFunction = (value, options, context) => {
  if (typeof value !== 'string' || value === '' || !isObject(options)) return []
  const { type, separator, disallowDigits } = options
  const char = readText(separator, 'char')
  if (readFlag(separator, 'allowLeading') && value === char && value.length === 1) return []
  const { compiled } = compileExpression(toCasingExpression(String(type), disallowDigits !== true, separator))
  if (!compiled || compiled.test(value)) return []
  return [{ message: `${nameText(context.path, value)} must be in ${String(type)} case` }]
}

/** Each string has only one way to match, so that the expression takes linear time. */
function toCasingExpression(type: string, hasDigits: boolean, separator: unknown): string {
  const { first, others, joiner, capital = false } = readOwn(conventions, type) ?? { first: 'a-z', others: 'a-z' }
  const inner = `${others}${hasDigits ? '0-9' : ''}`
  const next = capital ? `(?:[${inner}]|[A-Z](?=[${inner}]|$))*` : `[${inner}]*`
  const word = `[${first}]${next}${joiner === undefined ? '' : `(?:${joiner}[${inner}]+)*`}`
  const separating = readText(separator, 'char')
  if (separating === undefined) return `^${word}$`
  const char = `[${separating.replace(/[\\^\]]/g, '\\$&')}]`
  const leading = readFlag(separator, 'allowLeading') ? `${char}?` : ''
  // Words that are joined with their own joiner are one word.
  return separating === joiner ? `^${leading}${word}$` : `^${leading}${word}(?:${char}${word})*$`
}

/** Functions for strings. Source: Spectral, "Core Functions" (docs/reference/functions.md). */
export const textFunctions: readonly FunctionDefinition[] = [
  { name: 'pattern', checkOptions: (options) => checkOptions(patternTable, options), run: runPattern },
  { name: 'casing', checkOptions: (options) => checkOptions(casingTable, options), run: runCasing },
]
