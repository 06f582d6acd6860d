import { toNode } from '../model/api.ts'
import { keywordIn, mergeSchema } from '../model/schema.ts'
import { childPlace, followOnly, mapPlaces, maxChain, schemasIn, toPlaceKey } from '../openapi/references/follow-reference.ts'
import { keywordsFor, matchPattern, schemaKeywords } from '../openapi/schema/json-schema.ts'
import type { Place } from '../text/json/json-values.ts'
import { getOrMake } from '../text/plain/lists.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import type { Check, CheckContext } from './check-context.ts'

/** The properties of a schema and its subschemas. */
interface Properties {
  readonly names: ReadonlySet<string>
  readonly patterns: readonly string[]
  /** The schema allows unnamed properties, or a subschema could not be read. */
  readonly isOpen: boolean
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
    if (schema.value === undefined) continue
    // Many media types can share a schema.
    const properties = getOrMake(known, toPlaceKey(followOnly(schema, context.follow)), () => readProperties(schema, context))
    if (properties.isOpen) continue
    for (const { name, place } of mapPlaces(encoding, undefined, 'left-out')) {
      if (properties.names.has(name)) continue
      if (properties.patterns.some((pattern) => matchPattern(pattern, name) !== false)) continue
      const near = context.suggest(name, () => [...properties.names])
      const described = context.follow.end(schema)
      report({
        at: place,
        message: `Unexpected \`${shorten(name)}\` in \`encoding\`, expected a property of the schema`,
        on: 'key',
        hint: didYouMean(near) ?? `Add \`${shorten(name)}\` to \`properties\` of the schema, or remove the entry`,
        section: isIgnored ? 'Encoding By Name' : 'Media Type Object',
        ...(isIgnored ? { severity: 'info' } : {}),
        related: [{ file: described.file, pointer: described.pointer, on: 'key', message: 'the schema' }],
      })
    }
  }
}

/** Reads the properties that a schema describes, in some cases too. */
function readProperties(schema: Place, { follow }: CheckContext): Properties {
  let isOpen = false
  const { parts, properties } = mergeSchema([schema], follow, {
    alsoIn: (part) => caseKeywords.flatMap((key) => schemasIn(part, key, schemaKeywords.get(key)?.holds)),
    onSchema: (chain) => {
      if (chain.length > maxChain || chain.slice(-1).some((last) => toNode(last, { follow }).isUnresolved)) isOpen = true
    },
  })
  for (const { keywords } of parts) {
    if (openKeywords.some((keyword) => (keywordIn(keywords, keyword) ?? false) !== false)) isOpen = true
  }
  const patterns = parts.flatMap((part) => mapPlaces(part, 'patternProperties').map(({ name }) => name))
  return { names: new Set(properties.keys()), patterns, isOpen }
}

const caseKeywords = keywordsFor('case')

/** Keywords that allow other properties. The schemas that the last two refer to depend on those around them. */
const openKeywords = ['additionalProperties', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef']
