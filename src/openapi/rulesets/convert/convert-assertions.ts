// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

import { isObject, type JsonObject } from '../../../source/is-object.ts'
import { pointerChild } from '../../../source/json-pointer.ts'
import { compileExpression } from '../functions/regular-expression.ts'
import type { ActionData } from '../spectral-oas.ts'
import { pattern, schema, type WrittenRule } from './conversion.ts'
import {
  expressionsBelow,
  expressionsOf,
  isKnownType,
  quote,
  type Restriction,
  restrict,
  toKeyCondition,
} from './select-objects.ts'

/** A configurable rule of Redocly as a rule of a ruleset. */
export interface ConvertedAssertions {
  /** One rule for the document with references replaced, and one for the document as it is written. */
  readonly written: readonly WrittenRule[]
  /** What is not carried over. Pointers are relative to the rule. */
  readonly leftOut: readonly { readonly pointer: string; readonly reason: string }[]
}

/** An assertion that cannot be carried over. */
class NoEquivalent extends Error {
  readonly pointer: string

  constructor(pointer: string, reason: string) {
    super(reason)
    this.pointer = pointer
  }
}

/** The casings of Redocly as regular expressions. */
const casings: Readonly<Record<string, string>> = {
  camelCase: '^[a-z][a-zA-Z0-9]*$',
  'kebab-case': '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
  snake_case: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$',
  PascalCase: '^[A-Z][a-zA-Z0-9]+$',
  MACRO_CASE: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$',
  'COBOL-CASE': '^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$',
  flatcase: '^[a-z][a-z0-9]+$',
}

/** Fields whose value is a list of strings. An assertion applies to each of them. */
const listFields = ['tags', 'required', 'enum', 'security', 'schemes']

/** The locators of a subject. */
const locators = ['filterInParentKeys', 'filterOutParentKeys', 'matchParentKeys']

/**
 * Converts a configurable rule with `subject`, `where` and `assertions`.
 *
 * Source: Redocly CLI, "Configurable rules" (docs/rules/configurable-rules.md), and its behavior in version 2.
 *
 * @param name for `{{assertionName}}` in the message.
 */
export function convertAssertions(name: string, rule: JsonObject): ConvertedAssertions {
  try {
    return convert(name, rule)
  } catch (error) {
    if (error instanceof NoEquivalent) return { written: [], leftOut: [{ pointer: error.pointer, reason: error.message }] }
    throw error
  }
}

function convert(name: string, rule: JsonObject): ConvertedAssertions {
  const { subject, assertions } = rule
  if (!isObject(subject)) throw new NoEquivalent('/subject', 'it has no `subject` with a `type`')
  if (!isObject(assertions)) throw new NoEquivalent('', 'it has no `assertions`')
  const { type } = subject
  if (typeof type !== 'string') throw new NoEquivalent('/subject', 'its `subject` has no `type`')
  const given = select(type, subject, rule['where'])
  const properties = listTexts(subject['property'])
  const actions: ActionData[] = []
  const writtenGiven: string[] = []
  const writtenActions: ActionData[] = []
  const leftOut: { pointer: string; reason: string }[] = []
  for (const [assertion, condition] of Object.entries(assertions)) {
    const pointer = pointerChild('/assertions', assertion)
    try {
      if (assertion === 'ref') {
        const found = toReferenceAction(condition, pointer)
        writtenActions.push(found)
        const names = properties.map((property) => (/^\w+$/.test(property) ? `.${property}` : `[${quote(property)}]`))
        writtenGiven.push(...(names.length === 0 ? given : names.flatMap((each) => given.map((expression) => expression + each))))
        continue
      }
      if (properties.length === 0) actions.push(...toKeyActions(assertion, condition, pointer))
      for (const property of properties) actions.push(...toValueActions(assertion, condition, property, pointer))
    } catch (error) {
      if (!(error instanceof NoEquivalent)) throw error
      leftOut.push({ pointer: error.pointer, reason: error.message })
    }
  }
  const { reference, message: written } = rule
  const described = describeAssertions(assertions, properties)
  const byDefault = described === undefined ? {} : { message: described }
  const texts = {
    ...(typeof written === 'string' ? { message: fillPlaceholders(written, { name, type, properties }) } : byDefault),
    ...(typeof reference === 'string' ? { documentationUrl: reference } : {}),
  }
  const rules: WrittenRule[] = []
  if (actions.length > 0) rules.push({ ...texts, given: single(given), then: single(actions) })
  if (writtenActions.length > 0) {
    rules.push({ ...texts, resolved: false, given: single([...new Set(writtenGiven)]), then: single(writtenActions) })
  }
  return { written: rules, leftOut }
}

function single<Item>(list: readonly Item[]): Item | readonly Item[] {
  const [first] = list
  return list.length === 1 && first !== undefined ? first : list
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}

/** The expressions for the subject, inside of the objects of `where`. */
function select(type: string, subject: JsonObject, where: unknown): readonly string[] {
  const own = toRestriction(subject, '/subject')
  let outer: { readonly type: string; readonly expressions: readonly string[] } | undefined
  for (const [index, entry] of (Array.isArray(where) ? where : []).entries()) {
    const pointer = `/where/${index}`
    const outerSubject = isObject(entry) ? entry['subject'] : undefined
    if (!isObject(entry) || !isObject(outerSubject)) throw new NoEquivalent(pointer, 'its `where` has no `subject`')
    const outerType = outerSubject['type']
    if (typeof outerType !== 'string') throw new NoEquivalent(pointer, 'its `where` has no `type`')
    const around = selectType(outerType, outer, pointer)
    const valueCondition = toValueCondition(outerSubject, entry['assertions'], pointer)
    const restricted = restrict(around, {
      ...toRestriction(outerSubject, `${pointer}/subject`),
      ...(valueCondition && { valueCondition }),
    })
    if (!restricted) throw new NoEquivalent(pointer, 'no expression selects only some of these objects')
    outer = { type: outerType, expressions: restricted }
  }
  const isRestricted = own.keyCondition !== undefined
  if (!outer && !isRestricted) return isAny(type) ? anyObject : [`#${known(type, '/subject/type')}`]
  const restricted = restrict(selectType(type, outer, '/subject'), own)
  if (!restricted || restricted.length === 0)
    throw new NoEquivalent('/subject', 'no expression selects only some of these objects')
  return restricted
}

const anyObject = ["$..[?(@ && @.constructor.name === 'Object')]"]
const isAny = (type: string) => type === 'any'

function known(type: string, pointer: string): string {
  if (isKnownType(type)) return type
  throw new NoEquivalent(pointer, `there are no objects of the type ${type} in OpenAPI 3`)
}

function selectType(
  type: string,
  outer: { readonly type: string; readonly expressions: readonly string[] } | undefined,
  pointer: string,
): readonly string[] {
  if (!outer) return isAny(type) ? anyObject : expressionsOf(known(type, pointer))
  const found = expressionsBelow(known(type, pointer), outer.type, outer.expressions)
  if (found) return found
  throw new NoEquivalent(pointer, `no expression leads from ${outer.type} to ${type}`)
}

function toRestriction(subject: JsonObject, pointer: string): Restriction {
  const { filterInParentKeys, filterOutParentKeys, matchParentKeys } = subject
  const unknown = Object.keys(subject).find((key) => !['type', 'property', ...locators].includes(key))
  if (unknown !== undefined) throw new NoEquivalent(pointerChild(pointer, unknown), `the locator ${unknown} has no equivalent`)
  const tests: ((key: string) => boolean)[] = []
  const conditions: string[] = []
  if (Array.isArray(filterInParentKeys)) {
    const keys = listTexts(filterInParentKeys)
    tests.push((key) => keys.includes(key))
    conditions.push(keys.length > 0 ? toKeyCondition(keys) : 'false')
  }
  if (Array.isArray(filterOutParentKeys)) {
    const keys = listTexts(filterOutParentKeys)
    tests.push((key) => !keys.includes(key))
    conditions.push(...keys.map((key) => `@property !== ${quote(key)}`))
  }
  if (typeof matchParentKeys === 'string') {
    const { source, flags, compiled } = readExpression(matchParentKeys, pointerChild(pointer, 'matchParentKeys'))
    tests.push((key) => compiled.test(key))
    conditions.push(`@property.match(/${source}/${flags})`)
  }
  if (tests.length === 0) return {}
  return { hasKey: (key) => tests.every((test) => test(key)), keyCondition: conditions.join(' && ') }
}

/** Reads a regular expression as Redocly does: with or without slashes. */
function readExpression(
  text: string,
  pointer: string,
): { readonly source: string; readonly flags: string; readonly compiled: RegExp } {
  const [, inner, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  // Without the flags that keep a position.
  const kept = flags.replaceAll(/[gy]/g, '')
  const { compiled } = compileExpression(inner === undefined ? text : `/${inner}/${kept}`)
  if (!compiled) throw new NoEquivalent(pointer, 'it is not a regular expression of JavaScript')
  return { source: compiled.source, flags: kept, compiled }
}

function toPatternText(text: unknown, pointer: string): string {
  if (typeof text !== 'string') throw new NoEquivalent(pointer, 'it is not a regular expression')
  const { source, flags } = readExpression(text, pointer)
  return flags === '' ? (text.startsWith('/') ? source : text) : `/${source}/${flags}`
}

/** The `assertions` of an entry of `where` as a condition for `@`. */
function toValueCondition(subject: JsonObject, assertions: unknown, pointer: string): string | undefined {
  if (!isObject(assertions)) throw new NoEquivalent(pointer, 'its `where` has no `assertions`')
  const properties = listTexts(subject['property'])
  const conditions = Object.entries(assertions).flatMap(([assertion, condition]) => {
    const at = pointerChild(`${pointer}/assertions`, assertion)
    if (properties.length === 0) {
      const keys = listTexts(condition).map((key) => `@[${quote(key)}]`)
      if (assertion === 'required') return keys.map((key) => `${key} !== undefined`)
      if (assertion === 'disallowed') return keys.map((key) => `${key} === undefined`)
      if (assertion === 'defined' && condition !== false) return []
    }
    return properties.map((property) => {
      const value = `@[${quote(property)}]`
      if (assertion === 'const') return `(${value} === undefined || ${value} === ${toLiteral(condition, at)})`
      if (assertion === 'enum' && Array.isArray(condition)) {
        return `(${[`${value} === undefined`, ...condition.map((each) => `${value} === ${toLiteral(each, at)}`)].join(' || ')})`
      }
      if (assertion === 'defined') return `${value} ${condition === false ? '===' : '!=='} undefined`
      if (assertion === 'nonEmpty') return condition === false ? `!${value}` : `!!${value}`
      if (assertion === 'pattern' || assertion === 'notPattern') {
        const { source, flags } = readExpression(String(condition), at)
        const test = `${value}.match(/${source}/${flags})`
        return assertion === 'pattern' ? `(${value} === undefined || ${test})` : `(${value} === undefined || !${test})`
      }
      throw new NoEquivalent(at, `the assertion ${assertion} cannot be a condition`)
    })
  })
  if (properties.length === 0 && conditions.length === 0 && Object.keys(assertions).some((each) => each !== 'defined')) {
    throw new NoEquivalent(`${pointer}/assertions`, 'these assertions cannot be a condition')
  }
  return conditions.length === 0 ? undefined : conditions.join(' && ')
}

function toLiteral(value: unknown, pointer: string): string {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new NoEquivalent(pointer, 'only strings, numbers and booleans can be compared')
}

/** An assertion about the keys of an object. */
function toKeyActions(assertion: string, condition: unknown, pointer: string): readonly ActionData[] {
  const keys = listTexts(condition)
  switch (assertion) {
    case 'required':
      return keys.map((field) => ({ field: toField(field), function: 'defined' }))
    case 'disallowed':
      return keys.map((field) => ({ field: toField(field), function: 'undefined' }))
    case 'requireAny':
      if (keys.length > 1) return [{ function: 'or', functionOptions: { properties: keys } }]
      return keys.map((field) => ({ field: toField(field), function: 'defined' }))
    case 'mutuallyExclusive': {
      const pairs = keys.flatMap((key, index) => keys.slice(index + 1).map((other) => ({ required: [key, other] })))
      return pairs.length === 0 ? [] : [schema({ not: pairs.length === 1 ? pairs[0] : { anyOf: pairs } })]
    }
    case 'mutuallyRequired':
      // One `not`, because a failed `anyOf` is a problem for each of its schemas.
      return [schema({ not: { allOf: [{ anyOf: keys.map((key) => ({ required: [key] })) }, { not: { required: keys } }] } })]
    case 'minLength':
    case 'maxLength':
      return [toLength(assertion, condition, pointer)]
    case 'defined':
      return condition === false ? [{ function: 'undefined' }] : [{ function: 'defined' }]
    case 'enum':
    case 'const':
    case 'pattern':
    case 'notPattern':
    case 'casing':
      return [toScalarAction(assertion, condition, '@key', pointer)]
    default:
      throw new NoEquivalent(pointer, explainMissing(assertion))
  }
}

/** An assertion about the value of a field. */
function toValueActions(assertion: string, condition: unknown, property: string, pointer: string): readonly ActionData[] {
  const field = toField(property)
  switch (assertion) {
    case 'defined':
      return [{ field, function: condition === false ? 'undefined' : 'defined' }]
    case 'nonEmpty':
      if (condition === false) return [{ field, function: 'falsy' }]
      return [schema({ not: { enum: [null, '', []] } }, field)]
    case 'minLength':
    case 'maxLength':
      return [{ field, ...toLength(assertion, condition, pointer) }]
    case 'contains':
      return [
        schema({ properties: { [property]: { allOf: listTexts(condition).map((word) => ({ contains: { const: word } })) } } }),
      ]
    case 'sortOrder': {
      const { direction = condition, property: key } = isObject(condition) ? condition : {}
      if (direction !== 'asc') throw new NoEquivalent(pointer, 'there is no function for a descending order')
      return [{ field, function: 'alphabetical', ...(typeof key === 'string' && { functionOptions: { keyedBy: key } }) }]
    }
    case 'enum':
    case 'const':
    case 'pattern':
    case 'notPattern':
    case 'casing': {
      const action = toScalarAction(assertion, condition, field, pointer)
      return listFields.includes(property) ? [{ ...action, field: `$.${property}[*]` }] : [action]
    }
    default:
      throw new NoEquivalent(pointer, explainMissing(assertion))
  }
}

function explainMissing(assertion: string): string {
  if (assertion.includes('/')) return 'functions of plugins are not run'
  return `there is no function for the assertion ${assertion} here`
}

function toScalarAction(assertion: string, condition: unknown, field: string, pointer: string): ActionData {
  if (assertion === 'enum') return { field, function: 'enumeration', functionOptions: { values: toScalars(condition, pointer) } }
  if (assertion === 'const')
    return { field, function: 'enumeration', functionOptions: { values: toScalars([condition], pointer) } }
  if (assertion === 'casing') {
    const match = Object.hasOwn(casings, String(condition)) ? casings[String(condition)] : undefined
    if (match === undefined) throw new NoEquivalent(pointer, 'this casing is unknown')
    return pattern({ match }, field)
  }
  const text = toPatternText(condition, pointer)
  return pattern(assertion === 'pattern' ? { match: text } : { notMatch: text }, field)
}

function toScalars(values: unknown, pointer: string): readonly unknown[] {
  const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)
  if (Array.isArray(values) && values.every(isScalar)) return values
  throw new NoEquivalent(pointer, 'only strings, numbers and booleans can be compared')
}

function toLength(assertion: string, condition: unknown, pointer: string): ActionData {
  if (typeof condition !== 'number') throw new NoEquivalent(pointer, 'it is not a number')
  return { function: 'length', functionOptions: assertion === 'minLength' ? { min: condition } : { max: condition } }
}

/** In the document as it is written, an object is a reference. */
function toReferenceAction(condition: unknown, pointer: string): ActionData {
  const isReference = { required: ['$ref'] }
  if (condition === true) return schema(isReference)
  if (condition === false) return schema({ not: isReference })
  const { source, flags } = readExpression(String(condition), pointer)
  if (flags !== '') throw new NoEquivalent(pointer, 'flags of its regular expression have no equivalent')
  // Two `not` report the object, as for other references.
  return schema({ not: { not: { ...isReference, properties: { $ref: { pattern: source } } } } })
}

/** A key as the `field` of an action, where dots and brackets separate keys. */
function toField(key: string): string {
  return /[.[\]]/.test(key) || key.startsWith('$') || key.startsWith('@') ? `['${key}']` : key
}

/** Replaces the placeholders of Redocly. */
function fillPlaceholders(
  message: string,
  { name, type, properties }: { readonly name: string; readonly type: string; readonly properties: readonly string[] },
): string {
  const replacements: Readonly<Record<string, string>> = {
    problems: '{{error}}',
    assertionName: name,
    nodeType: type,
    property: properties.join(', '),
    key: '{{path}}',
    pointer: '{{path}}',
    file: 'the document',
  }
  return message.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => {
    return Object.hasOwn(replacements, key) ? (replacements[key] ?? '') : placeholder
  })
}

/** The message of a rule without one, if that of the function would only quote a schema. */
function describeAssertions(assertions: JsonObject, properties: readonly string[]): string | undefined {
  const [[assertion, condition] = ['', undefined], ...others] = Object.entries(assertions)
  if (others.length > 0) return undefined
  const shown = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ')
  switch (assertion) {
    case 'mutuallyExclusive':
      return `Use only one of ${shown(listTexts(condition))}`
    case 'mutuallyRequired':
      return `Use all of ${shown(listTexts(condition))}, or none`
    case 'casing':
      return `${properties.length === 0 ? '{{property}}' : '{{value}}'} is not in ${String(condition)}`
    case 'nonEmpty':
      return condition === false ? undefined : `${shown(properties)} must not be empty`
    case 'contains':
      return `${shown(properties)} must contain ${shown(listTexts(condition))}`
    case 'ref':
      return condition === false
        ? 'Use no `$ref` here'
        : condition === true
          ? 'Use a `$ref` here'
          : `Use a \`$ref\` that matches ${String(condition)}`
    default:
      return undefined
  }
}
