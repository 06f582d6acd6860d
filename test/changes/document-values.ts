import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { objectTable, shapeOfField } from '../../src/openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../src/openapi/types.ts'
import type { ObjectTable } from '../../src/openapi/walk.ts'
import { isObject } from '../../src/text/json/json-values.ts'

/** Descriptions that use every field of the objects of OpenAPI, as plain values. */
export const everyField: readonly unknown[] = parse(readFileSync(new URL('every-field.yaml', import.meta.url), 'utf8'))

/** A value in a document of OpenAPI. */
export interface DocumentValue {
  /** The path of the value: keys and positions. */
  readonly segments: readonly string[]
  /** The field of an object of OpenAPI that the value belongs to, such as `Parameter.style`. */
  readonly field: string
  /** The kind of the object, such as `Schema`, if the value is an object of OpenAPI. */
  readonly object: string | undefined
}

/** Lists every value of a document except references and the version of OpenAPI. Outer values are before those inside them. */
export function listValues(document: unknown): DocumentValue[] {
  const found: DocumentValue[] = []
  const visit = (value: unknown, segments: readonly string[], table: ObjectTable | undefined, shape: Shape, owner: string) => {
    if (typeof value !== 'object' || value === null) return
    const type: unknown = isObject(value) && table?.variants ? value[table.variants.field] : undefined
    const own = isMap(table) ? undefined : (table?.variants?.tables.get(String(type)) ?? table)
    for (const [key, entry] of Object.entries(value)) {
      if (key === '$ref' || (segments.length === 0 && key === 'openapi')) continue
      const isField = own !== undefined && !Array.isArray(value)
      const inner = isField ? shapeOfField(own, key) : shape?.inner
      const name = own?.fields.size === 0 && !key.startsWith('x-') ? '*' : key
      const field = isField ? `${own.key}.${name}` : owner
      const ofShape = inner?.kind === 'schema-or-boolean' || inner?.kind === 'schema-or-names' ? inner.inner?.table : inner?.table
      const innerTable = isField && isAnyValue(own, key) ? undefined : ofShape
      const object = isObject(entry) && !isMap(innerTable) ? innerTable?.key : undefined
      found.push({ segments: [...segments, key], field, object })
      visit(entry, [...segments, key], innerTable, inner, field)
    }
  }
  visit(document, [], objectTable(releaseOf(document), 'OpenAPI'), undefined, '')
  return found
}

type Shape = ReturnType<typeof shapeOfField>

function releaseOf(document: unknown): OpenApiRelease {
  const version = String(isObject(document) ? document['openapi'] : '')
  return version.startsWith('3.0') ? '3.0' : version.startsWith('3.1') ? '3.1' : '3.2'
}

/** Whether a table is that of a map, such as `{Schema}`. */
function isMap(table: ObjectTable | undefined): boolean {
  return table?.key.startsWith('{') === true
}

/** Whether a field has any value, and not an object of OpenAPI. */
function isAnyValue({ key: table }: ObjectTable, key: string): boolean {
  return table === 'Schema' && ['default', 'enum', 'const', 'example', 'examples'].includes(key)
}

/** Whether a field contains only texts and examples. */
export function isText(field: string): boolean {
  const [object, name = ''] = field.split('.')
  return object === 'Example' || texts.includes(name)
}

const texts = ['description', 'summary', 'title', 'externalDocs', 'example', 'examples', '$comment']

export function readValue(document: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>((value, segment) => Reflect.get(Object(value), segment), document)
}

/** A copy of a document with another value, or without it if the new one is `undefined`. */
export function withValue(document: unknown, segments: readonly string[], value: unknown): unknown {
  const changed: unknown = structuredClone(document)
  writeValue(changed, segments, value)
  return changed
}

/** Replaces a value, or removes it if the new one is `undefined`. */
export function writeValue(document: unknown, segments: readonly string[], value: unknown): void {
  const owner = readValue(document, segments.slice(0, -1))
  const key = segments.at(-1) ?? ''
  if (value !== undefined) Reflect.set(Object(owner), key, value)
  else if (Array.isArray(owner)) owner.splice(Number(key), 1)
  else Reflect.deleteProperty(Object(owner), key)
}

interface Exceptions {
  readonly ignored: { readonly [field: string]: string }
  readonly replacements: { readonly [value: string]: string }
}

const { ignored, replacements }: Exceptions = parse(readFileSync(new URL('document-sweep.yaml', import.meta.url), 'utf8'))

export { replacements }

/** Whether changes of a field are not reported: it is text, or `document-sweep.yaml` says why. */
export function isIgnored(field: string): boolean {
  const [object = ''] = field.split('.')
  return isText(field) || field in ignored || `${object}.*` in ignored
}
