import { type Body, type Link, type Response, readBody, readResponses } from '../../model/bodies.ts'
import type { Server } from '../../model/servers.ts'
import { findStatus } from '../../model/written-values.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, report, respond, type Scope, use, within } from '../differences/comparison.ts'
import { type Pair, type PlacePair, placesOf } from '../differences/name-place.ts'
import { byKey, compareContent, compareHeaders, compareRequired } from './compare-content.ts'

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
  for (const { place, entry } of [base, revision]) {
    state.names.set(place, 'the request body')
    state.names.set(entry, 'the request body')
  }
  const compareParts = (inside: Scope) => {
    compareRequired(inside, 'body', 'Request body', pair)
    compareContent(state, inside, { base: base.content, revision: revision.content }, 'the request body', false)
  }
  const inBody = within(scope, { add: base.required || revision.required ? use.required : 0 })
  state.share(inBody, [base.place], [revision.place], compareParts, { base: base.entry, revision: revision.entry })
}

/** Compares the responses of an operation: what applies to each status code, its own response, that of its range or the default. */
export function compareResponses(state: ComparisonState, scope: Scope, { base, revision }: PlacePair): void {
  const inResponse = within(scope, { invert: respond })
  const [from, to] = [readResponses(base, state.base), readResponses(revision, state.revision)]
  if (from.isUnresolved || to.isUnresolved) return
  const [before, after] = [byKey(from), byKey(to)]
  /** New responses that apply to codes of an old one, which is reported. */
  const widened = new Set<Response>()
  for (const [code, response] of before) {
    const other = findStatus(after, code)
    const isSuccess = code.startsWith('2')
    if (other) {
      compareResponse(state, inResponse, { base: response, revision: other }, code, code === other.key)
      if (before.has(other.key)) continue
      widened.add(other)
      report(inResponse, {
        code: isSuccess ? 'response-widened' : 'response-added',
        base: { ...response.entry, on: 'key' },
        revision: { ...other.entry, on: 'key' },
        detail: code,
        message: () => `Response \`${shorten(code)}\` became \`${other.key}\``,
      })
      continue
    }
    const isNarrowed = code.endsWith('XX') && [...after.keys()].some((each) => each.startsWith(code.slice(0, 1)))
    report(inResponse, {
      code: isSuccess ? 'response-removed' : 'error-response-removed',
      codeInNarrowed: isNarrowed ? 'response-added' : undefined,
      base: { ...response.entry, on: 'key' },
      revision: to.place,
      detail: code,
      message: () => `Response \`${shorten(code)}\` was ${isNarrowed ? 'limited to some status codes' : 'removed'}`,
    })
  }
  for (const [code, response] of after) {
    if (before.has(code) || widened.has(response)) continue
    const applied = findStatus(before, code)
    if (applied) {
      compareResponse(state, inResponse, { base: applied, revision: response }, code)
      continue
    }
    const message = () => `Response \`${shorten(code)}\` was added`
    const places = { base: from.place, revision: { ...response.entry, on: 'key' } } as const
    report(inResponse, { code: 'response-added', ...places, detail: code, message })
  }
}

function compareResponse(state: ComparisonState, scope: Scope, pair: Pair<Response>, code: string, isSameCode = false): void {
  const { base, revision } = pair
  if (base.isUnresolved || revision.isUnresolved) return
  const isReferred = base.entry !== base.place && revision.entry !== revision.place
  const isComponent = isReferred && base.place.pointer === revision.place.pointer
  const name = isComponent ? state.names.name(base.place) : `response \`${shorten(code)}\``
  state.names.set(base.entry, name)
  state.names.set(revision.entry, name)
  const compareParts = (inside: Scope) => {
    compareHeaders(state, inside, pair, name)
    const content = { base: base.content, revision: revision.content }
    const [had, has] = [content.base, content.revision].map(({ place }) => place.value !== undefined)
    if (isSameCode || had === has) compareContent(state, inside, content, name, true)
    else {
      // Authors often leave out the body of a status code that a range or the default described before.
      const message = () => `The body of ${name} is ${has ? 'now' : 'no longer'} described`
      const schemaCode = `media-type-schema-${has ? 'added' : 'removed'}` as const
      report(inside, { code: schemaCode, ...placesOf(pair), detail: 'content', message })
    }
    compareLinks(inside, pair, name)
  }
  state.share(scope, [base.place], [revision.place], compareParts, { base: base.entry, revision: revision.entry })
}

function compareLinks(scope: Scope, { base, revision }: Pair<Response>, owner: string): void {
  const [from, to] = [base.links, revision.links]
  if (from.isUnresolved || to.isUnresolved) return
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
  return { operationId, operationRef, parameters: named, requestBody, server: server && toUrl(server) }
}

function toUrl({ url, variables }: Server): unknown {
  return { url, variables: variables.map(({ description: _, ...variable }) => variable) }
}
