import hints from '../../../texts/problem-hints.json' with { type: 'json' }
import phrases from '../../../texts/reason-phrases.json' with { type: 'json' }
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, readOwn, stringOf } from '../../text/json/json-values.ts'
import { locatePointers, syntaxOf } from '../../text/parse-source.ts'
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
  const near = walk.suggest(key, () => [...table.fields.keys()].filter((name) => !Object.hasOwn(value, name)))
  if (near !== undefined) return didYouMean(near)
  const hint = findHint('unknownFields', table.key, key)
  if (hint !== undefined) return hint
  return table.extensible ? 'Remove it, or prefix extension fields with `x-`' : undefined
}

/** The hint for a field or a type of an object. Source of those for Swagger 2.0: comparison of OpenAPI 3.0.0 with it. */
function findHint(kind: keyof typeof hints, table: string, name: string): string | undefined {
  return stringOf(readOwn(hints[kind], `${table}.${name}`))
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
  const name = nameValue(walk)
  const key = walk.path.at(-1)
  const plain = `Unexpected ${nameType(value)} for ${name}, expected ${nameShape(shape)}`
  if (key === 'type' && Array.isArray(value) && walk.release === '3.0') {
    const message = `Unexpected list for \`type\`: lists require OpenAPI 3.1, but this document uses ${walk.version}`
    return { message, hint: typeListHint(value) }
  }
  if ((key === 'exclusiveMinimum' || key === 'exclusiveMaximum') && shape.kind !== 'any') {
    const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (typeof value === 'number')
      return { message: plain, hint: `In OpenAPI 3.0, write \`${bound}: ${value}\` and \`${key}: true\`` }
    if (typeof value === 'boolean')
      return { message: plain, hint: `Since OpenAPI 3.1, write the bound itself: \`${key}: 0\` instead of \`${bound}\`` }
  }
  if (value === null && (shape.kind === 'types' || shape.choices.includes('null'))) {
    return { message: plain, hint: 'Quote `"null"`: without quotes, it is the value `null`' }
  }
  if (key === '$recursiveAnchor') {
    return { message: plain, hint: 'Write `$dynamicAnchor` with a name instead, and `$dynamicRef` for `$recursiveRef`' }
  }
  const isTruth = typeof value === 'boolean' || (typeof value === 'string' && Object.hasOwn(truths, value.toLowerCase()))
  if (key === 'required' && isTruth && shape.kind === 'list') {
    return { message: plain, hint: 'Add the property to the `required` list of its parent object' }
  }
  if (value === null) {
    const hint = 'Add a value or remove the key'
    return isTextShape(shape) && typeof key === 'string' && walk.syntax === 'yaml'
      ? { message: plain, hint, quotes: key }
      : { message: plain, hint }
  }
  if (isTextShape(shape) && (typeof value === 'number' || typeof value === 'boolean')) {
    return typeof key === 'string' ? { message: plain, quotes: key } : { message: plain, hint: 'Put the value in quotes' }
  }
  if (shape.kind === 'list' && typeof value === 'object') {
    const one = typeof key === 'string' ? key.replace(/s$/, '') : 'entry'
    const what = /^[a-z]+$/i.test(one) && one !== key ? one : 'entry'
    return { message: plain, hint: listHint(walk, shape, what, value ?? {}) }
  }
  const field = typeof value === 'string' && walk.syntax === 'yaml' ? readFieldWithoutColon(shape, value) : undefined
  if (field !== undefined) return { message: plain, hint: `Write \`${field}\`` }
  if (shape.kind === 'list' && typeof value === 'string') return { message: plain, hint: 'Write a list with one entry' }
  const allowsTruth = shape.kind === 'boolean' || shape.kind === 'schema-or-boolean' || shape.table?.allowsBoolean === true
  if (allowsTruth && isTruth && typeof value === 'string') {
    const hint = /^(true|false)$/i.test(value) ? 'Remove the quotes' : `Write \`${truths[value.toLowerCase()]}\``
    return { message: plain, hint }
  }
  if (isNumberShape(shape) && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return { message: plain, hint: 'Remove the quotes' }
  }
  return { message: plain }
}

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

/** Returns a hint for a `type` that names a format, or a type of another language. */
export function typeHint(table: string, type: string): string | undefined {
  return findHint('types', table, type.toLowerCase())
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
  return (
    kind === 'text' ||
    kind === 'choice' ||
    kind === 'uri-reference' ||
    kind === 'uri' ||
    kind === 'email' ||
    kind === 'regex' ||
    kind === 'pattern'
  )
}

function isNumberShape({ kind }: Shape): boolean {
  return kind === 'number' || kind === 'count' || kind === 'positive'
}

function nameShape(shape: Shape): string {
  switch (shape.kind) {
    case 'boolean':
      return '`true` or `false`'
    case 'number':
      return 'a number'
    case 'count':
      return 'a non-negative integer'
    case 'positive':
      return 'a positive number'
    case 'list':
      return 'a list'
    case 'map':
      return 'a mapping'
    case 'object':
      return `a mapping (${shape.table?.title ?? 'object'})${shape.table?.allowsBoolean ? ', `true` or `false`' : ''}`
    case 'schema-or-boolean':
      return 'a mapping (Schema Object), `true` or `false`'
    case 'schema-or-names':
      return 'a mapping (Schema Object) or a list of names'
    case 'types':
      return 'a string or a list of strings'
    default:
      return 'a string'
  }
}

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
  const origins = findings.map((finding, index) =>
    unquoted.has(index) ? toOrigin(finding, (file) => sources.get(file)) : finding,
  )
  const byFile = new Map<string, number[]>()
  for (const index of unquoted.keys()) {
    const file = origins[index]?.file
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), index])
  }
  for (const [file, indexes] of byFile) {
    const source = sources.get(file)
    if (!source) continue
    const places = await locatePointers(
      source,
      indexes.flatMap((index) => origins[index]?.pointer ?? []),
    )
    for (const index of indexes) {
      const finding = findings[index]
      const place = finding && places.get(origins[index]?.pointer ?? '')
      const key = unquoted.get(index)
      if (!finding || !place || key === undefined) continue
      if (finding.hint !== undefined) {
        const comment = place.key && readComment(source.text, place.key.end)
        if (comment !== undefined)
          result[index] = {
            ...finding,
            hint: `Quote the value, as \`#\` after a space starts a comment: \`${key}: '${comment}'\``,
          }
        continue
      }
      const written = source.text.slice(place.value.start, place.value.end)
      const json = syntaxOf(source) === 'json'
      result[index] = {
        ...finding,
        hint: json ? `Quote the value: \`"${key}": "${written}"\`` : `Quote the value: \`${key}: "${written}"\``,
      }
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
