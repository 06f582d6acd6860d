import type { FakeApp } from './app-identity.ts'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import type { FakeRepository, FakeRule } from './fake-repository.ts'
import type { Json } from './represent.ts'

export interface Answer {
  readonly status: number
  /** Sent as JSON; nothing is sent where absent. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** A request that passed the checks of its route: the token is good and may do this. */
export interface Call {
  readonly github: FakeGitHub
  readonly parameters: { readonly [name: string]: string }
  readonly query: URLSearchParams
  readonly body: Json
  /** Set where the route names one; a token that may not see it was answered 404 before. */
  readonly repository: FakeRepository
  readonly installation: FakeInstallation
  /** Who asks, on a route of access `user`. */
  readonly login: string
  /** The address of this request without its query, for links to other pages. */
  readonly pageUrl: string
}

export interface Route {
  /** `GET /repos/{owner}/{repo}`, word for word as in GitHub's description. */
  readonly name: string
  /** Who may call it: the app by its JWT, an installation or a person by its token, or anyone. */
  readonly access: 'app' | 'installation' | 'user' | 'anyone'
  /** What the installation must have been granted. */
  readonly permission?: readonly [name: string, level: 'read' | 'write']
  readonly handle: (call: Call) => Answer | Promise<Answer>
}

export const notFound: Answer = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
}

/** A refusal of what was sent, in the two shapes that GitHub has for it. */
export function invalid(message: string, errors?: readonly Json[]): Answer {
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

/** What REST answers to a change that a rule of the branch refuses. */
export function refuseByRule({ kind, reason }: FakeRule): Answer {
  return invalid(kind === 'ruleset' ? `Repository rule violations found\n\n${reason}\n\n` : reason)
}

/** One page of a list, with the `Link` header that leads to the others. */
export function page<Item>(call: Call, items: readonly Item[], toBody: (items: readonly Item[]) => unknown): Answer {
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

/** A route with its pattern; parameters match one step, `{path}` the rest. */
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

/** What an app's manifest is turned into; kept until its code is used. */
export interface PendingManifest {
  readonly app: FakeApp
  readonly hookUrl: string
}
