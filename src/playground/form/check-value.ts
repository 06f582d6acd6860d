import { listMismatches, startMatch } from '../../model/instances/match-schema.ts'
import type { Keywords } from '../../model/schema.ts'
import { typeOfValue } from '../../openapi/schema/json-schema.ts'
import { numberOf, parseWrittenJson, readOwn, readStep } from '../../text/json/json-values.ts'
import { type CountText, say, sayCount } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import type { DescribedOperation } from '../request/read-operation.ts'
import { anything, memberSchema, type Schema } from '../request/read-schema.ts'
import { chooseSchema, type FormSchema, toFormSchema } from './form-schema.ts'

/** What the schemas of an operation are checked with. */
export type CheckedSchemas = Pick<DescribedOperation, 'follow' | 'dialect'>

/** A mismatch between a value and its schema. Mismatches never prevent sending. */
export interface ValueProblem {
  /** For example `labels[0].name`; `''` for the whole value. */
  readonly path: string
  readonly message: string
}

type Mismatch = ReturnType<typeof listMismatches>[number]

/** The most problems that are reported. */
const maxProblems = 50

/** The most schemas that a value is matched with. */
const maxMatched = 20_000

/** Compares a value with its schema, with all keywords that can be checked quickly and safely: the first problem of each part of the value. */
export function checkValue(value: unknown, schema: Schema, schemas: CheckedSchemas): ValueProblem[] {
  const problems = new Map<string, ValueProblem>()
  for (const mismatch of match(value, schema, schemas)) {
    const problem = toProblem(mismatch, value, schema, schemas)
    if (!problems.has(problem.path)) problems.set(problem.path, problem)
  }
  return [...problems.values()].slice(0, maxProblems)
}

/** Parses JSON as a form value, or explains why a form would lose data. */
export function fromJsonText(text: string): { readonly value: FieldValue | undefined } | { readonly problem: string } {
  if (text.trim() === '') return { value: undefined }
  const read = parseText(text)
  // A result of parsing JSON is a FieldValue.
  if ('problem' in read || toTokens(text) === toTokens(JSON.stringify(read.value))) return read as { value: FieldValue }
  return {
    problem: say('The form would lose data: the JSON has a duplicate key, or a number with more digits than browsers support'),
  }
}

/** Compares JSON with a schema. Text that is empty has no problems. */
export function checkText(text: string, schema: Schema, schemas: CheckedSchemas): readonly ValueProblem[] {
  const read = text.trim() === '' ? undefined : parseText(text)
  if (!read) return []
  return 'problem' in read ? [{ path: '', message: read.problem }] : checkValue(read.value, schema, schemas)
}

function parseText(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseWrittenJson(text) }
  } catch (error) {
    return { problem: say('Invalid JSON: {problem}', error instanceof Error ? error.message : String(error)) }
  }
}

/** The JSON text without whitespace and with normalized strings. */
function toTokens(text: string): string {
  return text.replace(/((?<!\\)"(?:[^"\\]|\\.)*")|\s+/g, (_whole, quoted: string | undefined) =>
    quoted === undefined ? '' : JSON.stringify(JSON.parse(quoted)),
  )
}

/** The problem of a value itself: not of its members, which have their own fields. */
export function checkOwn(value: unknown, schema: Schema, schemas: CheckedSchemas): string | undefined {
  if (value instanceof File) return undefined
  const own = match(value, schema, schemas).find(({ path, keyword }) => path.length === 0 && ownKeywords.test(keyword))
  return own && toProblem(own, value, schema, schemas).message
}

/** Keywords that do not concern members of a value. */
const ownKeywords = /^(?:type|enum|const|pattern|format|multipleOf|(?:exclusive)?m(?:in|ax)(?!Contains).*)$/i

function match(value: unknown, schema: Schema, { follow, dialect }: CheckedSchemas, findsAll = true): readonly Mismatch[] {
  let left = maxMatched
  // The form is for a request, which has no read-only values.
  const options = { isStrict: true, findsAll, mayMiss: ['readOnly'] }
  return listMismatches(
    startMatch(dialect, follow.find, () => --left >= 0, options),
    schema ?? anything,
    value,
  )
}

function toProblem(mismatch: Mismatch, value: unknown, schema: Schema, schemas: CheckedSchemas): ValueProblem {
  const steps = pathOf(mismatch).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  const path = steps.join('').replace(/^\./, '')
  if (mismatch.keyword === 'required') return { path, message: say('Required') }
  const [part, place] = findPart(mismatch, value, schema, schemas)
  return { path, message: toMessage(mismatch, part, toFormSchema(place, schemas.follow)) }
}

type Path = readonly (string | number)[]

/** The path of a value, or of one that is missing. */
function pathOf({ path, names = [], keyword }: Mismatch): Path {
  return keyword === 'required' ? [...path, ...names] : path
}

/** A part of a value, and its schema. */
function findPart({ path }: Mismatch, value: unknown, schema: Schema, schemas: CheckedSchemas): [unknown, Schema] {
  return path.reduce<[unknown, Schema]>(
    ([part, place], step) => {
      const merged = toFormSchema(choose(part, place, schemas), schemas.follow)
      return [readStep(part, step), memberSchema(merged, step)]
    },
    [value, schema],
  )
}

/** The schema with the choice that the form shows for a value, if it has choices. */
function choose(value: unknown, schema: Schema, schemas: CheckedSchemas): Schema {
  const choices = toFormSchema(schema, schemas.follow).choices.map((one) => chooseSchema(schema, one, schemas.follow))
  return choices[findChoice(value, choices, schemas)] ?? schema
}

/**
 * The paths of missing required values, also below choices: in the one that the form shows. Read-only values are not required. `left` limits the
 * choices within choices, because a hostile one can have itself twice.
 */
export function listMissing(value: unknown, schema: Schema, schemas: CheckedSchemas, at: Path = [], left = 6): readonly Path[] {
  return match(value, schema, schemas).flatMap((mismatch) => {
    const path = [...at, ...pathOf(mismatch)]
    if (mismatch.keyword === 'required') return [path]
    if (!left || !/^(?:one|any)Of$/.test(mismatch.keyword)) return []
    const [part, place] = findPart(mismatch, value, schema, schemas)
    return listMissing(part, choose(part, place, schemas), schemas, path, left - 1)
  })
}

/** The first choice that a value fits; for an incomplete object, the one with most of its keys and their constants; -1 if there is none. */
export function findChoice(value: unknown, choices: readonly Schema[], schemas: CheckedSchemas): number {
  const counts = choices.map((choice) => {
    if (match(value, choice, schemas, false).length === 0) return Number.POSITIVE_INFINITY
    const { properties } = toFormSchema(choice, schemas.follow)
    const isKnown = ([key, one]: [string, unknown]) =>
      properties.has(key) && toFormSchema(properties.get(key), schemas.follow).enum?.includes(one) !== false
    return Object.entries(Object(value)).filter(isKnown).length
  })
  const most = Math.max(0, ...counts)
  return value === undefined || most === 0 ? -1 : counts.indexOf(most)
}

/** Describes the expected value, with everything that its schema says. */
function toMessage({ keyword, on, expected }: Mismatch, value: unknown, merged: FormSchema): string {
  const { types, keywords } = merged
  const { pattern, format } = keywords
  if (keyword === 'oneOf' || keyword === 'anyOf') return say('Expected a value that matches one of the schemas')
  if (on === 'key' && keyword !== 'propertyNames') return say('Unexpected key')
  if (keyword === 'type' && value === null) return say('Expected a value, not null')
  if (merged.enum && /^(?:enum|const|type)$/.test(keyword)) return nameChoices(merged.enum)
  if (keyword === 'pattern' && pattern !== undefined) return say('Expected a string that matches {pattern}', pattern)
  if (keyword === 'format' && format !== undefined) {
    const isNamed = Object.hasOwn(formatNames, format)
    return say('Expected {value}', isNamed ? say(formatNames[format as keyof typeof formatNames]) : format)
  }
  const type = keyword === 'type' ? types[0] : typeOfValue(value)
  const limits = limitsOf(keywords, type)
  // The schema is only that of a choice, or says nothing about the value itself.
  if (!ownKeywords.test(keyword) || types.length + limits.length === 0)
    return say('Expected {value}', expected.replaceAll('`', ''))
  const names = (types.length > 0 ? types : [type ?? '']).map(nameExpected).join(` ${say('or')} `)
  return say('Expected {value}', [names, ...limits].join(', '))
}

function nameChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, 8).map((one) => JSON.stringify(one))
  const values = `${shown.join(', ')}${choices.length > 8 ? ', …' : ''}`
  return shown.length === 1 ? say('Expected {value}', values) : say('Expected one of {values}', values)
}

function nameExpected(type: string): string {
  return Object.hasOwn(typeNames, type) ? say(typeNames[type as keyof typeof typeNames]) : type
}

const typeNames = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
} as const

/** The limits of the values of a type, in words. */
function limitsOf(keywords: Keywords, type: string | undefined): string[] {
  const find = (key: string, toText: (limit: number) => string) => {
    const limit = numberOf(readOwn(keywords, key))
    return limit === undefined ? [] : [toText(limit)]
  }
  if (type === 'integer' || type === 'number')
    return [
      ...find('minimum', (n) => say('at least {number}', n)),
      ...find('exclusiveMinimum', (n) => say('greater than {number}', n)),
      ...find('maximum', (n) => say('at most {number}', n)),
      ...find('exclusiveMaximum', (n) => say('less than {number}', n)),
      ...find('multipleOf', (n) => say('a multiple of {number}', n)),
    ]
  const counted = readOwn(countLimits, type ?? '')
  if (!counted) return []
  const { least, most, atLeast, atMost } = counted
  return [
    ...find(least, (n) => sayCount(n, atLeast.slice(0, -1), atLeast)),
    ...find(most, (n) => sayCount(n, atMost.slice(0, -1), atMost)),
  ]
}

/** The keywords for the number of characters, items or keys, and their texts. */
const countLimits: Readonly<Record<string, CountLimit | undefined>> = {
  string: { least: 'minLength', most: 'maxLength', atLeast: 'at least {count} characters', atMost: 'at most {count} characters' },
  array: { least: 'minItems', most: 'maxItems', atLeast: 'at least {count} items', atMost: 'at most {count} items' },
  object: { least: 'minProperties', most: 'maxProperties', atLeast: 'at least {count} keys', atMost: 'at most {count} keys' },
}

interface CountLimit {
  readonly least: string
  readonly most: string
  readonly atLeast: CountText
  readonly atMost: CountText
}

/** What formats mean, with an example. */
const formatNames = {
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T09:30:00Z',
  email: 'an email address',
  uuid: 'a UUID',
  uri: 'a URI such as https://example.com',
} as const
