import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { finishUpdate } from '../../status/finish-update.ts'
import { queueUpdate } from '../../status/queue-update.ts'
import { startUpdate } from '../../status/start-update.ts'
import type { Project } from '../../status/types.ts'
import type { AppContext } from '../app-context.ts'
import { toSignedLink } from '../pages/signed-link.ts'
import { errorAnswers, jsonAnswer } from './answers.ts'
import { IdempotencyHeaders, ReportBody } from './api-schemas.ts'
import { type Caller, callerOf, mayKnow, requireScope } from './authenticate.ts'
import { toIdempotency } from './idempotency.ts'
import { Problem } from './problems.ts'
import { toStatusId } from './trigger-route.ts'

/** A report holds up to 500 findings with their lines; GitHub's own job summary stops at 1 MiB. */
const bodyLimit = 4 * 1024 * 1024

type ReportRequest = FastifyRequest<{ Headers: Static<typeof IdempotencyHeaders>; Body: ReportBody }>

const schema = {
  operationId: 'reportUpdate',
  summary: 'Report an update',
  description:
    'Records a run that the GitHub Action did itself. With a workflow’s OIDC token (audience `openapi-pages` or the address of this ' +
    'server) the commit has to be the one that the workflow runs for.',
  tags: ['Updates'],
  security: [{ workflow: [] }, { token: [] }],
  headers: IdempotencyHeaders,
  body: ReportBody,
  response: {
    201: jsonAnswer('The record is made.', Type.Ref('ReportedUpdate#')),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503),
  },
}

/** `POST /v1/project/report`. */
export function registerReportRoute(server: FastifyInstance, context: AppContext): void {
  server.post('/project/report', { schema, bodyLimit }, async (request: ReportRequest, reply) => {
    const caller = callerOf(request)
    const { body } = request
    const project = await findReportedProject(context, caller, body)
    requireScope(caller, 'write', 'admin')
    requireOwnCommit(caller, body)
    if (!project.enabled) throw new Problem('unprocessable', 'The project is switched off (`openapi-pages project set --enable`)')
    const { store, linkKey } = context
    const now = context.now()
    const queued = queueUpdate({
      id: store.newId(),
      projectId: project.id,
      subdomain: project.subdomain,
      createdAt: now.toISOString(),
      author: body.author,
      commit: { ...body.commit, filesChanged: toNetLists(body.commit.filesChanged) },
      source: 'github',
      logs: body.logs ?? [],
    })
    const update = finishUpdate(startUpdate(queued, body.summary), {
      status: body.status,
      summary: body.summary,
      endedAt: now.toISOString(),
    })
    const { idempotency } = toIdempotency(request.headers['idempotency-key'], { projectId: project.id, call: 'report', body })
    const result = await store.statuses.addEnded({
      update,
      details: { trigger: 'report' },
      ...(body.report && { report: JSON.stringify(body.report) }),
      ...(idempotency && { idempotency }),
    })
    const statusId = toStatusId(result)
    request.log.info({ statusId, projectId: project.id, headSha: body.commit.sha, outcome: result.kind }, 'Update reported')
    const detailsUrl = toSignedLink(linkKey, context.baseUrl(), statusId, now)
    return reply.code(201).send({ statusId, detailsUrl })
  })
}

/** A workflow names a docs root of its own repository, a token the project it is for; anything else is answered as not there. */
async function findReportedProject({ store }: AppContext, caller: Caller, body: ReportBody): Promise<Project> {
  const root = body.root ?? ''
  if (caller.kind === 'workflow') {
    const projects = await store.projects.findByRepository(caller.workflow.repositoryId)
    const project =
      projects.find(({ id }) => id === body.projectId) ??
      projects.find((one) => body.projectId === undefined && one.root === root)
    if (!project) throw new Problem('not-found', 'No project of this server has this repository and `root`')
    return project
  }
  const projectId = caller.token.grant.projectId ?? body.projectId
  if (projectId === undefined)
    throw new Problem('unprocessable', 'Missing `projectId`: an `admin` token is for no project of its own')
  const project = await store.projects.find(projectId)
  const named = body.projectId === undefined || body.projectId === projectId
  if (!project || !named || !mayKnow(caller, project) || (body.root !== undefined && root !== project.root))
    throw new Problem('not-found')
  return project
}

/** GitHub vouches for the commit a workflow runs for, and for no other. */
function requireOwnCommit(caller: Caller, { commit }: ReportBody): void {
  if (caller.kind !== 'workflow') return
  const { sha, ref } = caller.workflow
  if (sha !== commit.sha) throw new Problem('forbidden', 'The workflow’s token is for another `sha`')
  if (ref !== commit.ref) throw new Problem('forbidden', 'The workflow’s token is for another `ref`')
}

/** Sorted, without duplicates, no path in two lists: the record promises it, whatever the caller sent. */
function toNetLists(lists: ReportBody['commit']['filesChanged']): ReportBody['commit']['filesChanged'] {
  const seen = new Set<string>()
  const take = (paths: readonly string[]) =>
    [...new Set(paths)].sort().filter((path) => !seen.has(path) && seen.add(path) !== undefined)
  return { added: take(lists.added), modified: take(lists.modified), removed: take(lists.removed) }
}
