import { readServers } from '../../model/servers.ts'
import { childPlace, listPlaces, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { isObject, type Place, readFlag, readOwn, readText } from '../../text/json/json-values.ts'
import { type ReferenceContext, rootOf } from './context.ts'
import type { OAuthFlowView, SecurityAlternative, SecuritySchemeView, SecurityUse, ServerView } from './types.ts'

/**
 * Returns the servers of the nearest object with any: the operation, the path item, or the document. Source: OpenAPI 3.2.0,
 * "Server Object".
 *
 * Without servers, OpenAPI defaults to `/`, the host of the document. It is known only for a document from a URL, so the list is
 * empty for others.
 */
export function toServers(owners: readonly Place[]): ServerView[] {
  const servers = toOwnServers(owners)
  if (servers.length > 0) return servers
  const url = resolveServerUrl('/', owners.at(-1)?.file ?? '')
  return url === '/' ? [] : [{ url, name: undefined, description: undefined, variables: [] }]
}

/** The most servers, security requirements and links of an operation. All operations can share a list, and each repeats it. */
export const maxShared = 100

/** The start of a list of an operation. An item that changes the meaning of the others stays. */
export function startOf<Item>(list: readonly Item[], isNeeded: (item: Item) => boolean = () => false): readonly Item[] {
  const start = list.slice(0, maxShared)
  const needed = start.some(isNeeded) ? undefined : list.find(isNeeded)
  return needed === undefined ? start : [...start.slice(0, -1), needed]
}

/** The servers of the nearest object with any, without a default. */
export function toOwnServers(owners: readonly Place[]): ServerView[] {
  return owners.map((owner) => listPlaces(owner, 'servers').flatMap(toServer)).find((servers) => servers.length > 0) ?? []
}

/** The host of requests in samples if the OpenAPI document does not name it. */
export const placeholderServer = 'https://api.example.com'

/** The URL of a server with the default values of its variables, without a trailing slash, and with a scheme if it has a host. It may be relative. */
export function toServerUrl({ url, variables }: Pick<ServerView, 'url' | 'variables'>): string {
  const filled = url.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => variables.find((one) => one.name === name)?.default || whole,
  )
  return filled.replace(/^\/\/(?=[^/])/, 'https://').replace(/(?<!\/)\/+$/, '')
}

/** The URL of a server for samples, which need a host: a relative URL gets a placeholder. */
export function toSampleServer(server: Pick<ServerView, 'url' | 'variables'> | undefined): string {
  const url = server ? toServerUrl(server) : ''
  return isRelativeServer(url) ? `${placeholderServer}${url === '' || url.startsWith('/') ? '' : '/'}${url}` : url
}

/** Whether the URL of a server has no host. A URL that starts with a variable can have one. */
export function isRelativeServer(url: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/|\{)/i.test(url)
}

/**
 * Resolves a server URL for readers: a relative URL in a document from a URL is resolved against that document, not the page.
 * Variables are kept. Source: OpenAPI 3.2.0, "Server Object".
 */
export function resolveServerUrl(url: string, file: string): string {
  if (!/^https?:/.test(file) || /^[a-z{][^/]*:/i.test(url) || !URL.canParse(url, file)) return url
  return new URL(url, file).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** A Server Object; none if it has no URL. */
export function toServer(place: Place): ServerView[] {
  return readServers([place]).map((server) => ({ ...server, url: resolveServerUrl(server.url, place.file) }))
}

/** The security requirements of an operation: its own, else those of the document. */
export function toSecurity(operation: Place, context: ReferenceContext): SecurityAlternative[] {
  const own = readOwn(operation.value, 'security')
  const requirements = Array.isArray(own) ? own : readOwn(rootOf(context).value, 'security')
  if (!Array.isArray(requirements)) return []
  return requirements.filter(isObject).map((requirement) => ({
    schemes: Object.keys(requirement).map((name) => toUse(name, requirement[name], context)),
  }))
}

export function toUse(name: string, scopes: unknown, context: ReferenceContext): SecurityUse {
  const components = context.follow.end(childPlace(rootOf(context), 'components'))
  const place = context.follow.end(childPlace(childPlace(components, 'securitySchemes'), name))
  const scheme = toScheme(place)
  const descriptions = new Map(
    scheme.type === 'oauth2'
      ? scheme.flows.flatMap((flow) => flow.scopes.map((scope) => [scope.name, scope.description] as const))
      : [],
  )
  const names = Array.isArray(scopes) ? scopes.filter((scope): scope is string => typeof scope === 'string') : []
  return { name, scheme, scopes: names.map((scope) => ({ name: scope, description: descriptions.get(scope) || undefined })) }
}

function toScheme(place: Place): SecuritySchemeView {
  const { value } = place
  const prefill = readOwn(value, 'x-default')
  const shared = {
    description: readText(value, 'description'),
    deprecated: readFlag(value, 'deprecated'),
    prefill: typeof prefill === 'string' ? prefill : undefined,
  }
  const type = readText(value, 'type')
  if (type === 'apiKey') {
    const location = readText(value, 'in')
    const parameterName = readText(value, 'name')
    if ((location === 'query' || location === 'header' || location === 'cookie') && parameterName !== undefined) {
      return { ...shared, type, in: location, parameterName }
    }
  }
  if (type === 'http')
    return {
      ...shared,
      type,
      scheme: (readText(value, 'scheme') ?? '').toLowerCase(),
      bearerFormat: readText(value, 'bearerFormat'),
    }
  if (type === 'oauth2') return { ...shared, type, flows: toFlows(place), metadataUrl: readText(value, 'oauth2MetadataUrl') }
  if (type === 'openIdConnect') return { ...shared, type, url: readText(value, 'openIdConnectUrl') ?? '' }
  return { ...shared, type: type === 'mutualTLS' ? type : 'unknown' }
}

const flowNames = ['authorizationCode', 'clientCredentials', 'deviceAuthorization', 'implicit', 'password'] as const

function toFlows(scheme: Place): OAuthFlowView[] {
  const flows = childPlace(scheme, 'flows')
  return flowNames.flatMap((flow) => {
    const place = childPlace(flows, flow)
    if (!isObject(place.value)) return []
    const scopes = mapPlaces(place, 'scopes').map(({ name, place: { value } }) => ({
      name,
      description: typeof value === 'string' ? value : '',
    }))
    return [
      {
        flow,
        authorizationUrl: readText(place.value, 'authorizationUrl'),
        tokenUrl: readText(place.value, 'tokenUrl'),
        refreshUrl: readText(place.value, 'refreshUrl'),
        deviceAuthorizationUrl: readText(place.value, 'deviceAuthorizationUrl'),
        scopes,
      },
    ]
  })
}
