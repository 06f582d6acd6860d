import { callGitHub } from '../requests/call-github.ts'
import type { GitHubClient } from '../requests/types.ts'

/** A webhook delivery, or an attempt at one. */
export interface Delivery {
  /** GitHub's ID, for `redeliver`. */
  readonly id: number
  /** `X-GitHub-Delivery`; the same for every attempt. */
  readonly deliveryId: string
  readonly event: string
  readonly action: string | undefined
  /** ISO 8601, UTC. */
  readonly deliveredAt: string
  /** The receiver's status; 502 or 504 when it was unreachable. */
  readonly statusCode: number
  readonly installationId: number | undefined
  readonly repositoryId: number | undefined
}

/** One page of the list of deliveries, newest first. */
interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string
}

/** Maximum number of pages of 100 that `listFailedDeliveries` reads. */
const pageLimit = 50

/**
 * Reads one page of 100 deliveries, successful or not.
 *
 * @param client The client of the app itself.
 * @param cursor `next` of the previous page. Default: the newest deliveries.
 * @throws {GitHubError}
 */
export async function readDeliveryPage(client: GitHubClient, cursor?: string): Promise<DeliveryPage> {
  const { data, headers } = await callGitHub({ operation: 'list webhook deliveries', on: 'the app' }, () =>
    client.rest.apps.listWebhookDeliveries({ per_page: 100, ...(cursor === undefined ? {} : { cursor }) }),
  )
  const link = headers.link?.split(',').find((part) => part.includes('rel="next"')) ?? ''
  const address = link.slice(link.indexOf('<') + 1, Math.max(0, link.indexOf('>')))
  const next = address === '' ? undefined : new URL(address).searchParams.get('cursor')
  return { deliveries: data.map(toDelivery), ...(typeof next === 'string' ? { next } : {}) }
}

/**
 * Lists the deliveries since a time without a successful attempt, oldest first, one entry per delivery ID.
 *
 * GitHub keeps deliveries for a few days (see `toGitHubServer`) and never retries one by itself.
 *
 * @param client The client of the app itself.
 * @param since ISO 8601, UTC.
 * @throws {GitHubError}
 */
export async function listFailedDeliveries(client: GitHubClient, since: string): Promise<readonly Delivery[]> {
  const operation = { operation: 'list webhook deliveries', on: 'the app' }
  const newestFirst: Delivery[] = []
  await callGitHub(operation, async () => {
    let pages = 0
    for await (const { data } of client.paginate.iterator(client.rest.apps.listWebhookDeliveries, { per_page: 100 })) {
      newestFirst.push(...data.map(toDelivery))
      const oldest = data.at(-1)
      if (++pages >= pageLimit || !oldest || Date.parse(oldest.delivered_at) < Date.parse(since)) break
    }
  })
  const recent = newestFirst.filter(({ deliveredAt }) => Date.parse(deliveredAt) >= Date.parse(since))
  const isDone = (statusCode: number) => statusCode >= 200 && statusCode < 400
  const arrived = new Set(recent.filter(({ statusCode }) => isDone(statusCode)).map(({ deliveryId }) => deliveryId))
  const failed = new Map<string, Delivery>()
  for (const delivery of recent) {
    if (!arrived.has(delivery.deliveryId) && !failed.has(delivery.deliveryId)) failed.set(delivery.deliveryId, delivery)
  }
  return [...failed.values()].reverse()
}

/** Requests that GitHub sends a delivery again, under the same `X-GitHub-Delivery`. @throws {GitHubError} */
export async function redeliver(client: GitHubClient, delivery: Delivery): Promise<void> {
  const operation = { operation: 'redeliver webhook', on: `\`${delivery.event}\` \`${delivery.deliveryId}\`` }
  await callGitHub(operation, () => client.rest.apps.redeliverWebhookDelivery({ delivery_id: delivery.id }))
}

type DeliveryResponse = Awaited<ReturnType<GitHubClient['rest']['apps']['listWebhookDeliveries']>>['data'][number]

function toDelivery(data: DeliveryResponse): Delivery {
  return {
    id: data.id,
    deliveryId: data.guid,
    event: data.event,
    action: data.action ?? undefined,
    deliveredAt: data.delivered_at,
    statusCode: data.status_code,
    installationId: data.installation_id ?? undefined,
    repositoryId: data.repository_id ?? undefined,
  }
}
