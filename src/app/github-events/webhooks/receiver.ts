import { AsyncLocalStorage } from 'node:async_hooks'
import { pino } from 'pino'
import { createProbot } from 'probot'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject, parseJson } from '../../../text/json/json-values.ts'
import type { AppContext } from '../../base/app-context.ts'
import type { Credentials } from '../../base/config/app-config.ts'
import { type HandledName, handledNames, planOther, planWebhook } from './handlers.ts'
import { Id, noWork, type Payload, Repository, WithLogin } from './plan.ts'

/** A received delivery. */
interface IncomingDelivery {
  /** `X-GitHub-Delivery`. */
  readonly id: string
  /** `X-GitHub-Event`. */
  readonly event: string
  readonly signature: string
  readonly body: string
}

/** `ignored`: an event without a handler that changes nothing. */
type DeliveryOutcome = 'accepted' | 'repeated' | 'ignored' | 'forged' | 'malformed'

/** Verifies a delivery and stores its changes. When the promise resolves, they are on disk. */
export type Receive = (delivery: IncomingDelivery) => Promise<DeliveryOutcome>

/**
 * Creates the receiver of webhooks. Probot verifies the signature and passes the event on. Its handler plans the changes, and one transaction writes
 * them with the delivery ID.
 */
export async function createReceiver(context: AppContext, credentials: Credentials): Promise<Receive> {
  const outcomes = new AsyncLocalStorage<{ outcome: DeliveryOutcome }>()
  const probot = createProbot({
    // Probot would also read `REDIS_URL` and `SENTRY_DSN` from the environment, which other programs may use.
    env: { APP_ID: String(credentials.appId), PRIVATE_KEY: credentials.privateKey, WEBHOOK_SECRET: credentials.webhookSecret },
    // Probot logs entire payloads, so the route logs instead.
    overrides: { log: pino({ level: 'silent' }) },
  })
  await probot.ready()
  probot.onAny(async ({ id, name, payload }) => {
    const received = outcomes.getStore()
    if (received) received.outcome = await accept(context, { id, event: name, payload })
  })

  return async ({ id, event, signature, body }) => {
    // `verify` throws for an empty body or signature.
    const isSigned = await probot.webhooks.verify(body, signature).catch(() => false)
    if (!isSigned) return 'forged'
    const payload = parseJson(body)
    if (!isObject(payload)) return 'malformed'
    return await outcomes.run({ outcome: 'ignored' }, async () => {
      try {
        // The name determines the type of the payload.
        await probot.webhooks.receive({ id, name: event, payload } as Parameters<typeof probot.webhooks.receive>[0])
      } catch (error) {
        throw error instanceof AggregateError ? error.errors[0] : error
      }
      return outcomes.getStore()?.outcome ?? 'ignored'
    })
  }
}

/** Plans the changes for a payload, and writes them with the ID of its delivery. */
async function accept(
  context: AppContext,
  { id, event, payload }: { readonly id: string; readonly event: string; readonly payload: object },
): Promise<DeliveryOutcome> {
  const action = 'action' in payload && typeof payload.action === 'string' ? `.${payload.action}` : ''
  const name = handledNames.find((handled) => handled === event + action)
  // Other signed payloads must not reach the handler.
  if (name && checks.get(name.split('.')[0] ?? '')?.Check(payload) === false) return 'malformed'
  // The payload has the fields that the handler of the event reads.
  const plan = name ? await planWebhook(context, name, payload as Payload<HandledName>) : await planOther(context, payload)
  if (!name && plan === noWork) return 'ignored'
  const result = await context.store.accept({ ...plan, delivery: { id, event: name ?? event } })
  if (result.kind === 'repeated-delivery') return 'repeated'
  if (result.kind !== 'accepted') return 'accepted'
  for (const { projectId, statusId, outcome } of result.updates) {
    context.log.info({ deliveryId: id, event: name, projectId, statusId, outcome }, 'Update queued')
  }
  for (const statusId of result.superseded) context.log.warn({ statusId }, 'Update superseded')
  return 'accepted'
}

const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const WithId = Type.Object({ id: Id })
const Paths = Type.Optional(Type.Array(Type.String()))
const Commit = Type.Object({ added: Paths, modified: Paths, removed: Paths })

/** The payload fields that handlers read, by event name without action. */
const schemas = {
  push: Type.Object({
    ref: Type.String(),
    before: Sha,
    after: Sha,
    deleted: Type.Boolean(),
    forced: Type.Boolean(),
    created: Type.Boolean(),
    commits: Type.Array(Commit),
    head_commit: Type.Union([Type.Null(), Type.Object({ message: Type.String(), author: Type.Object({}) })]),
    pusher: Type.Object({ name: Type.String() }),
    repository: Repository,
  }),
  pull_request: Type.Object({
    pull_request: Type.Object({
      number: Id,
      title: Type.String(),
      user: Type.Union([WithLogin, Type.Null()]),
      head: Type.Object({ sha: Sha, ref: Type.String(), repo: Type.Union([WithId, Type.Null()]) }),
      base: Type.Object({ sha: Sha }),
    }),
    repository: Repository,
  }),
  check_run: Type.Object({
    check_run: Type.Object({ external_id: Type.Union([Type.String(), Type.Null()]) }),
    repository: Repository,
    sender: WithLogin,
  }),
  check_suite: Type.Object({
    check_suite: Type.Object({ head_sha: Sha }),
    repository: Repository,
    sender: WithLogin,
  }),
  merge_group: Type.Object({
    merge_group: Type.Object({
      head_sha: Sha,
      head_ref: Type.String(),
      base_sha: Sha,
      head_commit: Type.Object({ message: Type.String() }),
    }),
    repository: Type.Optional(Repository),
  }),
  github_app_authorization: Type.Object({ sender: WithId }),
  installation: Type.Object({ installation: WithId, repositories: Type.Optional(Type.Array(WithId)) }),
  installation_repositories: Type.Object({
    installation: WithId,
    repositories_added: Type.Array(WithId),
    repositories_removed: Type.Array(Type.Object({ id: Type.Optional(Id) })),
  }),
  repository: Type.Object({ repository: Repository }),
}

const checks = new Map(Object.entries(schemas).map(([name, schema]) => [name, Compile(schema)]))
