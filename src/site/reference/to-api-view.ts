import type { Api } from '../../model/api.ts'
import { listSchemes, readSecurity } from '../../model/security.ts'
import { toExternalDocs } from '../../openapi/read/titles.ts'
import { childPlace } from '../../openapi/references/follow-reference.ts'
import type { ExternalDocs } from '../../openapi/types.ts'
import { readOwn, readText } from '../../text/json/json-values.ts'
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
  const { root, follow } = api
  const info = follow.end(childPlace(root, 'info')).value
  const own = readSecurity(root, api)
  const all = listSchemes(api)
  const hasOwn = own.some((schemes) => schemes.length > 0)
  const email = readText(readOwn(info, 'contact'), 'email')
  return {
    version: readText(info, 'version'),
    description: readText(info, 'description'),
    license: toLicense(readOwn(info, 'license')),
    contact: toNamedLink(readOwn(info, 'contact'), email ?? 'Contact', email && `mailto:${email}`),
    email: readText(readOwn(info, 'contact'), 'url') === undefined ? undefined : email,
    termsOfService: readText(info, 'termsOfService'),
    externalDocs: toExternalDocs(readOwn(root.value, 'externalDocs')),
    servers: toServers([root]),
    security: hasOwn || all.length === 0 ? own : [...all.map((use) => [use]), []],
    otherSchemes: hasOwn ? all.filter((use) => !own.flat().some(({ name }) => name === use.name)).map((use) => [use]) : [],
  }
}

/** A license with its SPDX expression, if that is not its name. Source: OpenAPI 3.1.1, "License Object". */
function toLicense(value: unknown): NamedLink | undefined {
  const link = toNamedLink(value, 'License')
  const identifier = readText(value, 'identifier')
  return link && identifier !== undefined && identifier !== link.name ? { ...link, name: `${link.name} (${identifier})` } : link
}

function toNamedLink(value: unknown, name: string, url = readText(value, 'url')): NamedLink | undefined {
  return value === undefined ? undefined : { name: readText(value, 'name') ?? name, url: readText(value, 'url') ?? url }
}
