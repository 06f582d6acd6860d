import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LeasedJob, WorkOrigin } from '../../../store/queue/jobs.ts'
import type { Store } from '../../../store/store.ts'

/** What the running code works on. */
interface WorkScope {
  /** Stored with the jobs that the code queues, so that their log lines belong to the same delivery. */
  readonly origin: WorkOrigin
  /** Fields of each log line. */
  readonly fields: LogFields
}

type LogFields = Readonly<Record<string, string | number>>

const scopes = new AsyncLocalStorage<WorkScope>()

/** Runs work for a webhook delivery or an API request. Its log lines have the IDs. */
export function runForOrigin<Result>(origin: WorkOrigin, work: () => Result): Result {
  return scopes.run({ origin, fields: toOriginFields(origin) }, work)
}

/** Runs hooks and handlers of requests with the ID of the request as the origin of their work. Call it before they are registered. */
export function runForRequests(server: FastifyInstance): void {
  const enter = (request: FastifyRequest, _reply: unknown, done: () => void) => runForOrigin({ requestId: request.id }, done)
  server.addHook('onRequest', enter)
  server.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))
    // A body is read outside of the scope.
    if (!isRead) route.preHandler = [enter, ...[route.preHandler ?? []].flat()]
  })
}

/** Adds the origin of the running work to everything that it queues. */
export function withOrigin(store: Store): Store {
  return { ...store, accept: (input) => store.accept({ ...input, origin: currentOrigin() }) }
}

/** Runs a job. Its log lines have the IDs of the job, and of the delivery or request that queued it. */
export function runForJob<Result>(job: LeasedJob, work: () => Result): Result {
  return scopes.run({ origin: job.origin, fields: { ...toOriginFields(job.origin), ...toJobFields(job) } }, work)
}

/** The origin of the work that is running; empty outside of a delivery, request or job. */
export function currentOrigin(): WorkOrigin {
  return scopes.getStore()?.origin ?? {}
}

/** The fields of log lines that are written now. */
export function currentLogFields(): LogFields {
  return scopes.getStore()?.fields ?? {}
}

/** The IDs of an origin, for a log line outside of its work. */
export function toOriginFields({ deliveryId, requestId }: WorkOrigin): LogFields {
  return { ...(deliveryId !== undefined && { deliveryId }), ...(requestId !== undefined && { requestId }) }
}

function toJobFields(job: LeasedJob): LogFields {
  const { jobId } = job.lease
  if (job.kind !== 'task') {
    const { id: projectId, owner, repo } = job.project
    const subject = job.kind === 'wanted' && { subject: job.subject }
    return { jobId, ...subject, statusId: job.stored.update._id, projectId, repository: `${owner}/${repo}` }
  }
  // `toTask` serialized it. Tasks for a record contain its ID.
  const { statusId } = JSON.parse(job.payload) as { readonly statusId?: string }
  return { jobId, task: job.name, ...(statusId !== undefined && { statusId }) }
}
