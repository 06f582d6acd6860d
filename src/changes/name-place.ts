import { shorten } from '../openapi/hints/suggestions.ts'
import { objectTable } from '../openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../openapi/types.ts'
import { parentPointer, parsePointer, readOwn } from '../text/json/json-values.ts'
import { withoutDocumentExtension } from '../text/plain/paths.ts'
import { toText } from './same-values.ts'
import type { ChangePlace } from './types.ts'

/** Names places for messages. */
export interface PlaceNames {
  /** Names a place that its pointer does not describe, such as `query parameter `limit``. */
  readonly set: (place: ChangePlace, name: string) => void
  /** The name of a place, such as `` `owner.name` of schema `Pet` ``. */
  readonly name: (place: ChangePlace) => string
}

const kinds: { readonly [group: string]: string } = {
  schemas: 'schema',
  parameters: 'parameter',
  responses: 'response',
  requestBodies: 'request body',
  headers: 'header',
  securitySchemes: 'security scheme',
  links: 'link',
  callbacks: 'callback',
  pathItems: 'path item',
}

/** Creates an empty set of names for descriptions of one or two releases. */
export function createNames(releases: readonly OpenApiRelease[]): PlaceNames {
  const isKeyword = (name: string) => releases.some((release) => objectTable(release, 'Schema').fields.has(name))
  const names = new Map<string, string>()
  const keyOf = (file: string, pointer: string) => `${file}#${pointer}`
  return {
    set: ({ file, pointer }, name) => {
      names.set(keyOf(file, pointer), name)
    },
    name: ({ file, pointer }) => {
      for (let around = pointer; ; around = parentPointer(around)) {
        const name = names.get(keyOf(file, around))
        if (name !== undefined) return join(nameProperty(parsePointer(pointer.slice(around.length))), name)
        if (around === '') break
      }
      const [first, group = '', component, ...rest] = parsePointer(pointer)
      if (first === 'components' && component !== undefined) {
        return join(nameProperty(rest), `${readOwn(kinds, group) ?? group} \`${shortenName(component)}\``)
      }
      // A schema in another file is named after its key there, or after the file.
      const segments = parsePointer(pointer)
      const end = segments.findIndex((segment) => segment === 'schema' || isKeyword(segment))
      const key = end === -1 ? segments.at(-1) : segments[end - 1]
      const property = end === -1 ? '' : nameProperty(segments.slice(end))
      return join(property, `\`${shortenName(key ?? nameReference(file) ?? file)}\``)
    },
  }
}

/** The name of a schema at the end of a reference, so that a bundled description has the same names. */
export function nameReference(reference: unknown): string | undefined {
  return typeof reference === 'string' ? withoutDocumentExtension(reference.replace(/^.*[/#]/, '')) : undefined
}

/** Shortens the name of a property, path or operation. The end tells names apart, so only very long ones are cut. */
export function shortenName(name: string): string {
  return shorten(name, 200)
}

/** A value of a document in a message. */
export function nameValue(value: unknown): string {
  return value === undefined ? 'nothing' : `\`${shorten(toText(value))}\``
}

function join(property: string, owner: string): string {
  if (property === '[]') return `the items of ${owner}`
  return property === '' ? owner : `\`${shortenName(property)}\` of ${owner}`
}

/** Keywords with schemas by name or position. */
const lists = new Set(['properties', 'patternProperties', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'prefixItems'])
/** Keywords with one schema. */
const singles = new Set([
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema', 'schema'],
])

/** The path of a property, such as `owner.tags[].name`. Ends at the first value. */
function nameProperty(segments: readonly string[]): string {
  let name = ''
  for (let index = 0; index < segments.length; index++) {
    const keyword = segments[index] ?? ''
    const entry = segments[index + 1]
    if (lists.has(keyword)) {
      if (entry === undefined) break
      index++
      if (keyword === 'properties') name += name === '' ? entry : `.${entry}`
      else if (keyword === 'patternProperties') name += `${name === '' ? '' : '.'}/${entry}/`
      else if (keyword === 'prefixItems') name += `[${entry}]`
    } else if (keyword === 'items' || keyword === 'contains' || keyword === 'unevaluatedItems') name += '[]'
    else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') name += name === '' ? '*' : '.*'
    else if (!singles.has(keyword)) break
  }
  return name
}
