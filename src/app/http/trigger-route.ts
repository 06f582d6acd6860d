import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { queueUpdate } from '../../status/queue-update.ts'
import type { AcceptResult } from '../../store/types.ts'
import type { AppContext } from '../app-context.ts'
import { toCheckTask } from '../run/tasks.ts'
import { errorAnswers, jsonAnswer } from './answers.ts'
import { IdempotencyHeaders, ProjectParameters, TriggerBody } from './api-schemas.ts'
import { callerOf, requireScope } from './authenticate.ts'
import { findProjectForCaller } from './find-project-for-caller.ts'
import { findWantedCommit } from './find-wanted-commit.ts'
import { toIdempotency } from './idempotency.ts'
import { Problem } from './problems.ts'

type TriggerRequest = FastifyRequest<{
  Params: Static<typeof ProjectParameters>
  Headers: Static<typeof IdempotencyHeaders>
  Body: TriggerBody
}>

const schema = {
  operationId: 'triggerUpdate',
  summary: 'Trigger an update',
  description: 'Queues an update of a commit, by default the tip of the default branch. Answers at once; poll the status id.',
  tags: ['Updates'],
  security: [{ token: [] }],
  params: ProjectParameters,
  headers: IdempotencyHeaders,
  body: TriggerBody,
  response: {
    202: jsonAnswer('The update is queued.', Type.Ref('TriggeredUpdate#')),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
  },
}

/** A trigger without a body is one that names nothing. */
function bodyMayBeMissing(request: FastifyRequest, _reply: unknown, done: () => void): void {
  request.body ??= {}
  done()
}

const notYet = { headers: { 'Retry-After': '60' } }

/** `POST /v1/project/update/{projectId}`. */
export function registerTriggerRoute(server: FastifyInstance, context: AppContext): void {
  server.post(
    '/project/update/:projectId',
    { schema, preValidation: bodyMayBeMissing },
    async (request: TriggerRequest, reply) => {
      const caller = callerOf(request)
      const project = await findProjectForCaller(context, caller, request.params.projectId)
      requireScope(caller, 'write', 'admin')
      if (caller.kind === 'workflow') throw new Problem('forbidden', 'A workflow reports its runs; triggering needs an API token')
      if (!project.enabled)
        throw new Problem('unprocessable', 'The project is switched off (`openapi-pages project set --enable`)')
      const { ref = `refs/heads/${project.defaultBranch}`, sha } = request.body
      const { store } = context
      const { idempotency } = toIdempotency(request.headers['idempotency-key'], {
        projectId: project.id,
        call: 'update',
        body: request.body,
      })
      // Before GitHub is asked, which may be unreachable when a call is repeated.
      const repeated = idempotency && (await store.findRepeated(idempotency))
      if (repeated) return reply.code(202).send({ statusId: toStatusId(repeated) })
      const { app } = context.github
      if (!app)
        throw new Problem('unavailable', 'The server has no GitHub App yet: its owner has to finish the setup page', notYet)
      const found = await findWantedCommit(app, project, { ref, sha })
      const id = store.newId()
      const result = await store.accept({
        ...(idempotency && { idempotency }),
        updates: [
          {
            update: queueUpdate({
              id,
              projectId: project.id,
              subdomain: project.subdomain,
              createdAt: context.now().toISOString(),
              author: found.author,
              commit: found.commit,
              source: 'api',
              logs: found.truncated === undefined ? [] : [found.truncated],
            }),
            details: { trigger: 'api', ...(found.truncated !== undefined && { filesTruncated: true }) },
            once: 'always',
          },
        ],
        tasks: [toCheckTask(store.newId(), id, project.installationId)],
        audit: [
          { actor: `token:${caller.token.id}`, action: 'update.trigger', subject: id, detail: `${ref} ${found.commit.sha}` },
        ],
      })
      const statusId = toStatusId(result)
      request.log.info(
        { statusId, projectId: project.id, ref, headSha: found.commit.sha, outcome: result.kind },
        'Update triggered',
      )
      return reply.code(202).send({ statusId })
    },
  )
}

/**
 * The id to answer with, whether the call did something new or repeats an earlier one.
 *
 * @throws {Problem} `conflict` where the key was used with another body, `not-found` where the project went meanwhile.
 */
export function toStatusId(result: AcceptResult): string {
  if (result.kind === 'key-conflict') {
    throw new Problem('conflict', 'This `Idempotency-Key` was used with another body in the last 24 hours')
  }
  const statusId =
    result.kind === 'accepted' ? result.updates[0]?.statusId : result.kind === 'repeated-key' ? result.statusIds[0] : undefined
  if (statusId === undefined) throw new Problem('not-found')
  return statusId
}
