import { isObject } from '../../text/is-object.ts'
import type { PlaygroundScheme } from '../types.ts'
import { discover, type OAuthServer } from './oauth-client.ts'

/** Flows in the order in which they are offered, by their keys in an OAuth Flows Object. */
export const flowNames: Readonly<Record<string, string>> = {
  authorizationCode: 'Sign in (authorization code)',
  clientCredentials: 'Client credentials',
  password: 'Password',
  implicit: 'Implicit',
  deviceAuthorization: 'Device',
}

/** What is to be said of a flow before it is used, or instead. */
export const flowNotes: Readonly<Record<string, string>> = {
  clientCredentials:
    'A client secret that is typed into a page can be read by extensions of the browser. Use one that is meant for tests, and end it afterwards.',
  password: 'This flow gives your password to a page. Get a token with a tool of your own, and paste it below.',
  implicit:
    'This flow puts tokens into addresses and is no longer advised (RFC 9700). Get a token with a tool of your own, and paste it below.',
  deviceAuthorization: 'This flow is for devices without a browser. Get a token with a tool of your own, and paste it below.',
}

/** What a scheme offers: the flows by their keys, those that are known in order. OpenID Connect names none, and has these two. */
export function readFlows(scheme: PlaygroundScheme['scheme']): {
  readonly flows: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
} {
  const flows = scheme['type'] === 'openIdConnect' ? { authorizationCode: {}, clientCredentials: {} } : fieldsOf(scheme['flows'])
  return { flows, names: Object.keys(flowNames).filter((one) => isObject(flows[one])) }
}

/** The scopes of a flow with what is said of them, and those that the operation needs. */
export function listScopes({ scheme, scopes }: PlaygroundScheme, flow: unknown): readonly (readonly [string, string])[] {
  const described = fieldsOf(fieldsOf(flow)['scopes'])
  const names = new Set([...Object.keys(described), ...scopes, ...(scheme['type'] === 'openIdConnect' ? ['openid'] : [])])
  return [...names].map((name) => [name, textOf(described[name]) ?? ''])
}

/** Where a flow asks: the addresses that the description has, else those that the server names itself. */
export async function findServer(scheme: PlaygroundScheme['scheme'], flow: unknown): Promise<OAuthServer> {
  const metadata = textOf(scheme[scheme['type'] === 'openIdConnect' ? 'openIdConnectUrl' : 'oauth2MetadataUrl'])
  const found = metadata ? await discover(metadata) : undefined
  const text = (field: string) => textOf(fieldsOf(flow)[field])
  return {
    ...found,
    authorizationUrl: text('authorizationUrl') ?? found?.authorizationUrl,
    tokenUrl: text('tokenUrl') ?? found?.tokenUrl,
    refreshUrl: text('refreshUrl'),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
