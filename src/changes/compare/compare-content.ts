import {
  findMediaType,
  hasStyle,
  howWritten,
  includesMediaType,
  isJsonType,
  normalizeMediaType,
  readSerialization,
} from '../../model/written-values.ts'
import { childPlace, isReference, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { isObject, type Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import {
  type ComparisonState,
  fieldPlace,
  fieldPlaces,
  report,
  type Scope,
  type Side,
  use,
  within,
} from '../differences/comparison.ts'
import { compareDeprecation } from '../differences/lifecycle.ts'
import type { PlacePair } from '../differences/name-place.ts'
import { toText } from '../differences/same-values.ts'
import { compareSchemas } from '../schema/compare-schemas.ts'
import { anyBytes, keywordPlace, keywordPlaces, readTypes, toComparedSchema } from '../schema/compared-schema.ts'
import { type Properties, readProperties } from '../schema/described-properties.ts'
import { hasOwnMeaning, listKeywords } from '../schema/keywords.ts'

/** Compares `required`. */
export function compareRequired(scope: Scope, kind: 'body' | 'header' | 'parameter', name: string, pair: PlacePair): void {
  const [was, is] = [pair.base, pair.revision].map((place) => childPlace(place, 'required').value === true)
  if (was === is) return
  const became = is ? 'required' : 'optional'
  report(scope, {
    code: `${kind}-became-${became}`,
    ...fieldPlaces(pair, 'required'),
    at: pair.revision,
    message: () => `${name} became ${became}`,
  })
}

/**
 * Compares the media types of a body, response or parameter. `owner` names it in messages.
 *
 * @param isChosen Whether the recipient chooses the media type, with `Accept`.
 */
export function compareContent(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: PlacePair,
  owner: string,
  isChosen: boolean,
): void {
  const [from, to] = readMaps(state, 'content', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const [before, after] = [readMediaTypes(from), readMediaTypes(to)]
  const isOnly = before.size === 1 && after.size === 1
  const compare = (key: string, pair: PlacePair) => {
    const name = isOnly ? owner : `${owner} (\`${shorten(key)}\`)`
    const ends = { base: state.base.follow.end(pair.base), revision: state.revision.follow.end(pair.revision) }
    compareMediaType(state, within(scope, usesOf(key)), ends, name, howWritten(key) === 'form')
  }
  /** The new media types that are part of an old one, which is reported. */
  const narrowed = new Set<string>()
  for (const [key, place] of before) {
    const applying = findMediaType(after.keys(), key)
    const parts = applying === undefined ? [...after.keys()].filter((other) => includesMediaType(key, other)) : []
    const [otherKey = applying] = parts
    const other = after.get(otherKey ?? '')
    if (!other || otherKey === undefined) {
      const message = () => `Media type \`${shorten(key)}\` was removed from ${owner}`
      const codeInNarrowed = isChosen ? undefined : 'media-type-narrowed'
      report(scope, {
        code: 'media-type-removed',
        codeInNarrowed,
        base: { ...place, on: 'key' },
        revision: to,
        detail: key,
        message,
      })
      continue
    }
    if (otherKey !== key && !before.has(otherKey)) {
      narrowed.add(otherKey)
      report(scope, {
        code: applying === undefined ? 'media-type-narrowed' : 'media-type-widened',
        base: { ...place, on: 'key' },
        revision: { ...other, on: 'key' },
        detail: key,
        message: () => `Media type of ${owner} changed from \`${shorten(key)}\` to \`${shorten(otherKey)}\``,
      })
    }
    compare(key, { base: place, revision: other })
  }
  for (const [key, place] of after) {
    if (before.has(key) || narrowed.has(key)) continue
    // Before, the schema of a range applied to it.
    const applied = before.get(findMediaType(before.keys(), key) ?? '')
    if (applied) {
      compare(key, { base: applied, revision: place })
      continue
    }
    const message = () => `Media type \`${shorten(key)}\` was added to ${owner}`
    const codeInNarrowed = isChosen ? undefined : 'media-type-widened'
    report(scope, {
      code: 'media-type-added',
      codeInNarrowed,
      base: from,
      revision: { ...place, on: 'key' },
      detail: key,
      message,
    })
  }
}

/** How the values of a media type are written, also inside of a parameter or header. */
function usesOf(mediaType: string) {
  const clear = use.text | use.xml | use.form | use.nested
  const add = { form: use.text | use.form, xml: use.text | use.xml, text: use.text, typed: 0 }[howWritten(mediaType)]
  return { clear: clear & ~add, add }
}

/**
 * A map of both versions. OpenAPI allows no reference for a whole map, but the check only warns about one that can be resolved. The map
 * is a reference if it cannot.
 */
export function readMaps(state: ComparisonState, field: string, { base, revision }: PlacePair): [from: Place, to: Place] {
  return [state.base.follow.end(childPlace(base, field)), state.revision.follow.end(childPlace(revision, field))]
}

/** The media types of a `content` by their normalized names. */
function readMediaTypes(content: Place): Map<string, Place> {
  return new Map(mapPlaces(content, undefined).map(({ name, place }) => [normalizeMediaType(name), place]))
}

function compareMediaType(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: PlacePair,
  owner: string,
  isForm: boolean,
): void {
  if (isReference(base.value) || isReference(revision.value)) return
  for (const keyword of ['schema', 'itemSchema']) {
    const [from, to] = [childPlace(base, keyword), childPlace(revision, keyword)]
    if (from.value === undefined && to.value === undefined) continue
    // Changes behind the same reference have the name of its component.
    if (!isSameReference(from.value, to.value)) {
      state.names.set(from, owner)
      state.names.set(to, owner)
    }
    if (from.value === undefined || to.value === undefined) {
      const isAdded = from.value === undefined
      // 3.1 has no schema for a body of bytes.
      if (isAdded ? saysBytes(to, state.revision) : saysBytes(from, state.base)) continue
      reportSchema(scope, { base, revision }, keyword, owner)
    } else if (isForm) compareForms(state, scope, { base, revision }, [from, to])
    else compareSchemas(state, scope, [from], [to])
  }
  // Elsewhere, encodings are ignored. Source: OpenAPI 3.2.0, "Media Type Object".
  if (isForm) compareEncodings(state, scope, { base, revision }, owner)
}

/** Compares the schemas of forms, which are objects even if they do not say so. Encodings can name a media type with types, such as JSON, for a property. */
function compareForms(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, [from, to]: [Place, Place]): void {
  const [was, is] = [toComparedSchema([from], state.base), toComparedSchema([to], state.revision)]
  const sides = [readTypes(was, state.base), readTypes(is, state.revision)]
  const isObjectOnce = sides.some(({ types }) => !types) && sides.some(({ types }) => types?.has('object'))
  const toObject = (place: Place) => (isObjectOnce ? [place, { ...place, value: { type: 'object' } }] : [place])
  const typed = new Set(
    [base, revision].flatMap((mediaType) => {
      const encodings = childPlace(mediaType, 'encoding')
      return mapPlaces(encodings, undefined).flatMap(({ name, place: { value } }) => (isTypedField(value) ? [name] : []))
    }),
  )
  compareSchemas(state, scope, toObject(from), toObject(to), typed)
}

/** Whether an Encoding Object names a media type in which the types of scalars count. */
function isTypedField(encoding: unknown): boolean {
  if (!isObject(encoding) || hasStyle(encoding) || typeof encoding['contentType'] !== 'string') return false
  return encoding['contentType'].split(',').every((one) => isJsonType(one))
}

/** Whether a schema only tells that a body has bytes. */
function saysBytes(schema: Place, side: Side): boolean {
  const { parts } = toComparedSchema([schema], side)
  const keywords = parts.flatMap(({ value }) => listKeywords(value))
  return keywords.includes('contentMediaType') && keywords.every((key) => key === 'type' || key === 'contentMediaType')
}

function isSameReference(from: unknown, to: unknown): boolean {
  return isReference(from) && isReference(to) && from.$ref === to.$ref && !hasOwnMeaning(from) && !hasOwnMeaning(to)
}

/** Compares how the properties or items of a form or multipart body are written. */
function compareEncodings(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, owner: string): void {
  const [from, to] = [childPlace(base, 'encoding'), childPlace(revision, 'encoding')]
  const names = new Set([from, to].flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  const hasSchemas = base.value !== undefined && childPlace(base, 'schema').value !== undefined
  const [before, after] =
    names.size > 0 && hasSchemas ? [listProperties(base, state.base), listProperties(revision, state.revision)] : []
  for (const name of names) {
    // A property that is new, or gone, is a change on its own.
    if (before?.has(name) !== after?.has(name)) continue
    compareEncoding(
      state,
      scope,
      { base: childPlace(from, name), revision: childPlace(to, name) },
      `\`${shorten(name)}\` in ${owner}`,
      [readDefaults(before?.get(name), state.base), readDefaults(after?.get(name), state.revision)],
    )
  }
  const [prefix, next] = [childPlace(base, 'prefixEncoding'), childPlace(revision, 'prefixEncoding')]
  const [count, nextCount] = [prefix, next].map(({ value }) => (Array.isArray(value) ? value.length : 0))
  for (let index = 0; index < Math.max(count ?? 0, nextCount ?? 0); index++) {
    const pair = { base: childPlace(prefix, index), revision: childPlace(next, index) }
    compareEncoding(state, scope, pair, `item ${index + 1} of ${owner}`)
  }
  const items = { base: childPlace(base, 'itemEncoding'), revision: childPlace(revision, 'itemEncoding') }
  if (items.base.value !== undefined || items.revision.value !== undefined) {
    compareEncoding(state, scope, items, `the items of ${owner}`)
  }
}

/** @param defaults What the fields mean without a value, in both versions. */
function compareEncoding(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: PlacePair,
  owner: string,
  [was, is]: readonly [EncodingDefaults, EncodingDefaults] = [{}, {}],
): void {
  const isStyled = was.isStyled === true && is.isStyled === true
  // Otherwise, one of the types is unknown.
  const [type, newType] = was.contentType !== undefined && is.contentType !== undefined ? [was.contentType, is.contentType] : []
  const [earlier, later] = [readEncoding(base.value, type, isStyled), readEncoding(revision.value, newType, isStyled)]
  if (!equalJson(earlier, later)) {
    const isWider =
      equalJson(earlier.serialization, later.serialization) && earlier.types.every((one) => later.types.includes(one))
    report(scope, {
      code: isWider ? 'media-type-widened' : 'encoding-changed',
      codeInNarrowed: 'encoding-changed',
      base,
      revision,
      detail: owner,
      message: () => `Encoding of ${owner} changed`,
    })
  }
  if (!isObject(base.value) && !isObject(revision.value)) return
  compareHeaders(state, scope, { base, revision }, owner)
  compareEncodings(state, scope, { base, revision }, owner)
}

function listProperties(mediaType: Place, side: Side): Properties {
  return readProperties(toComparedSchema([childPlace(mediaType, 'schema')], side))
}

interface EncodingDefaults {
  readonly contentType?: string
  /** Whether the value has the default style without a field for it: without one, objects are JSON. */
  readonly isStyled?: boolean
}

/** Source: OpenAPI 3.1.1, "Encoding Object". */
function readDefaults(property: readonly Place[] = [], side: Side): EncodingDefaults {
  const schema = toComparedSchema(property, side)
  const [type, ...others] = readTypes(schema, side).types ?? []
  if (type === undefined || others.length > 0) return {}
  if (type === 'object') return { contentType: 'application/json' }
  if (type === 'array') return { ...readDefaults(keywordPlaces(schema, 'items'), side), isStyled: true }
  const isFile = keywordPlace(schema, 'contentMediaType') ?? keywordPlace(schema, 'contentEncoding')
  return { contentType: isFile ? anyBytes : 'text/plain', isStyled: true }
}

/** The fields with their defaults. */
function readEncoding(value: unknown, type: string | undefined, isStyled: boolean) {
  const fields = isObject(value) ? value : {}
  const types = toText(fields['contentType'] ?? type)
    .replaceAll(' ', '')
    .split(',')
    .sort()
  return { types, serialization: isStyled || hasStyle(fields) ? readSerialization(fields, 'query') : undefined }
}

export function compareHeaders(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, owner: string): void {
  const [from, to] = readMaps(state, 'headers', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const [before, after] = [readHeaders(from), readHeaders(to)]
  for (const [key, entry] of before) {
    const other = after.get(key)
    const header = state.base.follow.end(entry.place)
    const isRequired = childPlace(header, 'required').value === true
    const shown = `header \`${shorten(entry.name)}\` of ${owner}`
    if (other) compareHeader(state, scope, { base: header, revision: state.revision.follow.end(other.place) }, shown)
    else {
      report(scope, {
        code: isRequired ? 'required-header-removed' : 'optional-header-removed',
        base: { ...entry.place, on: 'key' },
        revision: fieldPlace(revision, 'headers'),
        detail: key,
        message: () => `${isRequired ? 'Required' : 'Optional'} ${shown} was removed`,
      })
    }
  }
  for (const [key, { name, place }] of after) {
    if (before.has(key)) continue
    const isRequired = childPlace(state.revision.follow.end(place), 'required').value === true
    const message = () => `${isRequired ? 'Required header' : 'Header'} \`${shorten(name)}\` was added to ${owner}`
    report(scope, {
      code: isRequired ? 'required-header-added' : 'header-added',
      base: fieldPlace(base, 'headers'),
      revision: { ...place, on: 'key' },
      detail: key,
      message,
    })
  }
}

/** The headers by name in lower case. OpenAPI ignores `Content-Type` here. */
function readHeaders(headers: Place): Map<string, { readonly name: string; readonly place: Place }> {
  const known = mapPlaces(headers, undefined).filter(({ name }) => !/^content-type$/i.test(name))
  return new Map(known.map((header) => [header.name.toLowerCase(), header]))
}

function compareHeader(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, name: string): void {
  if (!isObject(base.value) || !isObject(revision.value) || isReference(base.value) || isReference(revision.value)) return
  state.names.set(base, name)
  state.names.set(revision, name)
  state.share(within(scope, { add: use.text }), [base], [revision], (inside) => {
    compareRequired(inside, 'header', capitalize(name), { base, revision })
    compareDeprecation(state, inside, 'header', base, revision)
    const [was, is] = [base, revision].map(({ value }) => isObject(value) && readSerialization(value, 'header').explode)
    if (was !== is && !(isScalar(base, state.base) && isScalar(revision, state.revision))) {
      const places = { ...fieldPlaces({ base, revision }, 'explode'), at: revision }
      const message = () => `\`explode\` of ${name} changed from \`${was}\` to \`${is}\``
      report(inside, { code: 'header-serialization-changed', ...places, detail: 'explode', message })
    }
    compareSchemaOrContent(state, inside, { base, revision }, name, 'header')
  })
}

/** Whether the values of a parameter or header are neither lists nor objects. */
export function isScalar(owner: Place, side: Side): boolean {
  const { types } = readTypes(toComparedSchema([childPlace(owner, 'schema')], side), side)
  return types !== undefined && !types.has('array') && !types.has('object')
}

/** Whether any text is a value of a parameter or header. In a query, the value can also be a list, which is no text. */
function allowsAnyValue(owner: Place, side: Side): boolean {
  const { in: location, content } = isObject(owner.value) ? owner.value : {}
  if (location === 'query' || location === 'cookie' || content !== undefined) return false
  const { value } = side.follow.end(childPlace(owner, 'schema'))
  const isText = isObject(value) && listKeywords(value).every((key) => key === 'type' && value[key] === 'string')
  return isText || value === undefined || value === true
}

/** Compares the value of a parameter or header, which has a `schema` or a `content`. */
export function compareSchemaOrContent(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: PlacePair,
  owner: string,
  kind: 'parameter' | 'header',
): void {
  if (allowsAnyValue(base, state.base) && allowsAnyValue(revision, state.revision)) return
  const [from, to] = [childPlace(base, 'schema'), childPlace(revision, 'schema')]
  const [content, next] = [childPlace(base, 'content'), childPlace(revision, 'content')]
  if (from.value !== undefined && to.value !== undefined) compareSchemas(state, scope, [from], [to])
  else if (from.value === undefined && to.value === undefined) compareContent(state, scope, { base, revision }, owner, false)
  else if (content.value !== undefined || next.value !== undefined) {
    const message = () => `${capitalize(owner)} is now described by \`${to.value === undefined ? 'content' : 'schema'}\``
    report(scope, { code: `${kind}-serialization-changed`, base, revision, detail: 'content', message })
  } else reportSchema(scope, { base, revision }, 'schema', owner)
}

/** Reports a schema that only one version has. */
function reportSchema(scope: Scope, pair: PlacePair, field: string, owner: string): void {
  const isAdded = childPlace(pair.base, field).value === undefined
  const message = () => `Schema was ${isAdded ? 'added to' : 'removed from'} ${owner}`
  report(scope, { code: `media-type-schema-${isAdded ? 'added' : 'removed'}`, ...fieldPlaces(pair, field), message })
}
