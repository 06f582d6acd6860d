import { childPlace, mapPlaces, valueIn } from '../openapi/references/follow-reference.ts'
import { entriesOf, isObject, listObjects, listOf, type Place, readFlag, readOwn, readText } from '../text/json/json-values.ts'
import { type Api, type Node, toNode } from './api.ts'

/** A Security Scheme Object. */
export type SecurityScheme = Node & SchemeFields

/** What a Security Scheme Object says. */
export type SchemeFields = {
  readonly description: string | undefined
  /** 3.2. */
  readonly deprecated: boolean
  /** `x-default`: the initial value in the playground. */
  readonly prefill: string | undefined
} & (
  | { readonly type: 'apiKey'; readonly in: 'query' | 'header' | 'cookie'; readonly parameterName: string }
  /** `bearer`, `basic` and `digest` in lower case, other schemes as written. */
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat: string | undefined }
  | { readonly type: 'oauth2'; readonly flows: readonly OAuthFlow[]; readonly metadataUrl: string | undefined }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'mutualTLS' }
  /** A scheme that is not declared, or one of an unknown type. */
  | { readonly type: 'unknown' }
)

/** An OAuth Flow Object. */
export interface OAuthFlow {
  readonly flow: (typeof flowNames)[number]
  readonly authorizationUrl: string | undefined
  readonly tokenUrl: string | undefined
  readonly refreshUrl: string | undefined
  readonly deviceAuthorizationUrl: string | undefined
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
}

/** Schemes that are required together; none if no credentials are. */
export type SecurityRequirement = readonly RequiredScheme[]

/** A scheme that a requirement names. */
export interface RequiredScheme<Scheme extends SchemeFields = SecurityScheme> {
  /** Its key in `components.securitySchemes`, or what the requirement says if there is no such scheme. */
  readonly name: string
  readonly scheme: Scheme
  /** Required scopes or roles. */
  readonly scopes: readonly string[]
}

const flowNames = ['authorizationCode', 'clientCredentials', 'deviceAuthorization', 'implicit', 'password'] as const

/** The requirements of an operation, each of them enough. Empty if no credentials are required. */
export function readSecurity(operation: Place, api: Api): SecurityRequirement[] {
  return readRequirements(findRequirements(operation, api), api)
}

/** The list of requirements that applies to an operation: its own, else that of the document. */
export function findRequirements(operation: Place, { root }: Pick<Api, 'root'>): Place {
  const own = childPlace(operation, 'security')
  return Array.isArray(own.value) ? own : childPlace(root, 'security')
}

/** Reads a list of requirements. */
export function readRequirements(list: Place, api: Api): SecurityRequirement[] {
  return listObjects(list.value).map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => requireScheme(name, listOf(scopes), list.file, api)),
  )
}

/** The declared schemes, in document order. */
export function listSchemes(api: Api): RequiredScheme[] {
  return mapPlaces(findSchemes(api), undefined).map(({ name, place }) => ({ name, scheme: readScheme(place, api), scopes: [] }))
}

/** A requirement of 3.2 can name a scheme with a URI. A name that `components` lists comes first. Source: OpenAPI 3.2.0, "Security Requirement Object". */
function requireScheme(name: string, scopes: readonly unknown[], file: string, api: Api): RequiredScheme {
  const declared = childPlace(findSchemes(api), name)
  const target = declared.value === undefined ? api.follow.find(file, name) : undefined
  const known = target && listSchemes(api).find(({ scheme }) => scheme.place.value === target.value)
  return {
    name: known?.name ?? name,
    scheme: readScheme(target ?? declared, api),
    scopes: scopes.filter((scope) => typeof scope === 'string' || typeof scope === 'number').map(String),
  }
}

function findSchemes({ root, follow }: Api): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), 'securitySchemes'))
}

/** Reads a Security Scheme Object. */
export function readScheme(entry: Place, api: Api): SecurityScheme {
  const node = toNode(entry, api)
  const { value } = node.place
  const shared = {
    ...node,
    description: readText(value, 'description'),
    deprecated: readFlag(value, 'deprecated'),
    prefill: readText(value, 'x-default'),
  }
  const type = readText(value, 'type')
  if (type === 'apiKey') {
    const location = readText(value, 'in')
    const parameterName = readText(value, 'name')
    if ((location === 'query' || location === 'header' || location === 'cookie') && parameterName !== undefined) {
      return { ...shared, type, in: location, parameterName }
    }
  }
  if (type === 'http') {
    const scheme = (readText(value, 'scheme') ?? '').replace(/^(?:bearer|basic|digest)$/i, (name) => name.toLowerCase())
    return { ...shared, type, scheme, bearerFormat: readText(value, 'bearerFormat') }
  }
  if (type === 'oauth2') return { ...shared, type, flows: readFlows(value), metadataUrl: readText(value, 'oauth2MetadataUrl') }
  if (type === 'openIdConnect') return { ...shared, type, url: readText(value, 'openIdConnectUrl') ?? '' }
  return { ...shared, type: type === 'mutualTLS' ? type : 'unknown' }
}

function readFlows(scheme: unknown): OAuthFlow[] {
  return flowNames.flatMap((flow) => {
    const value = readOwn(readOwn(scheme, 'flows'), flow)
    if (!isObject(value)) return []
    const scopes = entriesOf(readOwn(value, 'scopes')).map(([name, description]) => ({
      name,
      description: typeof description === 'string' ? description : '',
    }))
    return [
      {
        flow,
        authorizationUrl: readText(value, 'authorizationUrl'),
        tokenUrl: readText(value, 'tokenUrl'),
        refreshUrl: readText(value, 'refreshUrl'),
        deviceAuthorizationUrl: readText(value, 'deviceAuthorizationUrl'),
        scopes,
      },
    ]
  })
}

/** Whether an operation or the document has requirements itself. */
export function hasRequirements(owner: Place): boolean {
  return Array.isArray(valueIn(owner, 'security'))
}
