import { isObject, listObjects } from '../../source/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import { isReference, type Place } from '../follow-reference.ts'
import { equalJson } from '../schema/equal-json.ts'
import { shorten } from '../suggestions.ts'
import { type ComparisonState, fieldPlace, report, type Scope } from './comparison.ts'
import { capitalize } from './lifecycle.ts'
import { toText } from './same-values.ts'
import type { ComparableDescription } from './types.ts'

/** A set of credentials that is sufficient: scopes by the name of the scheme. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>

/** Compares the security of an operation. `base` and `revision` are the lists that apply to it: its own or those of the document. */
export function compareSecurity(scope: Scope, base: Place, revision: Place): void {
  if (equalJson(base.value, revision.value)) return
  const [from, to] = [readAlternatives(base.value), readAlternatives(revision.value)]
  const refused = from.filter((one) => !to.some((other) => isEnough(one, other)))
  const accepted = to.filter((one) => !from.some((other) => isEnough(one, other)))
  const places = { base, revision, subject: 'operation' } as const
  if (refused.length > 0) {
    const listed = `${nameAlternatives(refused)} ${refused.length === 1 ? 'is' : 'are'} no longer enough`
    report(scope, { code: 'security-tightened', ...places, message: () => `Security changed: ${listed}` })
  } else if (accepted.length > 0) {
    const listed = `${nameAlternatives(accepted)} ${accepted.length === 1 ? 'is' : 'are'} now enough`
    report(scope, { code: 'security-loosened', ...places, message: () => `Security changed: ${listed}` })
  } else if (toKey(from) !== toKey(to)) {
    const message = () => `Security changed to ${nameAlternatives(to)}, and the same requests are accepted`
    report(scope, { code: 'security-changed', ...places, message })
  }
}

/** A text that is equal for the same alternatives in any order. */
function toKey(alternatives: readonly Alternative[]): string {
  const keys = alternatives.map((one) => JSON.stringify([...one].map(([name, scopes]) => [name, ...[...scopes].sort()]).sort()))
  return [...new Set(keys)].sort().join()
}

function readAlternatives(security: unknown): Alternative[] {
  const list = listObjects(security)
  // Without a list, no credentials are needed.
  if (list.length === 0) return [new Map()]
  return list.map((requirement) => {
    const entries = Object.entries(requirement)
    return new Map(entries.map(([name, scopes]) => [name, new Set(Array.isArray(scopes) ? scopes.map(toText) : [])]))
  })
}

/** Whether credentials for `given` include those that `needed` asks for. */
function isEnough(given: Alternative, needed: Alternative): boolean {
  return [...needed].every(([name, scopes]) => {
    const own = given.get(name)
    return own !== undefined && [...scopes].every((scope) => own.has(scope))
  })
}

function nameAlternatives(alternatives: readonly Alternative[]): string {
  const names = alternatives.map((alternative) => {
    const schemes = [...alternative].map(([name, scopes]) => {
      return `\`${shorten(name)}\`${scopes.size === 0 ? '' : ` (${shorten([...scopes].join(', '))})`}`
    })
    return schemes.length === 0 ? 'no authentication' : schemes.join(' with ')
  })
  return names.join(' or ')
}

/** Fields of a Security Scheme Object that decide how a client authenticates. */
const schemeFields = ['type', 'name', 'in', 'scheme'] as const

/** Compares `components.securitySchemes`. */
export function compareSecuritySchemes(
  state: ComparisonState,
  scope: Scope,
  base: ComparableDescription,
  revision: ComparableDescription,
): void {
  const [from, to] = [findSchemes(base), findSchemes(revision)]
  const names = new Set([from, to].flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  for (const name of names) {
    const [one, other] = [state.base.follow.end(childPlace(from, name)), state.revision.follow.end(childPlace(to, name))]
    if (isReference(one.value) || isReference(other.value)) continue
    if (isObject(one.value) && isObject(other.value)) {
      compareScheme(scope, name, one, other)
      continue
    }
    const isAdded = isObject(other.value)
    if (!isAdded && !isObject(one.value)) continue
    report(scope, {
      code: isAdded ? 'security-scheme-added' : 'security-scheme-removed',
      base: isAdded ? undefined : { ...one, on: 'key' },
      revision: isAdded ? { ...other, on: 'key' } : undefined,
      subject: 'document',
      detail: name,
      message: () => `Security scheme \`${shorten(name)}\` was ${isAdded ? 'added' : 'removed'}`,
    })
  }
}

function findSchemes({ root, follow }: ComparableDescription): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), 'securitySchemes'))
}

function compareScheme(scope: Scope, name: string, base: Place, revision: Place): void {
  const shown = `security scheme \`${shorten(name)}\``
  for (const field of schemeFields) {
    const [one, other] = [childPlace(base, field), childPlace(revision, field)]
    const fold = ({ value }: Place) => (field === 'scheme' && typeof value === 'string' ? value.toLowerCase() : value)
    if (equalJson(fold(one), fold(other))) continue
    report(scope, {
      code: 'security-scheme-changed',
      base: fieldPlace(base, field),
      revision: fieldPlace(revision, field),
      subject: 'document',
      detail: `${name} ${field}`,
      message: () => `\`${field}\` of ${shown} changed from \`${toText(one.value)}\` to \`${toText(other.value)}\``,
    })
    if (field === 'type') return
  }
  const [was, is] = [base, revision].map((place) => childPlace(place, 'deprecated').value === true)
  if (was !== is) {
    report(scope, {
      code: is ? 'security-scheme-deprecated' : 'security-scheme-reactivated',
      base: fieldPlace(base, 'deprecated'),
      revision: fieldPlace(revision, 'deprecated'),
      subject: 'document',
      detail: name,
      message: () => `${capitalize(shown)} ${is ? 'was deprecated' : 'is no longer deprecated'}`,
    })
  }
  for (const field of ['openIdConnectUrl', 'oauth2MetadataUrl']) compareUrl(scope, shown, field, base, revision)
  const [flows, next] = [childPlace(base, 'flows'), childPlace(revision, 'flows')]
  for (const flow of ['implicit', 'password', 'clientCredentials', 'authorizationCode', 'deviceAuthorization']) {
    const [one, other] = [childPlace(flows, flow), childPlace(next, flow)]
    const [hadFlow, hasFlow] = [isObject(one.value), isObject(other.value)]
    if (hadFlow !== hasFlow) {
      report(scope, {
        code: hasFlow ? 'security-flow-added' : 'security-flow-removed',
        base: hadFlow ? { ...one, on: 'key' } : flows,
        revision: hasFlow ? { ...other, on: 'key' } : next,
        subject: 'document',
        detail: `${name} ${flow}`,
        message: () => `Flow \`${flow}\` was ${hasFlow ? 'added to' : 'removed from'} ${shown}`,
      })
    }
    if (!hadFlow || !hasFlow) continue
    for (const key of ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl']) {
      compareUrl(scope, `${shown} (\`${flow}\`)`, key, one, other)
    }
    compareScopes(scope, `${shown} (\`${flow}\`)`, childPlace(one, 'scopes'), childPlace(other, 'scopes'))
  }
}

function compareUrl(scope: Scope, shown: string, field: string, base: Place, revision: Place): void {
  const [from, to] = [childPlace(base, field), childPlace(revision, field)]
  if (from.value === to.value) return
  report(scope, {
    code: 'security-scheme-url-changed',
    base: fieldPlace(base, field),
    revision: fieldPlace(revision, field),
    subject: 'document',
    detail: from.pointer,
    message: () => `URL of ${shown} changed from \`${shorten(toText(from.value))}\` to \`${shorten(toText(to.value))}\``,
  })
}

function compareScopes(scope: Scope, shown: string, base: Place, revision: Place): void {
  const [from, to] = [isObject(base.value) ? base.value : {}, isObject(revision.value) ? revision.value : {}]
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [was, is] = [Object.hasOwn(from, name), Object.hasOwn(to, name)]
    // Texts of scopes are descriptions.
    if (was && is) continue
    report(scope, {
      code: is ? 'security-scope-added' : 'security-scope-removed',
      base: was ? { ...childPlace(base, name), on: 'key' } : base,
      revision: is ? { ...childPlace(revision, name), on: 'key' } : revision,
      subject: 'document',
      detail: name,
      message: () => `Scope \`${shorten(name)}\` was ${is ? 'added to' : 'removed from'} ${shown}`,
    })
  }
}

/** Compares two lists of servers. `subject` is what they belong to. */
export function compareServers(scope: Scope, from: Place, to: Place, subject: 'document' | 'operation'): void {
  const [before, after] = [readServers(from), readServers(to)]
  for (const [url, place] of before) {
    const other = after.get(url)
    if (other) {
      compareVariables(scope, url, place, other, subject)
      continue
    }
    const message = () => `Server \`${shorten(url)}\` was removed`
    report(scope, { code: 'server-removed', base: place, revision: to, subject, detail: url, message })
  }
  for (const [url, place] of after) {
    if (before.has(url)) continue
    const message = () => `Server \`${shorten(url)}\` was added`
    report(scope, { code: 'server-added', base: from, revision: place, subject, detail: url, message })
  }
}

function compareVariables(scope: Scope, url: string, base: Place, revision: Place, subject: 'document' | 'operation'): void {
  const [from, to] = [childPlace(base, 'variables'), childPlace(revision, 'variables')]
  const names = new Set([from, to].flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  for (const name of names) {
    const [one, other] = [childPlace(from, name), childPlace(to, name)]
    const [before, after] = [readVariable(one.value), readVariable(other.value)]
    if (equalJson(before, after)) continue
    const verb = before === undefined ? 'was added to' : after === undefined ? 'was removed from' : 'changed in'
    report(scope, {
      code: 'server-changed',
      base: before === undefined ? base : one,
      revision: after === undefined ? revision : other,
      subject,
      detail: `${url} ${name}`,
      message: () => `Variable \`${shorten(name)}\` ${verb} server \`${shorten(url)}\``,
    })
  }
}

function readVariable(variable: unknown): unknown {
  if (!isObject(variable)) return undefined
  const { default: fallback, enum: values } = variable
  return { fallback, values: Array.isArray(values) ? [...new Set(values.map(toText))].sort() : undefined }
}

/** The servers by URL. Without a list, there is one with the URL `/`. Source: OpenAPI 3.1.1, "OpenAPI Object". */
function readServers(servers: Place): Map<string, Place> {
  const list = Array.isArray(servers.value) ? servers.value : []
  const found = new Map<string, Place>()
  for (const [index, server] of list.entries()) {
    if (isObject(server) && typeof server['url'] === 'string') found.set(server['url'], childPlace(servers, index))
  }
  return found.size === 0 ? new Map([['/', servers]]) : found
}
