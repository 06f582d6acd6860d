import { type Api, readInfo } from '../../model/api.ts'
import { listSchemes, readSecurity } from '../../model/security.ts'
import { readExternalDocs } from '../../openapi/read/titles.ts'
import type { ExternalDocs } from '../../openapi/types.ts'
import { toServers } from './server-urls.ts'
import type { SecurityAlternative, ServerView } from './types.ts'

/** The start page of an API. */
export interface ApiView {
  readonly version: string | undefined
  readonly description: string | undefined
  readonly license: NamedLink | undefined
  readonly contact: NamedLink | undefined
  /** The email address of the contact, if it also has a URL. */
  readonly email: string | undefined
  readonly termsOfService: string | undefined
  readonly externalDocs: ExternalDocs | undefined
  /** See `toServers`. */
  readonly servers: readonly ServerView[]
  /** The security requirements of the document, or else every security scheme as an optional alternative. */
  readonly security: readonly SecurityAlternative[]
  /** The other schemes of the document, which only some operations use. */
  readonly otherSchemes: readonly SecurityAlternative[]
}

interface NamedLink {
  readonly name: string
  readonly url: string | undefined
}

export function toApiView(api: Api): ApiView {
  const { version, description, termsOfService, contact, license } = readInfo(api)
  const own = readSecurity(api.root, api)
  const all = listSchemes(api)
  const hasOwn = own.some((schemes) => schemes.length > 0)
  const email = contact?.email
  const { name: licenseName = 'License', identifier = licenseName } = license ?? {}
  return {
    version,
    description,
    // The SPDX expression, if that is not its name. Source: OpenAPI 3.1.1, "License Object".
    license: license && { name: identifier === licenseName ? licenseName : `${licenseName} (${identifier})`, url: license.url },
    contact: contact && { name: contact.name ?? email ?? 'Contact', url: contact.url ?? (email && `mailto:${email}`) },
    email: contact?.url === undefined ? undefined : email,
    termsOfService,
    externalDocs: readExternalDocs(api.root.value),
    servers: toServers([api.root]),
    security: hasOwn || all.length === 0 ? own : [...all.map((use) => [use]), []],
    otherSchemes: hasOwn ? all.filter((use) => !own.flat().some(({ name }) => name === use.name)).map((use) => [use]) : [],
  }
}
