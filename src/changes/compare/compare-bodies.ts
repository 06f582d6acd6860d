import { type Body, type Link, type Response, readBody, readLinks, readResponses } from '../../model/bodies.ts'
import { findStatus } from '../../model/written-values.ts'
import { valueIn } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, report, respond, type Scope, use, within } from '../differences/comparison.ts'
import { keyPlaces, type Pair, type PlacePair, placesOf } from '../differences/name-place.ts'
import { compareContent, compareHeaders, compareRequired, isUnknownMap, pairApplying, toMaps } from './compare-content.ts'

/** Compares the request bodies of an operation. */
export function compareRequestBody(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const [from, to] = [readBody(base, state.base), readBody(revision, state.revision)]
  // The check reports a reference that cannot be resolved.
  if (from?.isUnresolved || to?.isUnresolved) return
  if (from && to) compareBody(state, scope, { base: from, revision: to })
  else if (to) {
    const message = () => `${to.required ? 'Required' : 'Optional'} request body was added`
    const code = to.required ? 'required-body-added' : 'optional-body-added'
    report(scope, { code, base, revision: { ...to.entry, on: 'key' }, message })
  } else if (from) {
    const message = () => 'Request body was removed'
    report(scope, { code: 'body-removed', base: { ...from.entry, on: 'key' }, revision, message })
  }
}

function compareBody(state: ComparisonState, scope: Scope, pair: Pair<Body>): void {
  const { base, revision } = pair
  for (const place of [base, revision].flatMap((body) => [body.place, body.entry])) state.names.set(place, 'the request body')
  const compareParts = (inside: Scope) => {
    compareRequired(inside, 'body', 'Request body', pair)
    compareContent(state, inside, placesOf(pair), 'the request body', false)
  }
  const inBody = within(scope, { add: base.required || revision.required ? use.required : 0 })
  state.share(inBody, [base.place], [revision.place], compareParts, { base: base.entry, revision: revision.entry })
}

/** Compares the responses of an operation: what applies to each status code, its own response, that of its range or the default. */
export function compareResponses(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const inResponse = within(scope, { invert: respond })
  if (isUnknownMap(state, 'responses', { base, revision })) return
  const [from, to] = [readResponses(base, state.base), readResponses(revision, state.revision)]
  for (const { key: code, base: one, revision: other, isReplaced } of pairApplying(from, to, findStatus)) {
    const toPlaces = () => ({
      ...keyPlaces(one?.entry, other?.entry, toMaps(state, 'responses', { base, revision })),
      detail: code,
    })
    const isSuccess = code.startsWith('2')
    if (one && other) compareResponse(state, inResponse, { base: one, revision: other }, code)
    if (one && other && isReplaced) {
      const message = () => `Response \`${shorten(code)}\` became \`${other.key}\``
      report(inResponse, { code: isSuccess ? 'response-widened' : 'response-added', ...toPlaces(), message })
    } else if (!other) {
      const isNarrowed = code.endsWith('XX') && to.some(({ key }) => key.startsWith(code.slice(0, 1)))
      report(inResponse, {
        code: isSuccess ? 'response-removed' : 'error-response-removed',
        codeInNarrowed: isNarrowed ? 'response-added' : undefined,
        ...toPlaces(),
        message: () => `Response \`${shorten(code)}\` was ${isNarrowed ? 'limited to some status codes' : 'removed'}`,
      })
    } else if (!one)
      report(inResponse, { code: 'response-added', ...toPlaces(), message: () => `Response \`${shorten(code)}\` was added` })
  }
}

function compareResponse(state: ComparisonState, scope: Scope, pair: Pair<Response>, code: string): void {
  const { base, revision } = pair
  if (base.isUnresolved || revision.isUnresolved) return
  const isReferred = base.entry !== base.place && revision.entry !== revision.place
  const isComponent = isReferred && base.place.pointer === revision.place.pointer
  const name = isComponent ? state.names.name(base.place) : `response \`${shorten(code)}\``
  state.names.set(base.entry, name)
  state.names.set(revision.entry, name)
  const compareParts = (inside: Scope) => {
    const places = placesOf(pair)
    compareHeaders(state, inside, places, name)
    const [had, has] = [places.base, places.revision].map((place) => valueIn(place, 'content') !== undefined)
    if (base.key === revision.key || had === has) compareContent(state, inside, places, name, true)
    else {
      // Authors often leave out the body of a status code that a range or the default described before.
      const message = () => `The body of ${name} is ${has ? 'now' : 'no longer'} described`
      const schemaCode = `media-type-schema-${has ? 'added' : 'removed'}` as const
      report(inside, { code: schemaCode, ...places, detail: 'content', message })
    }
    compareLinks(state, inside, pair, name)
  }
  state.share(scope, [base.place], [revision.place], compareParts, { base: base.entry, revision: revision.entry })
}

function compareLinks(state: ComparisonState, scope: Scope, { base, revision }: Pair<Response>, owner: string): void {
  if (isUnknownMap(state, 'links', placesOf({ base, revision }))) return
  const [from, to] = [readLinks(base.place, state.base), readLinks(revision.place, state.revision)]
  // As in most responses.
  if (from.length === 0 && to.length === 0) return
  const [before, after] = [from, to].map((links) => new Map(links.map((link) => [link.name, link])))
  for (const name of new Set([...from, ...to].map((link) => link.name))) {
    const [one, other] = [before?.get(name), after?.get(name)]
    if (one?.isUnresolved || other?.isUnresolved || equalJson(one && toRequest(one), other && toRequest(other))) continue
    const verb = !one ? 'added' : !other ? 'removed' : 'changed'
    const preposition = { added: 'was added to', removed: 'was removed from', changed: 'changed in' }[verb]
    report(scope, {
      code: `link-${verb}`,
      base: one?.entry ?? base.place,
      revision: other?.entry ?? revision.place,
      detail: name,
      message: () => `Link \`${shorten(name)}\` ${preposition} ${owner}`,
    })
  }
}

/** What a link says about the request that it describes. */
function toRequest({ operationId, operationRef, parameters, requestBody, server }: Link): unknown {
  const named = Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
  const variables = server?.variables.map(({ description: _, ...variable }) => variable)
  return { operationId, operationRef, parameters: named, requestBody, url: server?.url, variables }
}
