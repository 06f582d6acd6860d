import { randomBytes } from 'node:crypto'
import { type Json, toApp, toDelivery, toDeliveryItem, toInstallation, toRepository } from './represent.ts'
import { type invalid, notFound, page, type Route } from './route.ts'

/** Requests that the app makes as itself, and public requests. */
export const appRoutes: readonly Route[] = [
  { name: 'GET /app', access: 'app', handle: ({ github }) => ({ status: 200, body: toApp(github) }) },
  {
    name: 'GET /app/installations',
    access: 'app',
    handle: (call) =>
      page(
        call,
        call.github.installations.filter(({ deleted }) => !deleted),
        (installations) => installations.map((installation) => toInstallation(call.github, installation)),
      ),
  },
  {
    name: 'GET /app/installations/{installation_id}',
    access: 'app',
    handle: ({ github, parameters }) => {
      const installation = github.findInstallation(Number(parameters['installation_id']))
      return installation ? { status: 200, body: toInstallation(github, installation) } : notFound
    },
  },
  {
    name: 'POST /app/installations/{installation_id}/access_tokens',
    access: 'app',
    handle: ({ github, parameters, body }) => {
      const installation = github.findInstallation(Number(parameters['installation_id']))
      if (!installation) return notFound
      if (installation.suspended) return { status: 403, body: { message: 'This installation has been suspended' } }
      const token = `ghs_${randomBytes(18).toString('hex')}`
      const expiresAt = Date.now() + github.tokenLifeMs
      github.tokens.set(token, { installation, expiresAt })
      return {
        status: 201,
        body: {
          token,
          expires_at: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'),
          permissions: body['permissions'] ?? { ...installation.permissions },
          repository_selection: 'selected',
        },
      }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/installation',
    access: 'app',
    handle: ({ github, parameters }) => {
      const repository = github.findRepository(`${parameters['owner']}/${parameters['repo']}`)
      const installation = github.installations.find(
        (one) => !one.deleted && repository !== undefined && one.repositories.includes(repository),
      )
      return installation ? { status: 200, body: toInstallation(github, installation) } : notFound
    },
  },
  {
    name: 'GET /app/hook/config',
    access: 'app',
    handle: ({ github }) => ({
      status: 200,
      body: { content_type: 'json', insecure_ssl: '0', secret: '********', url: github.webhookUrl || github.webUrl },
    }),
  },
  {
    name: 'GET /app/hook/deliveries',
    access: 'app',
    handle: ({ github, query, pageUrl }) => {
      const perPage = Math.min(100, Number(query.get('per_page') ?? 30))
      const status = query.get('status')
      const isWanted = (statusCode: number) =>
        status === null || (status === 'success') === (statusCode >= 200 && statusCode < 400)
      const newestFirst = github.deliveries.filter(({ statusCode }) => isWanted(statusCode)).toReversed()
      const cursor = query.get('cursor')
      const start = cursor === null ? 0 : newestFirst.findIndex(({ id }) => id < Number(cursor.replace(/^v1_/, '')))
      const shown = start === -1 ? [] : newestFirst.slice(start, start + perPage)
      const last = shown.at(-1)
      const hasMore = last !== undefined && newestFirst.at(-1) !== last
      const next = new URLSearchParams(query)
      if (last) next.set('cursor', `v1_${last.id}`)
      return {
        status: 200,
        body: shown.map(toDeliveryItem),
        ...(hasMore ? { headers: { link: `<${pageUrl}?${next}>; rel="next"` } } : {}),
      }
    },
  },
  {
    name: 'GET /app/hook/deliveries/{delivery_id}',
    access: 'app',
    handle: ({ github, parameters }) => {
      const delivery = github.deliveries.find(({ id }) => id === Number(parameters['delivery_id']))
      return delivery ? { status: 200, body: toDelivery(delivery) } : notFound
    },
  },
  {
    name: 'POST /app/hook/deliveries/{delivery_id}/attempts',
    access: 'app',
    handle: ({ github, parameters }) => {
      const delivery = github.deliveries.find(({ id }) => id === Number(parameters['delivery_id']))
      if (!delivery) return notFound
      github.redeliver(delivery)
      return { status: 202, body: {} }
    },
  },
  {
    name: 'POST /app-manifests/{code}/conversions',
    access: 'anyone',
    handle: ({ github, parameters }) => {
      const app = github.takeManifest(parameters['code'] ?? '')
      if (!app) return notFound
      const { clientId, clientSecret, webhookSecret, privateKey } = app
      const body: Json = { ...toApp(github), id: app.id, slug: app.slug, name: app.name }
      return {
        status: 201,
        body: { ...body, client_id: clientId, client_secret: clientSecret, webhook_secret: webhookSecret, pem: privateKey },
      }
    },
  },
  {
    name: 'GET /installation/repositories',
    access: 'installation',
    handle: (call) =>
      page(call, call.installation.repositories, (repositories) => ({
        total_count: call.installation.repositories.length,
        repository_selection: 'selected',
        repositories: repositories.map((repository) => toRepository(call.github, repository)),
      })),
  },
  {
    name: 'GET /rate_limit',
    access: 'installation',
    handle: ({ github, installation }) => {
      const rate = {
        limit: github.rateLimit,
        used: installation.used,
        remaining: Math.max(0, github.rateLimit - installation.used),
        reset: Math.ceil(installation.resetAt / 1000),
      }
      return { status: 200, body: { resources: { core: rate, search: rate }, rate } }
    },
  },
]

/** GitHub's response to a body that does not match its description. */
export function refuseUnreadable(): ReturnType<typeof invalid> {
  return { status: 400, body: { message: 'Problems parsing JSON', documentation_url: 'https://docs.github.com/rest' } }
}
