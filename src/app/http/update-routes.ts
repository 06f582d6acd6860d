import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { GitHubError } from '../../errors.ts'
import { compareCommits, findCommit } from '../../github/commits.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import type { Project, UpdateCommit } from '../../status/types.ts'
import { finishUpdate, queueUpdate, startUpdate } from '../../status/update-record.ts'
import type { AcceptResult, IdempotencyKey } from '../../store/accept-work.ts'
import type { AppContext } from '../app-context.ts'
import { toCheckTask } from '../run/tasks.ts'
import { toSignedLink } from '../signed-links.ts'
import { noFiles } from '../webhooks/plan.ts'
import { errorAnswers, IdempotencyHeaders, jsonAnswer, ProjectParameters, ReportBody, TriggerBody } from './api-schemas.ts'
import { type Caller, callerOf, findProjectForCaller, mayKnow, requireScope } from './callers.ts'
import { Problem } from './problem-details.ts'
import { withinTime } from './waiting.ts'

type TriggerRequest = FastifyRequest<{
  Params: Static<typeof ProjectParameters>
  Headers: Static<typeof IdempotencyHeaders>
  Body: TriggerBody
}>

const triggerSchema = {
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
    { schema: triggerSchema, preValidation: bodyMayBeMissing },
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

/** A commit as a new record needs it. */
interface WantedCommit {
  readonly commit: UpdateCommit
  /** GitHub login, else the name in the commit. */
  readonly author: string
  /** A sentence for the log of the record, where GitHub cut the lists of files. */
  readonly truncated: string | undefined
}

/** A caller that waits longer has given up; GitHub's own limit for a webhook is 10 s. */
const timeoutMs = 15_000

/**
 * Looks up what a trigger names, as the installation of the project: the commit, and what it changed since its first parent.
 *
 * @throws {Problem} `unprocessable` where the repository has no such ref or commit, or the app may not read it; `unavailable` where
 *   GitHub cannot be asked now.
 */
async function findWantedCommit(
  app: GitHubApp,
  project: Project,
  { ref, sha }: { ref: string; sha?: string | undefined },
): Promise<WantedCommit> {
  if (project.installationId === undefined) {
    throw new Problem('unprocessable', 'The GitHub App is not installed on the repository of this project')
  }
  const client = app.installation(project.installationId)
  const repository = { owner: project.owner, repo: project.repo }
  const look = async (): Promise<WantedCommit> => {
    const tip = await findCommit(client, repository, ref)
    if (!tip) throw new Problem('unprocessable', `The repository has no \`${ref}\``)
    const found = sha === undefined || sha === tip.sha ? tip : await findCommit(client, repository, sha)
    if (!found) throw new Problem('unprocessable', `The repository has no commit \`${sha}\``)
    const parent = found.parents[0]
    const comparison = parent === undefined ? undefined : await compareCommits(client, repository, parent, found.sha)
    return {
      commit: { sha: found.sha, ref, message: found.message, filesChanged: comparison?.filesChanged ?? noFiles },
      author: found.author,
      truncated: comparison?.truncated,
    }
  }
  try {
    return await withinTime(look(), timeoutMs, unavailable)
  } catch (error) {
    throw error instanceof GitHubError ? toProblem(error) : error
  }
}

function toProblem({ failure, retryAfterMs, permission }: GitHubError): Problem {
  if (failure === 'forbidden' || failure === 'not-found') {
    return new Problem(
      'unprocessable',
      `The GitHub App may not read this repository${permission ? ` (needs \`${permission}\`)` : ''}`,
    )
  }
  return unavailable(retryAfterMs)
}

function unavailable(retryAfterMs = 30_000): Problem {
  return new Problem('unavailable', 'GitHub cannot be asked now', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  })
}

/** A report holds up to 500 findings with their lines; GitHub's own job summary stops at 1 MiB. */
const reportLimit = 4 * 1024 * 1024

type ReportRequest = FastifyRequest<{ Headers: Static<typeof IdempotencyHeaders>; Body: ReportBody }>

const reportSchema = {
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
  server.post('/project/report', { schema: reportSchema, bodyLimit: reportLimit }, async (request: ReportRequest, reply) => {
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

/** The key of a call for the store; the name of the call is part of what must be the same on a repeat. */
function toIdempotency(
  key: string | undefined,
  { projectId, call, body }: { projectId: string; call: string; body: unknown },
): { readonly idempotency?: IdempotencyKey } {
  if (key === undefined) return {}
  const bodyHash = createHash('sha256')
    .update(`${call}\n${JSON.stringify(body ?? null)}`)
    .digest('hex')
  return { idempotency: { projectId, key, bodyHash } }
}
