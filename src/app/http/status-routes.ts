import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import {
  errorAnswers,
  everyAnswer,
  jsonAnswer,
  ListQuery,
  ProjectParameters,
  StatusHeaders,
  StatusParameters,
} from './api-schemas.ts'
import { type Caller, callerOf, findProjectForCaller, mayKnow } from './callers.ts'
import { Problem } from './problem-details.ts'
import { isListed, parseWait, toETag, waitForChange } from './waiting.ts'

const retryAfterSeconds = 2

type StatusRequest = FastifyRequest<{ Params: Static<typeof StatusParameters>; Headers: Static<typeof StatusHeaders> }>

const headers = {
  ETag: { type: 'string', description: 'Changes with each change of the record.' },
  'Retry-After': { type: 'integer', description: 'Seconds; only while the update has not ended.' },
  'Preference-Applied': { type: 'string', description: '`wait=N` where it was asked for.' },
} as const

const statusSchema = {
  operationId: 'getUpdateStatus',
  summary: 'Get update status',
  description:
    'The status record of an update. Ask again after `Retry-After` while it is there, or hold the answer with `Prefer: wait=N`; ' +
    'send the `ETag` back as `If-None-Match` to get 304 while nothing changed.',
  tags: ['Updates'],
  security: [{ token: [] }, { workflow: [] }],
  params: StatusParameters,
  headers: StatusHeaders,
  response: {
    200: jsonAnswer('The record.', Type.Ref('UpdateStatus#'), headers),
    304: { description: 'The record is as the given `ETag` says.', type: 'null', headers: { ...headers, ...everyAnswer } },
    ...errorAnswers(400, 401, 404, 429, 500, 503),
  },
}

/** `GET /v1/project/update-status/{statusId}`: the hot path, polled by CI jobs all day. */
export function registerStatusRoute(server: FastifyInstance, context: AppContext): void {
  server.get('/project/update-status/:statusId', { schema: statusSchema }, async (request: StatusRequest, reply) => {
    const caller = callerOf(request)
    let stored = await findForCaller(context, caller, request.params.statusId)
    const { prefer, 'if-none-match': known } = request.headers
    const waitSeconds = prefer === undefined ? 0 : parseWait(prefer)
    if (waitSeconds > 0) {
      reply.header('Preference-Applied', `wait=${waitSeconds}`)
      // A caller that names another revision has something new to see now.
      if (isOpen(stored) && (known === undefined || isListed(known, toETag(stored)))) {
        const changed = await waitForChange(context, request, stored, { seconds: waitSeconds, of: 'state' })
        if (!changed) throw new Problem('not-found')
        stored = changed
      }
    }
    const etag = toETag(stored)
    reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    if (isOpen(stored)) reply.header('Retry-After', retryAfterSeconds)
    if (known !== undefined && isListed(known, etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(stored.json)
  })
}

/** The record, or the one answer for what is not there and what is not the caller's. */
async function findForCaller({ store }: AppContext, caller: Caller, statusId: string): Promise<StoredUpdate> {
  const stored = await store.statuses.find(statusId)
  if (stored && caller.kind === 'token') {
    const { grant } = caller.token
    if (grant.scope === 'admin' || grant.projectId === stored.update.projectId) return stored
  } else if (stored) {
    const project = await store.projects.find(stored.update.projectId)
    if (project && mayKnow(caller, project)) return stored
  }
  throw new Problem('not-found')
}

function isOpen({ update }: StoredUpdate): boolean {
  return update.status === 'queued' || update.status === 'in_progress'
}

type ListRequest = FastifyRequest<{ Params: Static<typeof ProjectParameters>; Querystring: ListQuery }>

const listSchema = {
  operationId: 'listUpdates',
  summary: 'List updates',
  description: 'The status records of a project, newest first. Records that come in while you page do not move the pages.',
  tags: ['Updates'],
  security: [{ token: [] }, { workflow: [] }],
  params: ProjectParameters,
  querystring: ListQuery,
  response: {
    200: jsonAnswer('One page of records.', Type.Ref('UpdateList#')),
    ...errorAnswers(400, 401, 404, 429, 500, 503),
  },
}

/** `GET /v1/project/{projectId}/updates`. */
export function registerListRoute(server: FastifyInstance, context: AppContext): void {
  server.get('/project/:projectId/updates', { schema: listSchema }, async (request: ListRequest, reply) => {
    const caller = callerOf(request)
    const project = await findProjectForCaller(context, caller, request.params.projectId)
    const list = await context.store.statuses.list(project.id, request.query)
    if (!list) {
      const message = 'is not a `nextCursor` of this list'
      throw new Problem('invalid-request', `Unexpected querystring/cursor: ${message}`, {
        errors: [{ at: 'querystring/cursor', message }],
      })
    }
    // The store keeps the records as the text that is sent; they are joined, not made again.
    const records = list.updates.map(({ json }) => json).join(',')
    const next = list.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(list.nextCursor)}`
    return reply
      .header('Cache-Control', 'private, no-cache')
      .type('application/json; charset=utf-8')
      .send(`{"updates":[${records}]${next}}`)
  })
}
