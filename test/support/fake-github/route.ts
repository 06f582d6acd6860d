import type { FakeApp } from './app-identity.ts'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import type { FakeRepository, FakeRule } from './fake-repository.ts'
import type { Json } from './represent.ts'

export interface FakeResponse {
  readonly status: number
  /** Sent as JSON; no body if absent. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** A request that passed the checks of its route: the token is valid and has the permission. */
export interface Call {
  readonly github: FakeGitHub
  readonly parameters: { readonly [name: string]: string }
  readonly query: URLSearchParams
  readonly body: Json
  /** Set if the route names one. A token without access to it got 404 before. */
  readonly repository: FakeRepository
  readonly installation: FakeInstallation
  /** The user, on a route with access `user`. */
  readonly login: string
  /** The URL of this request without its query, for links to other pages. */
  readonly pageUrl: string
}

export interface Route {
  /** `GET /repos/{owner}/{repo}`, exactly as in GitHub's description. */
  readonly name: string
  /** Who may call it: the app with its JWT, an installation or a user with a token, or everyone. */
  readonly access: 'app' | 'installation' | 'user' | 'anyone'
  /** The permission that the installation needs. */
  readonly permission?: readonly [name: string, level: 'read' | 'write']
  readonly handle: (call: Call) => FakeResponse | Promise<FakeResponse>
}

export const notFound: FakeResponse = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
}

/** The error for an invalid request, in GitHub's two shapes. */
export function invalid(message: string, errors?: readonly Json[]): FakeResponse {
  return {
    status: 422,
    body: {
      message: errors ? 'Validation Failed' : message,
      ...(errors ? { errors } : {}),
      documentation_url: 'https://docs.github.com/rest',
      status: '422',
    },
  }
}

/** REST's response to a change that a branch rule refuses. */
export function refuseByRule({ kind, reason }: FakeRule): FakeResponse {
  return invalid(kind === 'ruleset' ? `Repository rule violations found\n\n${reason}\n\n` : reason)
}

/** One page of a list, with the `Link` header to the others. */
export function page<Item>(call: Call, items: readonly Item[], toBody: (items: readonly Item[]) => unknown): FakeResponse {
  const perPage = Math.min(100, Number(call.query.get('per_page') ?? 30))
  const current = Number(call.query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const link = (to: number, relation: string) => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(to))
    return `<${call.pageUrl}?${query}>; rel="${relation}"`
  }
  const links = [
    ...(current > 1 ? [link(current - 1, 'prev')] : []),
    ...(current < last ? [link(current + 1, 'next'), link(last, 'last')] : []),
    ...(current > 1 ? [link(1, 'first')] : []),
  ]
  return {
    status: 200,
    body: toBody(items.slice((current - 1) * perPage, current * perPage)),
    ...(links.length > 0 ? { headers: { link: links.join(', ') } } : {}),
  }
}

/** A route with its pattern. Parameters match one path segment, `{path}` the rest. */
export function compileRoutes(routes: readonly Route[]): readonly (Route & { method: string; pattern: RegExp })[] {
  return routes.map((route) => {
    const [method = '', template = ''] = route.name.split(' ')
    const pattern = template
      .split(/(\{[^}]+\})/)
      .map((part) => {
        if (part === '{path}') return '(?<path>.+)'
        if (part.startsWith('{')) return `(?<${part.slice(1, -1)}>[^/]+)`
        return part.replaceAll(/[.*+?^$()[\]\\]/g, '\\$&')
      })
      .join('')
    return { ...route, method, pattern: new RegExp(`^${pattern}$`) }
  })
}

/** The app created from a manifest. Kept until its code is used. */
export interface PendingManifest {
  readonly app: FakeApp
  readonly hookUrl: string
}
