import type { Node } from '../../model/api.ts'
import { hasPlace } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { componentNouns, objectTable } from '../../openapi/tables/object-tables.ts'
import type { OpenApiRelease } from '../../openapi/types.ts'
import { isWithin, type Place, parentPointer, parsePointer } from '../../text/json/json-values.ts'
import { withoutDocumentExtension } from '../../text/plain/paths.ts'
import { shorten } from '../../text/plain/suggest.ts'
import type { ChangePlace } from '../change.ts'

/** Names places for messages. */
export interface PlaceNames {
  /** Names a place that its pointer does not describe, such as `query parameter `limit``. */
  readonly set: (place: ChangePlace, name: string) => void
  /** The name of a place, such as `` `owner.name` of schema `Pet` ``. */
  readonly name: (place: ChangePlace) => string
}

/** Creates an empty set of names for descriptions of one or two releases. */
export function createNames(releases: readonly OpenApiRelease[]): PlaceNames {
  const isKeyword = (name: string) => releases.some((release) => objectTable(release, 'Schema').fields.has(name))
  const nouns = new Map(releases.flatMap((release) => [...componentNouns(release)]))
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
        return join(nameProperty(rest), `${nouns.get(group) ?? group} \`${shortenName(component)}\``)
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

/** A value as a text. `String` throws for an object with a field such as `toString`. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(undefined))
}

/** A value of a document in a message. */
export function nameValue(value: unknown): string {
  return value === undefined ? 'nothing' : `\`${shorten(toText(value))}\``
}

function join(property: string, owner: string): string {
  if (property === '[]') return `the items of ${owner}`
  return property === '' ? owner : `\`${shortenName(property)}\` of ${owner}`
}

/** Fields around schemas. */
const around = new Map([
  ['schema', 'one'],
  ['content', 'map'],
  ['$defs', 'map'],
  ['definitions', 'map'],
])

/** The path of a property, such as `owner.tags[].name`. Ends at the first value. */
function nameProperty(segments: readonly string[]): string {
  let name = ''
  for (let index = 0; index < segments.length; index++) {
    const keyword = segments[index] ?? ''
    const entry = segments[index + 1]
    const holds = around.get(keyword) ?? schemaKeywords.get(keyword)?.holds
    if (holds === undefined) break
    if (holds !== 'one') {
      if (entry === undefined) break
      index++
      if (keyword === 'properties') name += name === '' ? entry : `.${entry}`
      else if (keyword === 'patternProperties') name += `${name === '' ? '' : '.'}/${entry}/`
      else if (keyword === 'prefixItems') name += `[${entry}]`
    } else if (keyword === 'items' || keyword === 'contains' || keyword === 'unevaluatedItems') name += '[]'
    else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') name += name === '' ? '*' : '.*'
  }
  return name
}

/** The same part of both descriptions. */
export interface Pair<Part> {
  readonly base: Part
  readonly revision: Part
}

/** The same object in both descriptions. */
export type PlacePair = Pair<Place>

export function placesOf({ base, revision }: Pair<Node>): PlacePair {
  return { base: base.place, revision: revision.place }
}

/** The keys of an entry that a map has in one version or both. In a version without it, the place is that around it. */
export function keyPlaces(
  base: Place | undefined,
  revision: Place | undefined,
  around: PlacePair,
): Record<keyof PlacePair, ChangePlace> {
  return {
    base: base ? { ...base, on: 'key' } : around.base,
    revision: revision ? { ...revision, on: 'key' } : around.revision,
  }
}

/**
 * A reference that now refers to another component, or a schema that moved into a component or out of it. Neither component changed, so
 * differences are named after the reference.
 */
export interface Replacement {
  /** The objects that are compared. */
  readonly targets: PlacePair
  /** The references, or the inline schemas. */
  readonly references: PlacePair[]
  /** Whether both components exist in both descriptions. */
  readonly isOtherComponent: boolean
  /** The replacement around the references. */
  readonly outer?: Replacement | undefined
}

/** Finds out whether a reference refers to another component. A renamed component counts as the same one. */
export function findReplacement(references: PlacePair, targets: PlacePair, roots: PlacePair): Replacement | undefined {
  const isInline = [references.base === targets.base, references.revision === targets.revision]
  if (isInline[0] && isInline[1]) return undefined
  if (isInline[0] || isInline[1]) return { targets, references: [references], isOtherComponent: false }
  const { base, revision } = targets
  if (base.pointer === revision.pointer || base.file !== roots.base.file || revision.file !== roots.revision.file)
    return undefined
  const remains = hasPlace(roots.revision, base.pointer)
  const existed = hasPlace(roots.base, revision.pointer)
  return remains || existed ? { targets, references: [references], isOtherComponent: remains && existed } : undefined
}

/** Whether places are inside the objects of a replacement. */
export function isInsideReplacement({ targets }: Replacement, base: Place | undefined, revision: Place | undefined): boolean {
  return Boolean(base && revision && toRest(base, targets.base) !== undefined && toRest(revision, targets.revision) !== undefined)
}

/** The place as seen from the reference, if there is only one. */
export function viewFromReference<At extends ChangePlace>(place: At, replacement: Replacement | undefined): At | ChangePlace {
  const [reference, ...others] = replacement?.references ?? []
  if (!replacement || !reference || others.length > 0) return place
  for (const side of ['base', 'revision'] as const) {
    const rest = toRest(place, replacement.targets[side])
    if (rest === undefined) continue
    const seen = { ...place, file: reference[side].file, pointer: `${reference[side].pointer}${rest}` }
    return viewFromReference(seen, replacement.outer)
  }
  return place
}

/**
 * The place to show for a difference: that of the reference if neither component changed. If a schema was replaced by a reference, or the
 * reverse, this is only true of differences that concern the component as a whole.
 */
export function toShownPlace(place: ChangePlace, side: 'base' | 'revision', replacement: Replacement | undefined): ChangePlace {
  const [reference, ...others] = replacement?.references ?? []
  if (!replacement || !reference || others.length > 0) return place
  const rest = toRest(place, replacement.targets[side])
  if (rest === undefined || (rest !== '' && !replacement.isOtherComponent)) return place
  const { file, pointer } = reference[side]
  return { file, pointer }
}

/** Names a place, with both components if one replaced the other in several places. */
export function nameReplaced(place: ChangePlace, names: PlaceNames, replacement: Replacement | undefined): string {
  const name = names.name(viewFromReference(place, replacement))
  if (!replacement || replacement.references.length === 1) return name
  const { base, revision } = replacement.targets
  const isInBase = toRest(place, base) !== undefined
  return `${name} (${isInBase ? 'now' : 'was'} \`${shortenName(parsePointer((isInBase ? revision : base).pointer).at(-1) ?? '')}\`)`
}

/** The rest of a pointer below another place. */
function toRest(place: ChangePlace, around: ChangePlace): string | undefined {
  if (place.file !== around.file) return undefined
  return isWithin(place.pointer, around.pointer) ? place.pointer.slice(around.pointer.length) : undefined
}
