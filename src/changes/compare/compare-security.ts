import { childPlace, isReference, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { isObject, listObjects, type Place } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes } from '../../text/plain/limits.ts'
import { capitalize, groupBy } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import type { ComparableDescription } from '../change.ts'
import { type ComparisonState, fieldPlaces, report, type Scope } from '../differences/comparison.ts'
import type { PlacePair } from '../differences/name-place.ts'
import { toText } from '../differences/same-values.ts'

/** The security schemes of both descriptions. */
export interface SecuritySchemes {
  /** The schemes with a new name, by their name in the base. */
  readonly renamed: ReadonlyMap<string, string>
  /** How clients authenticate, by the name in each description. Equal for schemes whose requests look the same. */
  readonly meanings: { readonly base: ReadonlyMap<string, string>; readonly revision: ReadonlyMap<string, string> }
  /** Find the declared name of the scheme that a requirement in a file names, which can be a URI since 3.2. */
  readonly names: { readonly base: FindName; readonly revision: FindName }
}

type FindName = (key: string, file: string) => string

/**
 * Finds the security schemes that were renamed. Their old name exists in the base only, and their new one in the revision only. Schemes
 * that are the same in every field are matched first, then those with the same meaning.
 */
export function matchSecuritySchemes(base: ComparableDescription, revision: ComparableDescription): SecuritySchemes {
  const [from, to] = [readSchemes(base), readSchemes(revision)]
  const renamed = new Map<string, string>()
  const taken = new Set<string>()
  const match = (toKey: (place: Place) => string) => {
    const candidates = [...to].filter(([name]) => !from.has(name) && !taken.has(name))
    const byKey = groupBy(candidates, ([, place]) => toKey(place))
    for (const [name, place] of from) {
      if (to.has(name) || renamed.has(name)) continue
      const [other] = byKey.get(toKey(place))?.shift() ?? []
      if (other === undefined) continue
      renamed.set(name, other)
      taken.add(other)
    }
  }
  match(({ value }) => JSON.stringify(value))
  match(toMeaning)
  const toMeanings = (schemes: typeof from) => new Map([...schemes].map(([name, place]) => [name, toMeaning(place)]))
  return {
    renamed,
    meanings: { base: toMeanings(from), revision: toMeanings(to) },
    names: { base: toFindName(base, from), revision: toFindName(revision, to) },
  }
}

/** Source: OpenAPI 3.2.0, "Security Requirement Object": a name that `components` lists comes first. */
function toFindName({ follow }: ComparableDescription, schemes: ReadonlyMap<string, Place>): FindName {
  return (key, file) => {
    const target = schemes.has(key) ? undefined : follow.find(file, key)
    const [name = key] = target ? ([...schemes].find(([, { value }]) => value === target.value) ?? []) : []
    return name
  }
}

/** The declared schemes that can be read, by name. */
function readSchemes(description: ComparableDescription): Map<string, Place> {
  const schemes = mapPlaces(findSchemes(description), undefined)
  const places = schemes.map(({ name, place }) => [name, description.follow.end(place)] as const)
  return new Map(places.filter(([, { value }]) => isObject(value) && !isReference(value)))
}

/** A text that is equal for schemes with which clients send the same requests and get their tokens from the same place. */
function toMeaning(scheme: Place): string {
  const fields = schemeFields.map((field) => foldField(scheme, field))
  const { openIdConnectUrl, flows } = isObject(scheme.value) ? scheme.value : {}
  const listed = flowNames.flatMap((flow) => {
    const one: unknown = isObject(flows) ? flows[flow] : undefined
    return isObject(one) ? [[flow, one['authorizationUrl'], one['tokenUrl'], one['deviceAuthorizationUrl']]] : []
  })
  return JSON.stringify([fields, openIdConnectUrl, listed])
}

/** A set of credentials that is sufficient, by the name of the scheme in the revision. */
type Alternative = ReadonlyMap<string, Credential>

interface Credential {
  /** The name of the scheme in the description that has the requirement. */
  readonly name: string
  readonly scopes: ReadonlySet<string>
  /** See `SecuritySchemes`. Unknown schemes have only their name. */
  readonly meaning: string
}

/** Compares the security of an operation. `base` and `revision` are the lists that apply to it: its own or those of the document. */
export function compareSecurity(
  scope: Scope,
  { renamed, meanings, names }: SecuritySchemes,
  { base, revision }: PlacePair,
  { budget }: ComparisonState,
): void {
  const from = readAlternatives(base, names.base, meanings.base, renamed)
  const to = readAlternatives(revision, names.revision, meanings.revision)
  const [refused, accepted] = [listOthers(from, to, budget), listOthers(to, from, budget)]
  const places = { base, revision, subject: 'operation' } as const
  const [changed] = [refused, accepted].filter(({ length }) => length > 0)
  if (changed) {
    const [isReplaced, isSentAlike] = [isSameForm(refused, to, budget), isSameForm(accepted, from, budget)]
    const listed = `${nameAlternatives(changed)} ${changed.length === 1 ? 'is' : 'are'} ${changed === refused ? 'no longer' : 'now'} enough`
    report(scope, {
      code: changed === accepted ? 'security-loosened' : isReplaced ? 'security-scheme-replaced' : 'security-tightened',
      // The recipient of a webhook or callback can refuse credentials that it did not get before.
      codeInNarrowed: isSentAlike ? 'security-scheme-replaced' : accepted.length > 0 ? 'security-loosened' : 'security-tightened',
      ...places,
      message: () => `Security changed: ${isReplaced ? `${listed}, but credentials of the same form are` : listed}`,
    })
  } else if (toKey(from) !== toKey(to)) {
    const message = () => `Security changed to ${nameAlternatives(to)}, and the same requests are accepted`
    report(scope, { code: 'security-changed', ...places, message })
  }
}

/** The alternatives that are not enough for any of the others. */
function listOthers(alternatives: readonly Alternative[], others: readonly Alternative[], budget: NodeBudget): Alternative[] {
  // Most are the same in both versions.
  const equal = new Set(others.map((other) => toKey([other])))
  return alternatives.filter((one) => {
    return !equal.has(toKey([one])) && !others.some((other) => spendNodes(budget, 1 + other.size) && isEnough(one, other))
  })
}

/** Whether there are alternatives, each of which is enough for another one if only the form of credentials counts. */
function isSameForm(alternatives: readonly Alternative[], others: readonly Alternative[], budget: NodeBudget): boolean {
  return alternatives.length > 0 && listOthers(alternatives.map(toMeanings), others.map(toMeanings), budget).length === 0
}

/** A text that is equal for the same alternatives in any order. */
function toKey(alternatives: readonly Alternative[]): string {
  const keys = alternatives.map((one) =>
    JSON.stringify([...one].map(([scheme, { scopes }]) => [scheme, ...[...scopes].sort()]).sort()),
  )
  return [...new Set(keys)].sort().join()
}

const noNames: ReadonlyMap<string, string> = new Map()

function readAlternatives(
  { file, value }: Place,
  findName: FindName,
  meanings: ReadonlyMap<string, string>,
  renamed = noNames,
): Alternative[] {
  const list = listObjects(value)
  // Without a list, no credentials are needed.
  if (list.length === 0) return [new Map()]
  return list.map((requirement) => {
    const entries = Object.entries(requirement).map(([key, scopes]): [string, Credential] => {
      const name = findName(key, file)
      const listed = new Set(Array.isArray(scopes) ? scopes.map(toText) : [])
      return [renamed.get(name) ?? name, { name, scopes: listed, meaning: meanings.get(name) ?? name }]
    })
    return new Map(entries)
  })
}

/** The same credentials by the meaning of their schemes. */
function toMeanings(alternative: Alternative): Alternative {
  return new Map([...alternative.values()].map((credential) => [credential.meaning, credential]))
}

/** Whether credentials for `given` include those that `needed` asks for. */
function isEnough(given: Alternative, needed: Alternative): boolean {
  return [...needed].every(([scheme, { scopes }]) => {
    const own = given.get(scheme)?.scopes
    return own !== undefined && [...scopes].every((scope) => own.has(scope))
  })
}

function nameAlternatives(alternatives: readonly Alternative[]): string {
  const names = alternatives.map((alternative) => {
    const schemes = [...alternative.values()].map(({ name, scopes }) => {
      return `\`${shorten(name)}\`${scopes.size === 0 ? '' : ` (${shorten([...scopes].join(', '))})`}`
    })
    return schemes.length === 0 ? 'no authentication' : schemes.join(' with ')
  })
  return names.join(' or ')
}

/** Fields of a Security Scheme Object that decide how a client authenticates. */
const schemeFields = ['type', 'name', 'in', 'scheme'] as const

const flowNames = ['implicit', 'password', 'clientCredentials', 'authorizationCode', 'deviceAuthorization'] as const

/** The value of a field without differences that HTTP ignores: in the case of a scheme, and of the name of a header. */
function foldField(scheme: Place, field: (typeof schemeFields)[number]): unknown {
  const { value } = childPlace(scheme, field)
  const isFolded = field === 'scheme' || (field === 'name' && childPlace(scheme, 'in').value === 'header')
  return isFolded && typeof value === 'string' ? value.toLowerCase() : value
}

/** Compares `components.securitySchemes`. */
export function compareSecuritySchemes(
  state: ComparisonState,
  scope: Scope,
  { renamed }: SecuritySchemes,
  base: ComparableDescription,
  revision: ComparableDescription,
): void {
  const [from, to] = [findSchemes(base), findSchemes(revision)]
  const names = new Set([from, to].flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  for (const name of renamed.values()) names.delete(name)
  for (const name of names) {
    const newName = renamed.get(name) ?? name
    const [one, other] = [state.base.follow.end(childPlace(from, name)), state.revision.follow.end(childPlace(to, newName))]
    if (isReference(one.value) || isReference(other.value)) continue
    if (isObject(one.value) && isObject(other.value)) {
      if (newName !== name) {
        report(scope, {
          code: 'security-scheme-renamed',
          base: { ...childPlace(from, name), on: 'key' },
          revision: { ...childPlace(to, newName), on: 'key' },
          subject: 'document',
          message: () => `Security scheme \`${shorten(name)}\` was renamed to \`${shorten(newName)}\``,
        })
      }
      compareScheme(scope, newName, one, other)
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
    if (equalJson(foldField(base, field), foldField(revision, field))) continue
    report(scope, {
      code: 'security-scheme-changed',
      ...fieldPlaces({ base, revision }, field),
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
      ...fieldPlaces({ base, revision }, 'deprecated'),
      subject: 'document',
      detail: name,
      message: () => `${capitalize(shown)} ${is ? 'was deprecated' : 'is no longer deprecated'}`,
    })
  }
  for (const field of ['openIdConnectUrl', 'oauth2MetadataUrl']) compareUrl(scope, shown, field, base, revision)
  const [flows, next] = [childPlace(base, 'flows'), childPlace(revision, 'flows')]
  for (const flow of flowNames) {
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
    ...fieldPlaces({ base, revision }, field),
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
