import { isObject, type Place, readOwn } from '../../text/json/json-values.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import { childPlace, maxChain, toPlaceKey } from '../references/follow-reference.ts'
import { matchPattern } from '../schema/json-schema.ts'
import { citedEdition } from '../walk.ts'
import type { Check, CheckContext } from './check-context.ts'

/** Maximum depth of nested schemas. */
const maxDepth = 200

/** The properties of a schema and its subschemas. */
interface Properties {
  readonly names: Set<string>
  readonly patterns: string[]
  /** The schemas that were read. */
  readonly seen: Set<string>
  /** The schema allows unnamed properties, or a subschema could not be read. */
  open: boolean
}

/**
 * Reports keys of `encoding` that are not properties of the media type's schema.
 *
 * OpenAPI 3.0.4 and 3.1.1, "Media Type Object", require the key to be a property of the schema. OpenAPI 3.2.0, "Encoding By Name",
 * ignores other entries, so it is an info there.
 */
export const encodingProperty: Check = (context, report) => {
  const isIgnored = context.release === '3.2'
  const known = new Map<string, Properties>()
  for (const mediaType of context.collected.encodings) {
    const encoding = childPlace(mediaType, 'encoding')
    const schema = childPlace(mediaType, 'schema')
    if (!isObject(encoding.value) || schema.value === undefined) continue
    const isPlain = isObject(schema.value) && Object.keys(schema.value).length === 1
    // Many media types can share a schema.
    const key = toPlaceKey(isPlain ? context.follow.end(schema) : schema)
    const properties = known.get(key) ?? { names: new Set(), patterns: [], seen: new Set(), open: false }
    if (!known.has(key)) collectProperties(schema, context, properties, 0)
    known.set(key, properties)
    if (properties.open) continue
    for (const name of Object.keys(encoding.value)) {
      if (name.startsWith('x-') || properties.names.has(name)) continue
      if (properties.patterns.some((pattern) => matchPattern(pattern, name) !== false)) continue
      const near = context.suggest(name, () => [...properties.names])
      const described = context.follow.end(schema)
      report({
        code: 'encoding-property',
        message: `Unexpected \`${shorten(name)}\` in \`encoding\`, expected a property of the schema`,
        file: encoding.file,
        pointer: childPlace(encoding, name).pointer,
        on: 'key',
        hint: didYouMean(near) ?? `Add \`${shorten(name)}\` to \`properties\` of the schema, or remove the entry`,
        section: `OpenAPI ${citedEdition[context.release]}, ${isIgnored ? 'Encoding By Name' : 'Media Type Object'}`,
        ...(isIgnored ? { severity: 'info' } : {}),
        related: [{ file: described.file, pointer: described.pointer, on: 'key', message: 'the schema' }],
      })
    }
  }
}

/** Keywords whose schemas apply to the same object. */
const partLists = ['allOf', 'anyOf', 'oneOf']
const parts = ['if', 'then', 'else']

function collectProperties(schema: Place, context: CheckContext, found: Properties, depth: number): void {
  const chain = context.follow.chain(schema)
  if (chain.length > maxChain) found.open = true
  for (const place of chain) {
    const { value } = place
    if (found.seen.has(toPlaceKey(place))) continue
    found.seen.add(toPlaceKey(place))
    if (!isObject(value) || depth > maxDepth || '$dynamicRef' in value || '$recursiveRef' in value) {
      found.open = true
      return
    }
    for (const name of isObject(value['properties']) ? Object.keys(value['properties']) : []) found.names.add(name)
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (readOwn(value, keyword) === true || isObject(readOwn(value, keyword))) found.open = true
    }
    if (isObject(value['patternProperties'])) found.patterns.push(...Object.keys(value['patternProperties']))
    for (const keyword of partLists) {
      const list = childPlace(place, keyword)
      if (!Array.isArray(list.value)) continue
      for (const index of list.value.keys()) collectProperties(childPlace(list, index), context, found, depth + 1)
    }
    for (const keyword of parts) {
      if (Object.hasOwn(value, keyword)) collectProperties(childPlace(place, keyword), context, found, depth + 1)
    }
    const dependent = childPlace(place, 'dependentSchemas')
    for (const name of isObject(dependent.value) ? Object.keys(dependent.value) : []) {
      collectProperties(childPlace(dependent, name), context, found, depth + 1)
    }
  }
  const last = context.follow.end(schema).value
  // An unresolved reference is the last of its chain.
  if (isObject(last) && typeof last['$ref'] === 'string') found.open = true
}
