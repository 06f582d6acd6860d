import hints from '../../../texts/problem-hints.json' with { type: 'json' }
import phrases from '../../../texts/reason-phrases.json' with { type: 'json' }
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, readOwn, stringOf } from '../../text/json/json-values.ts'
import { locatePointers, syntaxOf } from '../../text/parse-source.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { type SourceFile, toOrigin } from '../../text/plain/source-file.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import { nameType } from '../schema/json-schema.ts'
import type { OpenApiRelease } from '../types.ts'
import { isMistypedReference, type ObjectTable, type Shape, type Walk } from '../walk.ts'

/** Returns a hint for an unknown field. `later` is the first later release that defines it. */
export function unknownFieldHint(
  walk: Walk,
  table: ObjectTable,
  value: JsonObject,
  key: string,
  later: OpenApiRelease | undefined,
): string | undefined {
  if (later !== undefined) {
    return (
      findHint('unknownFields', table.key, key) ??
      `Remove it, or change the document to \`openapi: ${later}.${later === '3.1' ? 1 : 0}\``
    )
  }
  const blank = /[^\S ]|[\u200b-\u200d\u2060\ufeff]/.exec(key)?.[0]
  const bare = key.replace(/[\s\u200b-\u200d\u2060\ufeff]/g, '')
  if (blank !== undefined && (table.fields.has(bare) || key.startsWith(blank))) {
    const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `Write \`${bare}\` without the character U+${code}, and indent with spaces`
  }
  if (table.reference !== 'none' && !Object.hasOwn(value, '$ref') && isMistypedReference(key, readOwn(value, key)))
    return didYouMean('$ref')
  const hint = findHint('unknownFields', table.key, key)
  const near = walk.suggest(key, () => [...table.fields.keys()].filter((name) => !Object.hasOwn(value, name)))
  if (near !== undefined && hint === undefined) return didYouMean(near)
  if (hint !== undefined) return hint
  return table.extensible ? 'Remove it, or prefix extension fields with `x-`' : undefined
}

/** The hint for a field or a type of an object. Source of those for Swagger 2.0: comparison of OpenAPI 3.0.0 with it. */
function findHint(kind: keyof typeof hints, table: string, name: string): string | undefined {
  return stringOf(readOwn(hints[kind], `${table}.${name}`))
}

/** The field of an object under which an unknown field belongs: keywords under `schema`, parts of an example under `value`. */
export function findOwner(table: ObjectTable, value: JsonObject, key: string): 'schema' | 'value' | undefined {
  if (table.fields.has(key) || key.startsWith('x-')) return undefined
  if (table.fields.get('schema')?.shape.table?.fields.has(key)) return 'schema'
  const isExample = table.key === 'Example' && !Object.keys(value).some((name) => /value$/i.test(name))
  return isExample ? 'value' : undefined
}

/** Whether the hint for an unknown field of an object asks for a missing field. */
export function asksFor(field: string, table: ObjectTable, value: JsonObject): boolean {
  return Object.keys(value).some(
    (key) => findOwner(table, value, key) === field || findHint('unknownFields', table.key, key)?.includes(`\`${field}\``),
  )
}

/** Returns a hint for a misspelled status code, such as `2xx`, `20O`, `‘200’` or `200:`. */
export function statusCodeHint(key: string): string | undefined {
  const letters = key.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const code = letters.replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code === key || !/^[1-5](?:\d\d|XX)$/.test(code)) return undefined
  return `Write \`${code.endsWith('X') ? code : `'${code}'`}\``
}

/** Returns a hint with an example of a missing required field. The description of a response is the phrase of its status code, if it has one. */
export function missingFieldHint({ path }: Walk, table: ObjectTable, key: string): string | undefined {
  const phrase = table.key === 'Response' ? readOwn(phrases, String(path.at(-1))) : undefined
  return phrase === undefined ? findHint('missingFields', table.key, key) : `Add \`${key}: ${phrase}\``
}

/** The message for a value of the wrong type. `quotes` is the key of a value whose hint should show it in quotes. */
interface WrongTypeMessage {
  readonly message: string
  readonly hint?: string | undefined
  readonly quotes?: string
}

/** Describes a value of the wrong type, with a hint for the OpenAPI release. */
export function describeWrongType(walk: Walk, shape: Shape, value: unknown): WrongTypeMessage {
  if (walk.path.at(-1) === 'type' && Array.isArray(value) && walk.release === '3.0') {
    const message = `Unexpected list for \`type\`: lists require OpenAPI 3.1, but this document uses ${walk.version}`
    return { message, hint: typeListHint(value) }
  }
  const message = `Unexpected ${nameType(value)} for ${nameValue(walk)}, expected ${nameShape(shape)}`
  return { message, ...findTypeHint(walk, shape, value) }
}

function findTypeHint(walk: Walk, shape: Shape, value: unknown): Omit<WrongTypeMessage, 'message'> {
  const key = walk.path.at(-1)
  if ((key === 'exclusiveMinimum' || key === 'exclusiveMaximum') && shape.kind !== 'any') {
    const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (typeof value === 'number') return { hint: `In OpenAPI 3.0, write \`${bound}: ${value}\` and \`${key}: true\`` }
    const limit = readOwn(walk.holder, bound)
    const written = typeof limit === 'number' ? limit : 0
    if (value === false) return { hint: `Remove it: \`${bound}\` alone includes the bound` }
    if (value === true) return { hint: `Since OpenAPI 3.1, write \`${key}: ${written}\` instead of \`${bound}: ${written}\`` }
  }
  if (value === null && (shape.kind === 'types' || shape.choices.includes('null')))
    return { hint: 'Quote `"null"`: without quotes, it is the value `null`' }
  if (key === '$recursiveAnchor')
    return { hint: 'Write `$dynamicAnchor` with a name instead, and `$dynamicRef` for `$recursiveRef`' }
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  const isTruth = typeof value === 'boolean' || Object.hasOwn(truths, word)
  if (key === 'required' && isTruth && shape.kind === 'list')
    return { hint: 'Add the property to the `required` list of its parent object' }
  if (Array.isArray(value)) {
    const hint = listInsteadHint(walk, shape, value)
    if (hint !== undefined) return { hint }
  }
  const isText = isTextShape(shape)
  if (value === null) {
    const hint = 'Add a value or remove the key'
    return isText && typeof key === 'string' && walk.syntax === 'yaml' ? { hint, quotes: key } : { hint }
  }
  if (isText && (typeof value === 'number' || typeof value === 'boolean'))
    return typeof key === 'string' ? { quotes: key } : { hint: 'Put the value in quotes' }
  if (shape.kind === 'list' && typeof value === 'object') {
    const one = typeof key === 'string' ? key.replace(/s$/, '') : 'entry'
    const what = /^[a-z]+$/i.test(one) && one !== key ? one : 'entry'
    return { hint: listHint(walk, shape, what, value) }
  }
  if (typeof value !== 'string') return {}
  const field = walk.syntax === 'yaml' ? readFieldWithoutColon(shape, value) : undefined
  if (field !== undefined) return { hint: `Write \`${field}\`` }
  const main = mainField(shape, value)
  if (main !== undefined) return { hint: `Write a mapping with \`${main}\`` }
  if (shape.kind === 'list') return { hint: 'Write a list with one entry' }
  const allowsTruth = shape.kind === 'boolean' || shape.kind === 'schema-or-boolean' || shape.table?.allowsBoolean === true
  if (allowsTruth && isTruth) return { hint: /^(true|false)$/.test(word) ? 'Remove the quotes' : `Write \`${truths[word]}\`` }
  const isNumber = /^(?:number|count|positive)$/.test(shape.kind) && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber ? { hint: 'Remove the quotes' } : {}
}

/** Returns a hint for a list in place of something else. */
function listInsteadHint({ path, release }: Walk, { kind }: Shape, { length }: readonly unknown[]): string | undefined {
  const [key, around] = [path.at(-1), path.at(-2)]
  if (key === 'required' && around === 'properties') return 'Move `required` out of `properties`, beside it'
  if (key === 'required') return 'Write `true` or `false`: a list of names belongs to a schema of type `object`'
  if (key === 'items' && length === 1) return 'Write the schema itself, without the list'
  if (key === 'items')
    return `Write one schema with \`oneOf\`${release === '3.0' ? '' : ', or `prefixItems` for a schema of each position'}`
  if (key === 'examples') return 'Write a mapping in which each example has a name and a `value`, or `example` with one value'
  return kind === 'map' ? 'Write a mapping: each entry has its name as the key' : undefined
}

/** The field for which a string in place of an object stands: the type of a schema, or the first required one. */
function mainField({ kind, table }: Shape, value: string): string | undefined {
  if (kind !== 'object' && kind !== 'schema-or-boolean') return undefined
  if (!table || table.key === 'Schema') return schemaTypes.test(value) ? `type: ${value}` : undefined
  const [name] = [...table.fields].find(([, { shape, bit }]) => (bit & table.requiredMask) !== 0 && isTextShape(shape)) ?? []
  return name === undefined || value.length > 80 ? undefined : `${name}: ${shorten(value)}`
}

const schemaTypes = /^(?:array|boolean|integer|number|object|string)$/

/** Returns a hint for a mapping in place of a list. It can be one entry, entries by name, named examples, or entries without `- `. */
function listHint({ syntax }: Walk, { inner }: Shape, what: string, value: object): string {
  const fields = inner?.table?.fields
  const values = Object.values(value)
  const isExample = (each: unknown) =>
    isObject(each) && ['value', 'externalValue', '$ref'].some((name) => Object.hasOwn(each, name))
  if (what === 'example' && values.length > 0 && values.every(isExample))
    return 'Move `examples` to the media type, beside `schema`: only there, examples have names'
  if (fields && Object.keys(value).every((name) => fields.has(name)))
    return syntax === 'yaml' ? `Put \`- \` before the ${what}` : `Put the ${what} in \`[ ]\``
  if (fields?.has('name') && values.every(isObject)) return `Write a list in which each ${what} has its \`name\``
  return syntax === 'yaml' ? `Put \`- \` before each ${what}` : 'Put the entries in `[ ]`'
}

/** Words for `true` and `false`. In YAML 1.1, those without quotes were booleans. */
const truths: { readonly [word: string]: boolean } = { true: true, yes: true, on: true, false: false, no: false, off: false }

/** Returns a hint for a `type` that names a format or a type of another language, and for an `in` of Swagger 2.0. */
export function wordHint(table: string, word: string): string | undefined {
  return findHint('words', table, word.toLowerCase())
}

/** Reads a field that lacks its `:` or the space after it, which makes it a string: `type string`, `$ref:'#/…'`. */
function readFieldWithoutColon({ kind, table }: Shape, value: string): string | undefined {
  const [, key = '', written = ''] =
    value.length > 200 ? [] : (/^(\$?[A-Za-z]+)(?:\s*[:;=]\s*|\s+)([^\s:;=].*)$/.exec(value) ?? [])
  if (kind !== 'object' || !table || !(table.fields.has(key) || (key === '$ref' && table.reference !== 'none'))) return undefined
  return `${key}: ${shorten(written)}`
}

function typeListHint(value: readonly unknown[]): string {
  const types = value.filter((type) => type !== 'null' && type !== null)
  const nullable = types.length < value.length
  if (types.length === 1) return `Write \`type: ${String(types[0])}\`${nullable ? ' and `nullable: true`' : ''}`
  return `Write \`anyOf\` with one schema for each type${nullable ? ', and `nullable: true`' : ''}`
}

/** Whether values of the shape are strings. */
export function isTextShape({ kind }: Shape): boolean {
  return /^(?:text|choice|uri-reference|uri|email|regex|pattern)$/.test(kind)
}

function nameShape({ kind, table }: Shape): string {
  if (kind !== 'object') return shapeNames.get(kind) ?? 'a string'
  return `a mapping (${table?.title ?? 'object'})${table?.allowsBoolean ? ', `true` or `false`' : ''}`
}

const shapeNames: ReadonlyMap<Shape['kind'], string> = new Map([
  ['boolean', '`true` or `false`'],
  ['number', 'a number'],
  ['count', 'a non-negative integer'],
  ['positive', 'a positive number'],
  ['list', 'a list'],
  ['map', 'a mapping'],
  ['schema-or-boolean', 'a mapping (Schema Object), `true` or `false`'],
  ['schema-or-names', 'a mapping (Schema Object) or a list of names'],
  ['types', 'a string or a list of strings'],
])

/**
 * Adds a hint with the quoted value to diagnostics of a number or boolean where a string is expected, and of a value that `#` turns into a
 * comment.
 *
 * The hint needs the value as written (`1.0` is the number 1). It is looked up here, once per file.
 *
 * @param unquoted Indexes of such diagnostics, each with the key of its value.
 */
export async function addQuoteHints(
  findings: readonly Finding[],
  unquoted: ReadonlyMap<number, string>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<Finding[]> {
  const result = [...findings]
  const located = [...unquoted].flatMap(([index, key]) => {
    const finding = findings[index]
    return finding ? [{ index, key, finding, ...toOrigin(finding, (file) => sources.get(file)) }] : []
  })
  for (const [file, inFile] of groupBy(located, (one) => one.file)) {
    const source = sources.get(file)
    if (!source) continue
    const places = await locatePointers(
      source,
      inFile.map(({ pointer }) => pointer),
    )
    for (const { index, key, finding, pointer } of inFile) {
      const place = places.get(pointer)
      if (!place) continue
      const name = syntaxOf(source) === 'json' ? `"${key}"` : key
      const quoted = `Quote the value: \`${name}: "${source.text.slice(place.value.start, place.value.end)}"\``
      const comment = place.key && readComment(source.text, place.key.end)
      const hidden = comment && `Quote the value, as \`#\` after a space starts a comment: \`${key}: '${comment}'\``
      result[index] = { ...finding, hint: finding.hint === undefined ? quoted : (hidden ?? finding.hint) }
    }
  }
  return result
}

/** Reads a value that `#` turned into a comment, without unpaired quotes: `$ref: #/components/schemas/Pet`. */
function readComment(text: string, keyEnd: number): string | undefined {
  const end = text.indexOf('\n', keyEnd)
  const rest = text.slice(keyEnd, Math.min(end === -1 ? text.length : end, keyEnd + 300))
  // An ordinary comment has a space after `#`.
  return /^['"]?:[ \t]+(#[^\s'"]+(?: [^'"]*[^\s'"])?)['"]?\s*$/.exec(rest)?.[1]
}

/** Names the current value: its field, or the list that contains it. */
export function nameValue(walk: Walk): string {
  const last = walk.path.at(-1)
  if (typeof last === 'string') return `\`${shorten(last)}\``
  const list = walk.path.at(-2)
  return typeof list === 'string' ? `an entry of \`${shorten(list)}\`` : 'the document'
}
