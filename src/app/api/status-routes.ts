import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import type { AppContext } from '../base/app-context.ts'
import { type Caller, canSeeProject, findProjectForCaller, getCaller } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { matchesETag, parseWait, toETag, waitForChange } from '../http/waiting.ts'
import {
  commonHeaders,
  errorResponses,
  jsonResponse,
  ListQuery,
  ProjectParameters,
  StatusHeaders,
  StatusParameters,
} from './api-schemas.ts'

const retryAfterSeconds = 2

type StatusRequest = FastifyRequest<{ Params: Static<typeof StatusParameters>; Headers: Static<typeof StatusHeaders> }>

const headers = {
  ETag: { type: 'string', description: 'Changes whenever the record changes.' },
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next request. Absent when the update has ended.' },
  'Preference-Applied': { type: 'string', description: '`wait=N` if the request had `Prefer: wait=N`.' },
} as const

const statusSchema = {
  operationId: 'getUpdateStatus',
  summary: 'Get update status',
  description:
    'Returns the status record of an update. To follow an update, repeat the request after `Retry-After` seconds, or send `Prefer: wait=N` to ' +
    'wait for the next status. Send the `ETag` as `If-None-Match` to get 304 if nothing changed.',
  tags: ['Updates'],
  security: [{ token: [] }, { workflow: [] }],
  params: StatusParameters,
  headers: StatusHeaders,
  response: {
    200: jsonResponse('The record.', Type.Ref('UpdateStatus#'), headers),
    304: { description: 'The record has not changed.', type: 'null', headers: { ...headers, ...commonHeaders } },
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

/** `GET /v1/project/update-status/{statusId}`. CI jobs poll it, so it must be fast. */
export function registerStatusRoute(server: FastifyInstance, context: AppContext): void {
  server.get('/project/update-status/:statusId', { schema: statusSchema }, async (request: StatusRequest, reply) => {
    const caller = getCaller(request)
    let stored = await findForCaller(context, caller, request.params.statusId)
    const { prefer, 'if-none-match': known } = request.headers
    const waitSeconds = prefer === undefined ? 0 : parseWait(prefer)
    if (waitSeconds > 0) {
      reply.header('Preference-Applied', `wait=${waitSeconds}`)
      // If the caller has an older revision, respond at once.
      if (isUnfinished(stored) && (known === undefined || matchesETag(known, toETag(stored)))) {
        const changed = await waitForChange(context, request, stored, { seconds: waitSeconds, of: 'state' })
        if (!changed) throw new Problem('not-found')
        stored = changed
      }
    }
    const etag = toETag(stored)
    reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    if (isUnfinished(stored)) reply.header('Retry-After', retryAfterSeconds)
    if (known !== undefined && matchesETag(known, etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(stored.json)
  })
}

/** Throws `not-found` both for unknown records and for records the caller cannot see. */
async function findForCaller({ store }: AppContext, caller: Caller, statusId: string): Promise<StoredUpdate> {
  const stored = await store.statuses.findRecent(statusId)
  if (stored && caller.kind === 'token') {
    const { grant } = caller.token
    if (grant.scope === 'admin' || grant.projectId === stored.update.projectId) return stored
  } else if (stored) {
    const project = await store.projects.find(stored.update.projectId)
    if (project && canSeeProject(caller, project)) return stored
  }
  throw new Problem('not-found')
}

function isUnfinished({ update }: StoredUpdate): boolean {
  return update.status === 'queued' || update.status === 'in_progress'
}

type ListRequest = FastifyRequest<{ Params: Static<typeof ProjectParameters>; Querystring: ListQuery }>

const listSchema = {
  operationId: 'listUpdates',
  summary: 'List updates',
  description: 'Returns the status records of a project, newest first. New records do not shift the pages that follow.',
  tags: ['Updates'],
  security: [{ token: [] }, { workflow: [] }],
  params: ProjectParameters,
  querystring: ListQuery,
  response: {
    200: jsonResponse('One page of records.', Type.Ref('UpdateList#')),
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

/** `GET /v1/project/{projectId}/updates`. */
export function registerListRoute(server: FastifyInstance, context: AppContext): void {
  server.get('/project/:projectId/updates', { schema: listSchema }, async (request: ListRequest, reply) => {
    const caller = getCaller(request)
    const project = await findProjectForCaller(context, caller, request.params.projectId)
    const list = await context.store.statuses.list(project.id, request.query)
    if (!list) {
      const message = 'must be a `nextCursor` of this list'
      throw new Problem('invalid-request', `Invalid \`querystring/cursor\`: ${message}`, {
        errors: [{ at: 'querystring/cursor', message }],
      })
    }
    // The store returns serialized records, so join them without parsing.
    const records = list.updates.map(({ json }) => json).join(',')
    const next = list.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(list.nextCursor)}`
    return reply
      .header('Cache-Control', 'private, no-cache')
      .type('application/json; charset=utf-8')
      .send(`{"updates":[${records}]${next}}`)
  })
}
