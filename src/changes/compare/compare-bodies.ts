import { findStatus } from '../../model/written-values.ts'
import { childPlace, isReference, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { isObject, type Place } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, report, respond, type Scope, use, within } from '../differences/comparison.ts'
import type { PlacePair } from '../differences/name-place.ts'

import { compareContent, compareHeaders, compareRequired, readMaps } from './compare-content.ts'

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

/** Compares the responses of an operation: what applies to each status code, its own response, that of its range or the default. */
export function compareResponses(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const inResponse = within(scope, { invert: respond })
  const [from, to] = readMaps(state, 'responses', { base, revision })
  if (isReference(from.value) || isReference(to.value)) return
  const [before, after] = [readStatusCodes(from), readStatusCodes(to)]
  /** New responses that apply to codes of an old one, which is reported. */
  const widened = new Set<string>()
  for (const [code, place] of before) {
    const otherCode = findStatus(after, code)
    const other = after.get(otherCode ?? '')
    const isSuccess = code.startsWith('2')
    if (otherCode !== undefined && other) {
      compareResponse(state, inResponse, { base: place, revision: other }, code, code === otherCode)
      if (before.has(otherCode)) continue
      widened.add(otherCode)
      report(inResponse, {
        code: isSuccess ? 'response-widened' : 'response-added',
        base: { ...place, on: 'key' },
        revision: { ...other, on: 'key' },
        detail: code,
        message: () => `Response \`${shorten(code)}\` became \`${otherCode}\``,
      })
      continue
    }
    const isNarrowed = code.endsWith('XX') && [...after.keys()].some((each) => each.startsWith(code.slice(0, 1)))
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
    if (before.has(code) || widened.has(code)) continue
    const applied = before.get(findStatus(before, code) ?? '')
    if (applied) {
      compareResponse(state, inResponse, { base: applied, revision: place }, code)
      continue
    }
    const message = () => `Response \`${shorten(code)}\` was added`
    report(inResponse, { code: 'response-added', base: from, revision: { ...place, on: 'key' }, detail: code, message })
  }
}

function readStatusCodes(responses: Place): Map<string, Place> {
  const codes = mapPlaces(responses, undefined, 'left-out')
  return new Map(codes.map(({ name, place }) => [/^default$/i.test(name) ? 'default' : name.toUpperCase(), place]))
}

function compareResponse(state: ComparisonState, scope: Scope, pair: PlacePair, code: string, isSameCode = false): void {
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
    const [had, has] = [base, revision].map((place) => childPlace(place, 'content').value !== undefined)
    if (isSameCode || had === has) compareContent(state, inside, { base, revision }, name, true)
    else {
      // Authors often leave out the body of a status code that a range or the default described before.
      const message = () => `The body of ${name} is ${has ? 'now' : 'no longer'} described`
      report(inside, { code: `media-type-schema-${has ? 'added' : 'removed'}`, base, revision, detail: 'content', message })
    }
    compareLinks(state, inside, { base, revision }, name)
  }
  state.share(scope, [base], [revision], compareParts, pair)
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
