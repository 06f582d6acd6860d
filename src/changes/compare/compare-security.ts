import {
  listSchemes,
  type OAuthFlow,
  readRequirements,
  type SecurityRequirement,
  type SecurityScheme,
} from '../../model/security.ts'
import { childPlace } from '../../openapi/references/follow-reference.ts'
import { type NodeBudget, spendNodes } from '../../text/plain/limits.ts'
import { capitalize, groupBy } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, fieldPlaces, report, type Scope, type Side } from '../differences/comparison.ts'
import { keyPlaces, type Pair, type PlacePair, placesOf } from '../differences/name-place.ts'

/** Security schemes by their names. */
type Schemes = ReadonlyMap<string, SecurityScheme>

/**
 * Finds the security schemes that were renamed, by their name in the base. Their old name exists in the base only, and their new one in the
 * revision only. Schemes that are the same in every field are matched first, then those with the same meaning.
 */
function matchSchemes(from: Schemes, to: Schemes): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  const taken = new Set<string>()
  const match = (toKey: (scheme: SecurityScheme) => string) => {
    const candidates = [...to].filter(([name, { isUnresolved }]) => !isUnresolved && !from.has(name) && !taken.has(name))
    const byKey = groupBy(candidates, ([, scheme]) => toKey(scheme))
    for (const [name, scheme] of from) {
      if (scheme.isUnresolved || to.has(name) || renamed.has(name)) continue
      const [other] = byKey.get(toKey(scheme))?.shift() ?? []
      if (other === undefined) continue
      renamed.set(name, other)
      taken.add(other)
    }
  }
  match(({ place }) => JSON.stringify(place.value))
  match(toMeaning)
  return renamed
}

/** A text that is equal for schemes with which clients send the same requests and get their tokens from the same place. */
function toMeaning(scheme: SecurityScheme): string {
  if (scheme.type === 'unknown') return JSON.stringify(scheme.place.value)
  const fields = ownFields.map((field) => foldField(scheme, field))
  const flows = scheme.type === 'oauth2' ? scheme.flows : []
  const listed = flows.map(({ flow, ...urls }) => [flow, urls.authorizationUrl, urls.tokenUrl, urls.deviceAuthorizationUrl])
  return JSON.stringify([scheme.type, fields, scheme.type === 'openIdConnect' ? scheme.url : '', listed])
}

/** A set of credentials that is sufficient, by the name of the scheme in the revision. */
type Alternative = ReadonlyMap<string, Credential>

interface Credential {
  /** The name of the scheme in the description that has the requirement. */
  readonly name: string
  readonly scopes: ReadonlySet<string>
  /** See `toMeaning`. Unknown schemes have only their name. */
  readonly meaning: string
}

/** Compares the requirements that apply to an operation. `renamed` has the new names of schemes. */
export function compareSecurity(
  { base, revision, budget }: ComparisonState,
  scope: Scope,
  lists: PlacePair,
  renamed: ReadonlyMap<string, string>,
): void {
  const from = toAlternatives(readRequirements(lists.base, base), renamed)
  const to = toAlternatives(readRequirements(lists.revision, revision), new Map())
  const [refused, accepted] = [listOthers(from, to, budget), listOthers(to, from, budget)]
  const places = { ...lists, subject: 'operation' } as const
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

/** Without a requirement, no credentials are needed. */
function toAlternatives(requirements: readonly SecurityRequirement[], renamed: ReadonlyMap<string, string>): Alternative[] {
  if (requirements.length === 0) return [new Map()]
  return requirements.map((requirement) => {
    const entries = requirement.map(({ name, scheme, scopes }): [string, Credential] => {
      const meaning = scheme.isUnresolved ? name : toMeaning(scheme)
      return [renamed.get(name) ?? name, { name, scopes: new Set(scopes), meaning }]
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

/** The fields besides the type that decide how a client authenticates. */
const ownFields = ['name', 'in', 'scheme'] as const

function readField(scheme: SecurityScheme, field: (typeof ownFields)[number]): string | undefined {
  if (field === 'scheme') return scheme.type === 'http' ? scheme.scheme : undefined
  return scheme.type === 'apiKey' ? { name: scheme.parameterName, in: scheme.in }[field] : undefined
}

/** The value of a field without differences that HTTP ignores: in the case of a scheme, and of the name of a header. */
function foldField(scheme: SecurityScheme, field: (typeof ownFields)[number]): string | undefined {
  const value = readField(scheme, field)
  const isFolded = field === 'scheme' || (field === 'name' && readField(scheme, 'in') === 'header')
  return isFolded ? value?.toLowerCase() : value
}

/** Compares `components.securitySchemes`. Returns the new names of schemes by their names in the base. */
export function compareSecuritySchemes({ base, revision }: ComparisonState, scope: Scope): ReadonlyMap<string, string> {
  const read = (side: Side): Schemes => new Map(listSchemes(side).map(({ name, scheme }) => [name, scheme]))
  const [from, to] = [read(base), read(revision)]
  const renamed = matchSchemes(from, to)
  const names = new Set([...from.keys(), ...to.keys()])
  for (const name of renamed.values()) names.delete(name)
  for (const name of names) {
    const newName = renamed.get(name) ?? name
    const [one, other] = [from.get(name), to.get(newName)]
    if (one?.isUnresolved || other?.isUnresolved) continue
    if (one && other) {
      if (newName !== name) {
        report(scope, {
          code: 'security-scheme-renamed',
          base: { ...one.entry, on: 'key' },
          revision: { ...other.entry, on: 'key' },
          subject: 'document',
          message: () => `Security scheme \`${shorten(name)}\` was renamed to \`${shorten(newName)}\``,
        })
      }
      compareScheme(scope, newName, { base: one, revision: other })
      continue
    }
    report(scope, {
      code: other ? 'security-scheme-added' : 'security-scheme-removed',
      base: one && { ...one.place, on: 'key' },
      revision: other && { ...other.place, on: 'key' },
      subject: 'document',
      detail: name,
      message: () => `Security scheme \`${shorten(name)}\` was ${other ? 'added' : 'removed'}`,
    })
  }
  return renamed
}

function compareScheme(scope: Scope, name: string, pair: Pair<SecurityScheme>): void {
  const shown = `security scheme \`${shorten(name)}\``
  const places = placesOf(pair)
  const { base, revision } = pair
  const reportField = (field: string, one: string | undefined, other: string | undefined) =>
    report(scope, {
      code: 'security-scheme-changed',
      ...fieldPlaces(places, field),
      subject: 'document',
      detail: `${name} ${field}`,
      message: () => `\`${field}\` of ${shown} changed from \`${one}\` to \`${other}\``,
    })
  if (base.type !== revision.type) {
    reportField('type', base.type, revision.type)
    return
  }
  for (const field of ownFields) {
    if (foldField(base, field) === foldField(revision, field)) continue
    reportField(field, readField(base, field), readField(revision, field))
  }
  if (base.deprecated !== revision.deprecated) {
    const is = revision.deprecated
    report(scope, {
      code: is ? 'security-scheme-deprecated' : 'security-scheme-reactivated',
      ...fieldPlaces(places, 'deprecated'),
      subject: 'document',
      detail: name,
      message: () => `${capitalize(shown)} ${is ? 'was deprecated' : 'is no longer deprecated'}`,
    })
  }
  if (base.type === 'openIdConnect' && revision.type === 'openIdConnect') {
    compareUrl(scope, shown, 'openIdConnectUrl', places, [base.url, revision.url])
  }
  if (base.type !== 'oauth2' || revision.type !== 'oauth2') return
  compareUrl(scope, shown, 'oauth2MetadataUrl', places, [base.metadataUrl, revision.metadataUrl])
  const flows = fieldPlaces(places, 'flows')
  for (const flow of new Set([...base.flows, ...revision.flows].map((one) => one.flow))) {
    const [one, other] = [base, revision].map((scheme) => scheme.flows.find((each) => each.flow === flow))
    const pointed = { base: childPlace(flows.base, flow), revision: childPlace(flows.revision, flow) }
    if (one && other) compareFlow(scope, `${shown} (\`${flow}\`)`, pointed, { base: one, revision: other })
    else {
      report(scope, {
        code: other ? 'security-flow-added' : 'security-flow-removed',
        ...keyPlaces(one && pointed.base, other && pointed.revision, flows),
        subject: 'document',
        detail: `${name} ${flow}`,
        message: () => `Flow \`${flow}\` was ${other ? 'added to' : 'removed from'} ${shown}`,
      })
    }
  }
}

function compareFlow(scope: Scope, shown: string, places: PlacePair, { base, revision }: Pair<OAuthFlow>): void {
  for (const field of ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'] as const) {
    compareUrl(scope, shown, field, places, [base[field], revision[field]])
  }
  const around = fieldPlaces(places, 'scopes')
  const [before, after] = [base, revision].map(({ scopes }) => new Set(scopes.map(({ name }) => name)))
  for (const name of new Set([...base.scopes, ...revision.scopes].map((one) => one.name))) {
    const [was, is] = [before?.has(name), after?.has(name)]
    // Texts of scopes are descriptions.
    if (was === is) continue
    report(scope, {
      code: is ? 'security-scope-added' : 'security-scope-removed',
      ...keyPlaces(was ? childPlace(around.base, name) : undefined, is ? childPlace(around.revision, name) : undefined, around),
      subject: 'document',
      detail: name,
      message: () => `Scope \`${shorten(name)}\` was ${is ? 'added to' : 'removed from'} ${shown}`,
    })
  }
}

function compareUrl(
  scope: Scope,
  shown: string,
  field: string,
  places: PlacePair,
  [from, to]: readonly [string | undefined, string | undefined],
): void {
  if (from === to) return
  const message = () => `URL of ${shown} changed from \`${shorten(String(from))}\` to \`${shorten(String(to))}\``
  const { pointer: detail } = childPlace(places.base, field)
  report(scope, { code: 'security-scheme-url-changed', ...fieldPlaces(places, field), subject: 'document', detail, message })
}
