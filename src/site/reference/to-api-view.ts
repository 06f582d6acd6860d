import { childPlace, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { readOwn, readText } from '../../text/json/json-values.ts'
import { type ReferenceContext, rootOf } from './context.ts'
import { toExternalDocs } from './read-fields.ts'
import { toSecurity, toServers, toUse } from './servers-security.ts'
import type { ExternalDocsView, SecurityAlternative, ServerView } from './types.ts'

/** The start page of an API. */
export interface ApiView {
  readonly version: string | undefined
  readonly description: string | undefined
  readonly license: NamedLink | undefined
  readonly contact: NamedLink | undefined
  /** The email address of the contact, if it also has a URL. */
  readonly email: string | undefined
  readonly termsOfService: string | undefined
  readonly externalDocs: ExternalDocsView | undefined
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

export function toApiView(context: ReferenceContext): ApiView {
  const { follow } = context
  const root = rootOf(context)
  const info = follow.end(childPlace(root, 'info')).value
  const own = toSecurity(root, context)
  const schemes = follow.end(childPlace(follow.end(childPlace(root, 'components')), 'securitySchemes'))
  const all = mapPlaces(schemes, undefined).map(({ name }) => ({ schemes: [toUse(name, [], context)] }))
  const hasOwn = own.some((alternative) => alternative.schemes.length > 0)
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
    security: hasOwn || all.length === 0 ? own : [...all, { schemes: [] }],
    otherSchemes: hasOwn
      ? all.filter(({ schemes: [use] }) => !own.some((alternative) => alternative.schemes.some(({ name }) => name === use?.name)))
      : [],
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
