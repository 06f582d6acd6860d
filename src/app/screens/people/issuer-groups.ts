import { isObject, readOwn, readText, stringOf } from '../../../text/json/json-values.ts'
import type { Issuer } from '../../base/config/issuer-setting.ts'

/** An issuer did not sign in a person. `unreachable`: it gave no usable answer. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError'
  readonly failure: 'denied' | 'refused' | 'too-many-groups' | 'unreachable'

  constructor(failure: IssuerError['failure'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** Further groups of a person are left out, so that the person reads less. */
const maxGroups = 1_000

/** A group that a configuration can name. `:` would look like a group of another issuer. */
const groupPattern = /^[^\s,:][^,:]{0,199}$/

/**
 * The groups that the claims of a person name, as a configuration writes them; `undefined` if the claims do not say.
 *
 * @param isOnly Whether the server has no other issuer, so that `partners` also means `oidc:corp/partners`.
 * @throws {IssuerError} `too-many-groups` if the claims only say where to ask for the groups, as those of Entra ID for a person with more than 200.
 */
export function findGroups(issuer: Issuer, claims: unknown, isOnly: boolean): readonly string[] | undefined {
  const { groups = 'groups', mapping, name: issuerName } = issuer
  const path = typeof groups === 'string' ? groups.split('.') : groups
  if (readOwn(readOwn(claims, '_claim_names'), path[0] ?? '') !== undefined) {
    throw new IssuerError('too-many-groups', `${issuerName} does not send the groups of people with so many`)
  }
  const value = path.reduce<unknown>(readOwn, claims)
  if (value === undefined) return undefined
  const given = [value].flat().map((one) => (isObject(one) ? readText(one, 'name') : stringOf(one)) ?? '')
  // Keycloak starts the paths of groups with `/`.
  const toName = (text: string) => (mapping ? readOwn(mapping, text) : text.replace(/^\//, '')) ?? ''
  const names = new Set(given.slice(0, maxGroups).map(toName))
  return [...names]
    .filter((name) => groupPattern.test(name))
    .flatMap((name) => [`oidc:${issuerName}/${name}`, ...(isOnly ? [name] : [])])
}
