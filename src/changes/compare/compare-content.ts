import { type Node, toMap } from '../../model/api.ts'
import {
  type DescribedValue,
  type Encoding,
  type Header,
  type MediaType,
  readContent,
  readEncoding,
  readEncodings,
  readHeaders,
} from '../../model/content.ts'
import type { Parameter } from '../../model/parameters.ts'
import { anyBytes } from '../../model/schema.ts'
import {
  findMediaType,
  howWritten,
  includesMediaType,
  isJsonType,
  readSerialization,
  type Serialization,
} from '../../model/written-values.ts'
import { childPlace, isReference, valueIn } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, fieldPlaces, report, type Scope, type Side, use, within } from '../differences/comparison.ts'
import { compareDeprecation } from '../differences/lifecycle.ts'
import { keyPlaces, type Pair, type PlacePair, placesOf } from '../differences/name-place.ts'
import { compareSchemas } from '../schema/compare-schemas.ts'
import { keywordPlace, keywordPlaces, readTypes, toComparedSchema } from '../schema/compared-schema.ts'
import { type Properties, readProperties } from '../schema/described-properties.ts'
import { allowsAll, hasOnly, hasOwnMeaning, listKeywords } from '../schema/keywords.ts'

/** The places of a map in both versions. */
export function toMaps(state: ComparisonState, field: string, { base, revision }: PlacePair): PlacePair {
  return { base: toMap(base, field, state.base), revision: toMap(revision, field, state.revision) }
}

/** Whether a reference in place of a map leads to nothing in one of the versions, which the check reports. */
export function isUnknownMap(state: ComparisonState, field: string, { base, revision }: PlacePair): boolean {
  const isUnknown = (owner: Place, side: Side) =>
    isReference(valueIn(owner, field)) && isReference(toMap(owner, field, side).value)
  return isUnknown(base, state.base) || isUnknown(revision, state.revision)
}

/** What applies to a key in both versions, or in one. */
interface Applying<One> extends Pair<One | undefined> {
  readonly key: string
  readonly isReplaced: boolean
}

/**
 * Pairs what applies to each key of the base, then to the other keys of the revision. Of several objects with the same key, the last counts. A pair is
 * replaced if neither version has both keys.
 *
 * @param findPart Finds an object that applies to a part of what a key of the base stands for.
 */
export function* pairApplying<One extends { readonly key: string }>(
  base: readonly One[],
  revision: readonly One[],
  find: (listed: ReadonlyMap<string, One>, key: string) => One | undefined,
  findPart: (listed: ReadonlyMap<string, One>, key: string) => One | undefined = () => undefined,
): Iterable<Applying<One>> {
  // As headers mostly are.
  if (base.length === 0 && revision.length === 0) return
  const before = new Map(base.map((one) => [one.key, one]))
  const after = new Map(revision.map((one) => [one.key, one]))
  const replacing = new Set<One>()
  for (const [key, one] of before) {
    const other = find(after, key) ?? findPart(after, key)
    const isReplaced = other !== undefined && !before.has(other.key)
    if (isReplaced) replacing.add(other)
    yield { key, base: one, revision: other, isReplaced }
  }
  for (const [key, other] of after) {
    if (!before.has(key) && !replacing.has(other)) yield { key, base: find(before, key), revision: other, isReplaced: false }
  }
}

/** Compares `required`. */
export function compareRequired(
  scope: Scope,
  kind: 'body' | 'header' | 'parameter',
  name: string,
  pair: Pair<Node & { readonly required: boolean }>,
): void {
  if (pair.base.required === pair.revision.required) return
  const became = pair.revision.required ? 'required' : 'optional'
  report(scope, {
    code: `${kind}-became-${became}`,
    ...fieldPlaces(placesOf(pair), 'required'),
    at: pair.revision.place,
    message: () => `${name} became ${became}`,
  })
}

/**
 * Compares the media types of a body, response or parameter. `owner` names it in messages.
 *
 * @param isChosen Whether the recipient chooses the media type, with `Accept`.
 */
export function compareContent(state: ComparisonState, scope: Scope, pair: PlacePair, owner: string, isChosen: boolean): void {
  if (isUnknownMap(state, 'content', pair)) return
  const [from, to] = [readContent(pair.base, state.base), readContent(pair.revision, state.revision)]
  const isOnly = from.length === 1 && to.length === 1
  for (const { key, base, revision, isReplaced } of pairApplying(from, to, findMediaType, findIncluded)) {
    const toPlaces = () => ({ ...keyPlaces(base?.entry, revision?.entry, toMaps(state, 'content', pair)), detail: key })
    if (base && revision) {
      if (isReplaced) {
        const code = includesMediaType(revision.key, key) ? 'media-type-widened' : 'media-type-narrowed'
        const message = () => `Media type of ${owner} changed from \`${shorten(key)}\` to \`${shorten(revision.key)}\``
        report(scope, { code, ...toPlaces(), message })
      }
      const name = isOnly ? owner : `${owner} (\`${shorten(key)}\`)`
      compareMediaType(state, within(scope, usesOf(key)), { base, revision }, name, howWritten(key) === 'form')
    } else {
      const codeInNarrowed = isChosen ? undefined : base ? 'media-type-narrowed' : 'media-type-widened'
      const message = () => `Media type \`${shorten(key)}\` was ${base ? 'removed from' : 'added to'} ${owner}`
      report(scope, { code: base ? 'media-type-removed' : 'media-type-added', codeInNarrowed, ...toPlaces(), message })
    }
  }
}

function findIncluded(listed: ReadonlyMap<string, MediaType>, key: string): MediaType | undefined {
  return [...listed.values()].find((one) => includesMediaType(key, one.key))
}

/** How the values of a media type are written, also inside of a parameter or header. */
function usesOf(mediaType: string) {
  const clear = use.text | use.xml | use.form | use.nested
  const add = { form: use.text | use.form, xml: use.text | use.xml, text: use.text, typed: 0 }[howWritten(mediaType)]
  return { clear: clear & ~add, add }
}

function compareMediaType(state: ComparisonState, scope: Scope, pair: Pair<MediaType>, owner: string, isForm: boolean): void {
  const { base, revision } = pair
  if (base.isUnresolved || revision.isUnresolved) return
  for (const keyword of ['schema', 'itemSchema'] as const) {
    const [from, to] = [base[keyword], revision[keyword]]
    // Changes behind the same reference have the name of its component.
    if (!(from && to && isSameReference(from, to))) for (const one of [from, to]) if (one) state.names.set(one, owner)
    if (from && to) {
      if (isForm && keyword === 'schema') compareForms(state, scope, pair, [from, to])
      else compareSchemas(state, scope, [from], [to])
      // 3.1 has no schema for a body of bytes.
    } else if (from ? !saysBytes(from, state.base) : to && !saysBytes(to, state.revision)) {
      reportSchema(scope, pair, keyword, owner)
    }
  }
  // Elsewhere, encodings are ignored. Source: OpenAPI 3.2.0, "Media Type Object".
  if (isForm) compareEncodings(state, scope, pair, owner)
}

/** Compares the schemas of forms, which are objects even if they do not say so. Encodings can name a media type with types, such as JSON, for a property. */
function compareForms(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: Pair<MediaType>,
  [from, to]: [Place, Place],
): void {
  const [was, is] = [toComparedSchema([from], state.base), toComparedSchema([to], state.revision)]
  const sides = [readTypes(was), readTypes(is)]
  const isObjectOnce = sides.some(({ types }) => !types) && sides.some(({ types }) => types?.has('object'))
  const toObject = (place: Place) => (isObjectOnce ? [place, { ...place, value: { type: 'object' } }] : [place])
  const named = [...readEncodings(base.place, state.base).named, ...readEncodings(revision.place, state.revision).named]
  const typed = new Set(named.filter(isTypedField).map(({ property }) => property))
  compareSchemas(state, scope, toObject(from), toObject(to), typed)
}

/** Whether an encoding names a media type in which the types of scalars count. */
function isTypedField({ serialization, contentType }: Encoding): boolean {
  return !serialization && contentType !== undefined && contentType.split(',').every((one) => isJsonType(one))
}

/** Whether a schema only tells that a body has bytes. */
function saysBytes(schema: Place, side: Side): boolean {
  const { parts } = toComparedSchema([schema], side)
  const keywords = parts.flatMap(({ place }) => listKeywords(place))
  return keywords.includes('contentMediaType') && keywords.every((key) => key === 'type' || key === 'contentMediaType')
}

function isSameReference(from: Place, to: Place): boolean {
  const [one, other] = [from.value, to.value]
  return isReference(one) && isReference(other) && one.$ref === other.$ref && !hasOwnMeaning(from) && !hasOwnMeaning(to)
}

/** Compares how the properties or items of a form or multipart body, or of a part of one, are written. */
function compareEncodings(state: ComparisonState, scope: Scope, pair: Pair<MediaType | Encoding>, owner: string): void {
  const { base, revision } = pair
  if (isUnknownMap(state, 'encoding', placesOf(pair))) return
  const [from, to] = [readEncodings(base.place, state.base), readEncodings(revision.place, state.revision)]
  const maps = toMaps(state, 'encoding', placesOf(pair))
  const compare = (entries: PlacePair, shown: string, defaults?: Pair<EncodingDefaults>) => {
    const read = (side: 'base' | 'revision') => readEncoding('', entries[side], state[side])
    compareEncoding(state, scope, { base: read('base'), revision: read('revision') }, `${shown} ${owner}`, defaults)
  }
  const at = (...path: readonly (string | number)[]) => ({
    base: path.reduce<Place>(childPlace, base.place),
    revision: path.reduce<Place>(childPlace, revision.place),
  })
  const names = new Set([...from.named, ...to.named].map(({ property }) => property))
  const haveSchemas = names.size > 0 && 'schema' in base && 'schema' in revision && base.schema
  const [before, after] = haveSchemas ? [listProperties(base, state.base), listProperties(revision, state.revision)] : []
  for (const name of names) {
    // A property that is new, or gone, is a change on its own.
    if (before?.has(name) !== after?.has(name)) continue
    const defaults = {
      base: readDefaults(before?.get(name), state.base),
      revision: readDefaults(after?.get(name), state.revision),
    }
    const entries = { base: childPlace(maps.base, name), revision: childPlace(maps.revision, name) }
    compare(entries, `\`${shorten(name)}\` in`, defaults)
  }
  for (let index = 0; index < Math.max(from.prefix.length, to.prefix.length); index++) {
    compare(at('prefixEncoding', index), `item ${index + 1} of`)
  }
  if (from.items || to.items) compare(at('itemEncoding'), 'the items of')
}

/** @param defaults What the fields mean without a value, in both versions. */
function compareEncoding(
  state: ComparisonState,
  scope: Scope,
  pair: Pair<Encoding>,
  owner: string,
  { base: was, revision: is }: Pair<EncodingDefaults> = { base: {}, revision: {} },
): void {
  const isStyled = was.isStyled === true && is.isStyled === true
  // Otherwise, one of the types is unknown.
  const isKnown = was.contentType !== undefined && is.contentType !== undefined
  const [earlier, later] = [
    withDefaults(pair.base, isKnown ? was.contentType : '', isStyled),
    withDefaults(pair.revision, isKnown ? is.contentType : '', isStyled),
  ]
  if (!equalJson(earlier, later)) {
    const isWider =
      equalJson(earlier.serialization, later.serialization) && earlier.types.every((one) => later.types.includes(one))
    report(scope, {
      code: isWider ? 'media-type-widened' : 'encoding-changed',
      codeInNarrowed: 'encoding-changed',
      ...placesOf(pair),
      detail: owner,
      message: () => `Encoding of ${owner} changed`,
    })
  }
  if (pair.base.isUnresolved && pair.revision.isUnresolved) return
  compareHeaders(state, scope, placesOf(pair), owner)
  compareEncodings(state, scope, pair, owner)
}

function listProperties({ schema }: MediaType, side: Side): Properties {
  return readProperties(toComparedSchema(schema ? [schema] : [], side))
}

interface EncodingDefaults {
  readonly contentType?: string
  /** Whether the value has the default style without a field for it: without one, objects are JSON. */
  readonly isStyled?: boolean
}

/** Source: OpenAPI 3.1.1, "Encoding Object". */
function readDefaults(property: readonly Place[] = [], side: Side): EncodingDefaults {
  const schema = toComparedSchema(property, side)
  const [type, ...others] = readTypes(schema).types ?? []
  if (type === undefined || others.length > 0) return {}
  if (type === 'object') return { contentType: 'application/json' }
  if (type === 'array') return { ...readDefaults(keywordPlaces(schema, 'items'), side), isStyled: true }
  const isFile = keywordPlace(schema, 'contentMediaType') ?? keywordPlace(schema, 'contentEncoding')
  return { contentType: isFile ? anyBytes : 'text/plain', isStyled: true }
}

function withDefaults({ contentType, serialization }: Encoding, type: string, isStyled: boolean) {
  const types = (contentType ?? type).replaceAll(' ', '').split(',').sort()
  return { types, serialization: serialization ?? (isStyled ? readSerialization({}, 'query') : undefined) }
}

export function compareHeaders(state: ComparisonState, scope: Scope, owners: PlacePair, owner: string): void {
  if (isUnknownMap(state, 'headers', owners)) return
  const [from, to] = [readHeaders(owners.base, state.base), readHeaders(owners.revision, state.revision)]
  for (const { key, base, revision } of pairApplying(from, to, (listed, key) => listed.get(key))) {
    const header = base ?? revision
    const shown = `header \`${shorten(header?.name ?? '')}\``
    if (base && revision) compareHeader(state, scope, { base, revision }, `${shown} of ${owner}`)
    else {
      const kind = header?.required ? 'required' : 'optional'
      const added = header?.required ? 'required-header-added' : 'header-added'
      report(scope, {
        code: base ? `${kind}-header-removed` : added,
        ...keyPlaces(base?.entry, revision?.entry, fieldPlaces(owners, 'headers')),
        detail: key,
        message: () =>
          base
            ? `${capitalize(kind)} ${shown} of ${owner} was removed`
            : `${capitalize(header?.required ? `required ${shown}` : shown)} was added to ${owner}`,
      })
    }
  }
}

function compareHeader(state: ComparisonState, scope: Scope, pair: Pair<Header>, name: string): void {
  if (pair.base.isUnresolved || pair.revision.isUnresolved) return
  const { base, revision } = placesOf(pair)
  state.names.set(base, name)
  state.names.set(revision, name)
  state.share(within(scope, { add: use.text }), [base], [revision], (inside) => {
    compareRequired(inside, 'header', capitalize(name), pair)
    compareDeprecation(state, inside, 'header', base, revision)
    for (const field of listRewritten(state, pair, ['explode'])) {
      const places = { ...fieldPlaces({ base, revision }, field), at: revision }
      const message = () => `\`${field}\` of ${name} changed from \`${pair.base[field]}\` to \`${pair.revision[field]}\``
      report(inside, { code: 'header-serialization-changed', ...places, detail: field, message })
    }
    compareSchemaOrContent(state, inside, pair, name, 'header')
  })
}

/** The fields with which values are written in another way. */
export function listRewritten<Field extends keyof Serialization>(
  state: ComparisonState,
  { base, revision }: Pair<DescribedValue>,
  fields: readonly Field[],
): Field[] {
  const areScalar = () => isScalar(base, state.base) && isScalar(revision, state.revision)
  return fields.filter((field) => base[field] !== revision[field] && !(field === 'explode' && areScalar()))
}

/** Whether the values of a parameter or header are neither lists nor objects. */
export function isScalar(value: DescribedValue, side: Side): boolean {
  const schema = ownSchema(value)
  if (!schema) return false
  const { types, isNullable } = readTypes(toComparedSchema([schema], side))
  // A schema that contradicts itself has no type.
  return types !== undefined && (types.size > 0 || isNullable) && !types.has('array') && !types.has('object')
}

/** The schema of a parameter or header whose value is not in a media type. */
export function ownSchema({ schema, content }: DescribedValue): Place | undefined {
  return content ? undefined : schema
}

/** Whether any text is a value of a parameter or header. In a query, the value can also be a list, which is no text. */
function allowsAnyValue(value: Header | Parameter, { follow }: Side): boolean {
  if (value.content || ('in' in value && (value.in === 'query' || value.in === 'cookie'))) return false
  const schema = value.schema && follow.end(value.schema)
  return !schema || allowsAll(schema) || (hasOnly(schema, 'type') && valueIn(schema, 'type') === 'string')
}

/** Compares the value of a parameter or header, which has a `schema` or a `content`. */
export function compareSchemaOrContent(
  state: ComparisonState,
  scope: Scope,
  pair: Pair<Header> | Pair<Parameter>,
  owner: string,
  kind: 'parameter' | 'header',
): void {
  const { base, revision } = pair
  if (allowsAnyValue(base, state.base) && allowsAnyValue(revision, state.revision)) return
  if (isUnknownMap(state, 'content', placesOf(pair))) return
  const [from, to] = [ownSchema(base), ownSchema(revision)]
  if (from && to) compareSchemas(state, scope, [from], [to])
  else if (!from && !to) compareContent(state, scope, placesOf(pair), owner, false)
  else if (base.content || revision.content) {
    const message = () => `${capitalize(owner)} is now described by \`${to ? 'schema' : 'content'}\``
    report(scope, { code: `${kind}-serialization-changed`, ...placesOf(pair), detail: 'content', message })
  } else reportSchema(scope, pair, 'schema', owner)
}

/** Reports a schema that only one version has. */
function reportSchema<Field extends string>(
  scope: Scope,
  pair: Pair<Node & { readonly [field in Field]: Place | undefined }>,
  field: Field,
  owner: string,
): void {
  const isAdded = !pair.base[field]
  const places = fieldPlaces(placesOf(pair), field)
  const message = () => `Schema was ${isAdded ? 'added to' : 'removed from'} ${owner}`
  report(scope, { code: `media-type-schema-${isAdded ? 'added' : 'removed'}`, ...places, message })
}
