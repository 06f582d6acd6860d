import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { AppContext } from '../app-context.ts'
import { errorAnswers, jsonAnswer } from './answers.ts'
import { ListQuery, ProjectParameters } from './api-schemas.ts'
import { callerOf } from './authenticate.ts'
import { findProjectForCaller } from './find-project-for-caller.ts'
import { Problem } from './problems.ts'

type ListRequest = FastifyRequest<{ Params: Static<typeof ProjectParameters>; Querystring: ListQuery }>

const schema = {
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
  server.get('/project/:projectId/updates', { schema }, async (request: ListRequest, reply) => {
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
