import type { Finding } from '../diagnostics/diagnostic.ts'
import type { JsonObject } from '../source/is-object.ts'
import { locatePointers, syntaxOf } from '../source/parse-source.ts'
import type { SourceFile } from '../source/source-file.ts'
import { didYouMean, isMistypedReference, nameValue, shorten } from './suggestions.ts'
import type { OpenApiRelease } from './types.ts'
import type { ObjectTable, Shape, Walk } from './walk.ts'

/** What to do about a field that the object does not have. `later` is the release that has it. */
export function unknownFieldHint(
  walk: Walk,
  table: ObjectTable,
  value: JsonObject,
  key: string,
  later: OpenApiRelease | undefined,
): string | undefined {
  if (later !== undefined) {
    return (
      laterFieldHints[`${table.key}.${key}`] ??
      `remove it, or write the document as \`openapi: ${later}.${later === '3.1' ? 1 : 0}\``
    )
  }
  const blank = /[^\S ]|[\u200b-\u200d\u2060\ufeff]/.exec(key)?.[0]
  const bare = key.replace(/[\s\u200b-\u200d\u2060\ufeff]/g, '')
  if (blank !== undefined && (table.fields.has(bare) || key.startsWith(blank))) {
    const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `write \`${bare}\` without the blank U+${code} in it, and indent with spaces`
  }
  if (table.reference !== 'none' && !Object.hasOwn(value, '$ref') && isMistypedReference(key, value[key]))
    return didYouMean('$ref')
  const near = walk.suggest(key, () => [...table.fields.keys()].filter((name) => !Object.hasOwn(value, name)))
  if (near !== undefined) return didYouMean(near)
  const swagger = swaggerFieldHints[`${table.key}.${key}`]
  if (swagger !== undefined) return swagger
  if (table.key === 'Response' && (key === 'schema' || key === 'examples'))
    return `put \`${key}\` under \`content\` and its media type`
  if (table.key === 'Parameter' && parameterTypeFields.has(key)) return `put \`${key}\` under \`schema\``
  if (table.extensible && walk.release === '3.0' && table.key === 'Schema' && key === 'examples')
    return 'write `example` with one value'
  return table.extensible ? 'a field of your own begins with `x-`' : undefined
}

/** The status code that a name among responses is meant for: `2xx`, `20O`, `‘200’`, `200:`. */
export function statusCodeHint(key: string): string | undefined {
  const letters = key.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const code = letters.replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code === key || !/^[1-5](?:\d\d|XX)$/.test(code)) return undefined
  return `write \`${code.endsWith('X') ? code : `'${code}'`}\``
}

const laterFieldHints: Readonly<Record<string, string>> = {
  'Schema.const': 'in 3.0 write `enum` with one value',
  'Schema.examples': 'in 3.0 write `example` with one value',
  'Schema.$defs': 'in 3.0 put schemas under `components.schemas`',
  'Schema.definitions': 'put schemas under `components.schemas`',
  'Schema.if': 'in 3.0 write `oneOf` or `anyOf`',
}

/** What became of the fields of Swagger 2.0. Source: OpenAPI 3.0.0, beside Swagger 2.0. */
const swaggerFieldHints: Readonly<Record<string, string>> = {
  'OpenAPI.host': 'since OpenAPI 3 it is part of `servers`: `- url: https://api.example.com/v1`',
  'OpenAPI.basePath': 'since OpenAPI 3 it is part of `servers`: `- url: https://api.example.com/v1`',
  'OpenAPI.schemes': 'since OpenAPI 3 it is part of `servers`: `- url: https://api.example.com/v1`',
  'OpenAPI.definitions': 'since OpenAPI 3 schemas stand under `components.schemas`',
  'OpenAPI.parameters': 'since OpenAPI 3 they stand under `components.parameters`',
  'OpenAPI.responses': 'since OpenAPI 3 they stand under `components.responses`',
  'OpenAPI.securityDefinitions': 'since OpenAPI 3 they stand under `components.securitySchemes`',
  'OpenAPI.consumes': 'since OpenAPI 3 media types are the keys of `content` in a `requestBody`',
  'OpenAPI.produces': 'since OpenAPI 3 media types are the keys of `content` in a response',
  'Operation.consumes': 'since OpenAPI 3 media types are the keys of `content` in the `requestBody`',
  'Operation.produces': 'since OpenAPI 3 media types are the keys of `content` in a response',
  'Operation.schemes': 'since OpenAPI 3 it is part of the `url` of `servers`',
  'Parameter.collectionFormat': 'since OpenAPI 3 it is `style` and `explode`',
}

const parameterTypeFields = new Set([
  'type',
  'format',
  'enum',
  'items',
  'default',
  'minimum',
  'maximum',
  'pattern',
  'minLength',
  'maxLength',
])

const missingFieldExamples: Readonly<Record<string, string>> = {
  'Info.version': 'version: 1.0.0',
  'Info.title': 'title: My API',
  'OpenAPI.paths': 'paths: {}',
  'Response.description': 'description: OK',
  'Parameter.in': 'in: query',
  'Server.url': 'url: https://api.example.com',
  'Tag.name': 'name: pets',
}

/** What to add where a required field is missing. */
export function missingFieldHint(table: ObjectTable, key: string): string | undefined {
  const example = missingFieldExamples[`${table.key}.${key}`]
  return example === undefined ? undefined : `add for example \`${example}\``
}

/** The words for a value of the wrong type. `quotes` is the key of a value whose hint should quote it as it is written, where it is. */
interface WrongTypeFault {
  readonly message: string
  readonly hint?: string | undefined
  readonly quotes?: string
}

/** Describes a value of the wrong type, with a hint that knows the release. */
export function wrongTypeFault(walk: Walk, shape: Shape, value: unknown): WrongTypeFault {
  const name = nameValue(walk)
  const key = walk.path.at(-1)
  const plain = `Unexpected ${nameType(value)} for ${name}, expected ${nameShape(shape)}`
  if (key === 'type' && Array.isArray(value) && walk.release === '3.0') {
    const message = `Unexpected list for \`type\`: lists came with OpenAPI 3.1, this document is ${walk.version}`
    return { message, hint: typeListHint(value) }
  }
  if ((key === 'exclusiveMinimum' || key === 'exclusiveMaximum') && shape.kind !== 'any') {
    const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (typeof value === 'number') return { message: plain, hint: `in 3.0 write \`${bound}: ${value}\` and \`${key}: true\`` }
    if (typeof value === 'boolean')
      return { message: plain, hint: `from 3.1 on write the bound itself: \`${key}: 0\` in place of \`${bound}\`` }
  }
  if (key === 'required' && typeof value === 'boolean' && shape.kind === 'list') {
    return { message: plain, hint: 'name the property in the `required` list of the object that has it' }
  }
  if (value === null) {
    const hint = 'give it a value or remove the key'
    return isTextShape(shape) && typeof key === 'string' && walk.syntax === 'yaml'
      ? { message: plain, hint, quotes: key }
      : { message: plain, hint }
  }
  if (isTextShape(shape) && (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')) {
    return typeof key === 'string' ? { message: plain, quotes: key } : { message: plain, hint: 'put it in quotes' }
  }
  if (shape.kind === 'list' && typeof value === 'object') {
    const one = typeof key === 'string' ? key.replace(/s$/, '') : 'entry'
    const what = /^[a-z]+$/i.test(one) && one !== key ? one : 'entry'
    return { message: plain, hint: walk.syntax === 'yaml' ? `put \`- \` before each ${what}` : 'put the entries in `[ ]`' }
  }
  const field = typeof value === 'string' && walk.syntax === 'yaml' ? readUnsignedField(shape, value) : undefined
  if (field !== undefined) return { message: plain, hint: `write \`${field}\`` }
  if (shape.kind === 'list' && typeof value === 'string') return { message: plain, hint: 'write a list with one entry' }
  if (shape.kind === 'boolean' && typeof value === 'string' && /^(true|false)$/i.test(value))
    return { message: plain, hint: 'remove the quotes' }
  if (isNumberShape(shape) && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return { message: plain, hint: 'remove the quotes' }
  }
  return { message: plain }
}

/** A field that has lost its `:`, or the space after it, and is a text by that: `type string`, `$ref:'#/…'`. */
function readUnsignedField({ kind, table }: Shape, value: string): string | undefined {
  const [, key = '', written = ''] =
    value.length > 200 ? [] : (/^(\$?[A-Za-z]+)(?:\s*[:;=]\s*|\s+)([^\s:;=].*)$/.exec(value) ?? [])
  if (kind !== 'object' || !table || !(table.fields.has(key) || (key === '$ref' && table.reference !== 'none'))) return undefined
  return `${key}: ${shorten(written)}`
}

function typeListHint(value: readonly unknown[]): string {
  const types = value.filter((type) => type !== 'null')
  const nullable = types.length < value.length
  if (types.length === 1) return `write \`type: ${String(types[0])}\`${nullable ? ' and `nullable: true`' : ''}`
  return `write \`anyOf\` with one schema for each type${nullable ? ', and `nullable: true`' : ''}`
}

/** Tells the kinds whose values are text. */
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

/** What a value is, in a word that an author of YAML or JSON knows. A YAML key without a value has the value `null`. */
export function nameType(value: unknown): string {
  if (value === null || value === undefined) return '`null`'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'object':
      return 'mapping'
    case 'string':
      return 'text'
    case 'boolean':
      return `\`${value}\``
    case 'number':
    case 'bigint':
      return 'number'
    default:
      return 'value'
  }
}

function nameShape(shape: Shape): string {
  switch (shape.kind) {
    case 'boolean':
      return '`true` or `false`'
    case 'number':
      return 'a number'
    case 'count':
      return 'a whole number from 0'
    case 'positive':
      return 'a number over 0'
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
      return 'text or a list of texts'
    default:
      return 'text'
  }
}

/**
 * Adds `quote it: …` to findings of a number or boolean where text is expected, and of a text that is a comment as it begins with `#`.
 *
 * The hint needs the value as it is written (`1.0` is the number 1), which is looked up here once for each file.
 *
 * @param unquoted Indexes of such findings, each with the key of its value.
 */
export async function addQuoteHints(
  findings: readonly Finding[],
  unquoted: ReadonlyMap<number, string>,
  sources: ReadonlyMap<string, SourceFile>,
): Promise<Finding[]> {
  const result = [...findings]
  const byFile = new Map<string, number[]>()
  for (const index of unquoted.keys()) {
    const file = findings[index]?.file
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), index])
  }
  for (const [file, indexes] of byFile) {
    const source = sources.get(file)
    if (!source) continue
    const places = await locatePointers(
      source,
      indexes.flatMap((index) => findings[index]?.pointer ?? []),
    )
    for (const index of indexes) {
      const finding = findings[index]
      const place = finding && places.get(finding.pointer)
      const key = unquoted.get(index)
      if (!finding || !place || key === undefined) continue
      if (finding.hint !== undefined) {
        const comment = place.key && readComment(source.text, place.key.end)
        if (comment !== undefined)
          result[index] = { ...finding, hint: `a \`#\` behind a blank begins a comment, quote it: \`${key}: '${comment}'\`` }
        continue
      }
      const written = source.text.slice(place.value.start, place.value.end)
      const json = syntaxOf(source) === 'json'
      result[index] = { ...finding, hint: json ? `quote it: \`"${key}": "${written}"\`` : `quote it: \`${key}: "${written}"\`` }
    }
  }
  return result
}

/** What stands behind a key as a comment, less the half of a pair of quotes: `$ref: #/components/schemas/Pet`. */
function readComment(text: string, keyEnd: number): string | undefined {
  const end = text.indexOf('\n', keyEnd)
  const rest = text.slice(keyEnd, Math.min(end === -1 ? text.length : end, keyEnd + 300))
  // A remark has a blank behind its sign.
  return /^['"]?:[ \t]+(#[^\s'"]+(?: [^'"]*[^\s'"])?)['"]?\s*$/.exec(rest)?.[1]
}
