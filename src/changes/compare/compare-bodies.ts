import { childPlace, isReference } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { isObject, type Place } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import {
  type ComparisonState,
  fieldPlace,
  fieldPlaces,
  report,
  respond,
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

/** Compares the request bodies of an operation. */
export function compareRequestBody(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const [from, to] = [childPlace(base, 'requestBody'), childPlace(revision, 'requestBody')]
  const [body, next] = [state.base.follow.end(from), state.revision.follow.end(to)]
  // The check reports a reference that cannot be resolved.
  if (isReference(body.value) || isReference(next.value)) return
  if (!isObject(body.value) || !isObject(next.value)) {
    if (isObject(next.value)) {
      const isRequired = next.value['required'] === true
      const message = () => `${isRequired ? 'Required' : 'Optional'} request body was added`
      report(scope, {
        code: isRequired ? 'required-body-added' : 'optional-body-added',
        base,
        revision: { ...to, on: 'key' },
        message,
      })
    } else if (isObject(body.value)) {
      const message = () => 'Request body was removed'
      report(scope, { code: 'body-removed', base: { ...from, on: 'key' }, revision, message })
    }
    return
  }
  for (const place of [body, next, from, to]) state.names.set(place, 'the request body')
  const compareBody = (inside: Scope) => {
    compareRequired(inside, 'body', 'Request body', { base: body, revision: next })
    compareContent(state, inside, { base: body, revision: next }, 'the request body', false)
  }
  const isRequired = [body, next].some((place) => childPlace(place, 'required').value === true)
  const inBody = within(scope, { add: isRequired ? use.required : 0 })
  state.share(inBody, [body], [next], compareBody, { base: from, revision: to })
}

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
function compareContent(
  state: ComparisonState,
  scope: Scope,
  { base, revision }: PlacePair,
  owner: string,
  isChosen: boolean,
): void {
  const [from, to] = readMaps(state, 'content', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const [before, after] = [readMediaTypes(from), readMediaTypes(to)]
  const added = new Map([...after].filter(([key]) => !before.has(key)))
  const isOnly = before.size === 1 && after.size === 1
  for (const [key, place] of before) {
    const same = after.get(key)
    const [relatedKey, related] = same ? [] : ([...added].find(([other]) => relateMediaTypes(key, other)) ?? [])
    const other = same ?? related
    const shown = `\`${shorten(key)}\``
    if (!other) {
      const message = () => `Media type ${shown} was removed from ${owner}`
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
    if (relatedKey !== undefined) {
      added.delete(relatedKey)
      const isWider = relateMediaTypes(key, relatedKey) === 'wider'
      report(scope, {
        code: isWider ? 'media-type-widened' : 'media-type-narrowed',
        base: { ...place, on: 'key' },
        revision: { ...other, on: 'key' },
        detail: key,
        message: () => `Media type of ${owner} changed from ${shown} to \`${shorten(relatedKey)}\``,
      })
    }
    const name = isOnly ? owner : `${owner} (${shown})`
    const add = /[/+]json\b/.test(key) ? 0 : /[/+]xml\b/.test(key) ? use.text | use.xml : use.text
    const pair = { base: state.base.follow.end(place), revision: state.revision.follow.end(other) }
    compareMediaType(state, within(scope, { add }), pair, name)
  }
  for (const [key, place] of added) {
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

/**
 * A map of both versions. OpenAPI allows no reference for a whole map, but the check only warns about one that can be resolved. The map
 * is a reference if it cannot.
 */
function readMaps(state: ComparisonState, field: string, { base, revision }: PlacePair): [from: Place, to: Place] {
  return [state.base.follow.end(childPlace(base, field)), state.revision.follow.end(childPlace(revision, field))]
}

/** The media types of a `content` by name, without differences in case and spaces. JSON always has the charset UTF-8. */
function readMediaTypes(content: Place): Map<string, Place> {
  const found = new Map<string, Place>()
  for (const key of isObject(content.value) ? Object.keys(content.value) : []) {
    const name = key.toLowerCase().replace(/\s+/g, '')
    found.set(name.replace(/(?<=[/+]json);charset=utf-8$/, ''), childPlace(content, key))
  }
  return found
}

/** Whether one media type includes the other: `application/*`, a suffix such as `+json`, or without parameters. */
function relateMediaTypes(from: string, to: string): 'wider' | 'narrower' | undefined {
  if (includesMediaType(to, from)) return 'wider'
  return includesMediaType(from, to) ? 'narrower' : undefined
}

function includesMediaType(general: string, special: string): boolean {
  const [name = '', ...parameters] = general.split(';')
  const [other = '', ...more] = special.split(';')
  if (!parameters.every((parameter) => more.includes(parameter))) return false
  if (name === other) return parameters.length < more.length
  const [type = '', subtype = ''] = name.split('/')
  const [otherType = '', otherSubtype = ''] = other.split('/')
  if (name === '*/*') return true
  return type === otherType && (subtype === '*' || otherSubtype.endsWith(`+${subtype}`))
}

function compareMediaType(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, owner: string): void {
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
      report(scope, {
        code: isAdded ? 'media-type-schema-added' : 'media-type-schema-removed',
        base: isAdded ? base : from,
        revision: isAdded ? to : revision,
        message: () => `Schema was ${isAdded ? 'added to' : 'removed from'} ${owner}`,
      })
    } else compareSchemas(state, scope, [from], [to])
  }
  compareEncodings(state, scope, { base, revision }, owner)
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
  if (!equalJson(readEncoding(base.value, type, isStyled), readEncoding(revision.value, newType, isStyled))) {
    report(scope, {
      code: 'encoding-changed',
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
function readEncoding(value: unknown, type: string | undefined, isStyled: boolean): unknown {
  const fields = isObject(value) ? value : {}
  const { contentType = type, style = 'form', explode = style === 'form', allowReserved = false } = fields
  const namesStyle = ['style', 'explode', 'allowReserved'].some((field) => Object.hasOwn(fields, field))
  const types = toText(contentType).replaceAll(' ', '').split(',').sort()
  return isStyled || namesStyle ? { types, style, explode, allowReserved } : { types }
}

/** Compares the responses of an operation. A status code that is no longer listed is compared with its range, if there is one. */
export function compareResponses(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const inResponse = within(scope, { invert: respond })
  const [from, to] = readMaps(state, 'responses', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const [before, after] = [readStatusCodes(from), readStatusCodes(to)]
  const covered = new Set<string>()
  for (const [code, place] of before) {
    const range = `${code.slice(0, 1)}XX`
    const other = after.get(code) ?? after.get(range)
    const isSuccess = code.startsWith('2')
    if (other) {
      covered.add(after.has(code) ? code : range)
      compareResponse(state, inResponse, { base: place, revision: other }, code)
      if (after.has(code) || before.has(range)) continue
      report(inResponse, {
        code: isSuccess ? 'response-widened' : 'response-added',
        base: { ...place, on: 'key' },
        revision: { ...other, on: 'key' },
        detail: code,
        message: () => `Response \`${shorten(code)}\` became \`${range}\``,
      })
      continue
    }
    const isNarrowed = code === range && [...after.keys()].some((each) => each.startsWith(code.slice(0, 1)))
    report(inResponse, {
      code: isSuccess ? 'response-removed' : 'error-response-removed',
      codeInNarrowed: isNarrowed ? 'response-added' : undefined,
      base: { ...place, on: 'key' },
      revision: to,
      detail: code,
      message: () => `Response \`${shorten(code)}\` was ${isNarrowed ? 'limited to some status codes' : 'removed'}`,
    })
  }
  for (const [code, place] of after) {
    if (before.has(code) || covered.has(code)) continue
    const range = before.get(`${code.slice(0, 1)}XX`)
    if (range) {
      compareResponse(state, inResponse, { base: range, revision: place }, code)
      continue
    }
    const message = () => `Response \`${shorten(code)}\` was added`
    report(inResponse, { code: 'response-added', base: from, revision: { ...place, on: 'key' }, detail: code, message })
  }
}

function readStatusCodes(responses: Place): Map<string, Place> {
  const found = new Map<string, Place>()
  for (const code of isObject(responses.value) ? Object.keys(responses.value) : []) {
    if (!code.startsWith('x-'))
      found.set(code.toUpperCase() === 'DEFAULT' ? 'default' : code.toUpperCase(), childPlace(responses, code))
  }
  return found
}

function compareResponse(state: ComparisonState, scope: Scope, pair: PlacePair, code: string): void {
  const base = state.base.follow.end(pair.base)
  const revision = state.revision.follow.end(pair.revision)
  if (isReference(base.value) || isReference(revision.value)) return
  if (!isObject(base.value) || !isObject(revision.value)) return
  const isComponent = pair.base !== base && pair.revision !== revision && base.pointer === revision.pointer
  const name = isComponent ? state.names.name(base) : `response \`${shorten(code)}\``
  state.names.set(pair.base, name)
  state.names.set(pair.revision, name)
  const compareParts = (inside: Scope) => {
    compareHeaders(state, inside, { base, revision }, name)
    compareContent(state, inside, { base, revision }, name, true)
    compareLinks(state, inside, { base, revision }, name)
  }
  state.share(scope, [base], [revision], compareParts, pair)
}

function compareHeaders(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, owner: string): void {
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
  const found = new Map<string, { readonly name: string; readonly place: Place }>()
  for (const name of isObject(headers.value) ? Object.keys(headers.value) : []) {
    if (!/^content-type$/i.test(name)) found.set(name.toLowerCase(), { name, place: childPlace(headers, name) })
  }
  return found
}

function compareHeader(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, name: string): void {
  if (!isObject(base.value) || !isObject(revision.value) || isReference(base.value) || isReference(revision.value)) return
  state.names.set(base, name)
  state.names.set(revision, name)
  state.share(within(scope, { add: use.text }), [base], [revision], (inside) => {
    compareRequired(inside, 'header', capitalize(name), { base, revision })
    compareDeprecation(state, inside, 'header', base, revision)
    const [was, is] = [base, revision].map((place) => childPlace(place, 'explode').value === true)
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
  } else {
    const verb = to.value === undefined ? 'removed' : 'added'
    const message = () => `Schema was ${verb === 'added' ? 'added to' : 'removed from'} ${owner}`
    report(scope, {
      code: `media-type-schema-${verb}`,
      ...fieldPlaces({ base, revision }, 'schema'),
      message,
    })
  }
}

function compareLinks(state: ComparisonState, scope: Scope, { base, revision }: PlacePair, owner: string): void {
  const [from, to] = readMaps(state, 'links', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const names = new Set([from, to].flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  for (const name of names) {
    const [one, other] = [childPlace(from, name), childPlace(to, name)]
    const links = [state.base.follow.end(one).value, state.revision.follow.end(other).value]
    const [before, after] = links.map(readLink)
    if (links.some(isReference) || equalJson(before, after)) continue
    const verb = one.value === undefined ? 'added' : other.value === undefined ? 'removed' : 'changed'
    const preposition = { added: 'was added to', removed: 'was removed from', changed: 'changed in' }[verb]
    report(scope, {
      code: `link-${verb}`,
      base: verb === 'added' ? base : one,
      revision: verb === 'removed' ? revision : other,
      detail: name,
      message: () => `Link \`${shorten(name)}\` ${preposition} ${owner}`,
    })
  }
}

function readLink(link: unknown): unknown {
  if (!isObject(link)) return undefined
  const { operationId, operationRef, parameters, requestBody, server } = link
  const url = isObject(server) ? { url: server['url'], variables: server['variables'] } : undefined
  return { operationId, operationRef, parameters, requestBody, url }
}
