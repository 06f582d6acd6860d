import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UpdateReport } from '../../docs/update/update-results.ts'
import type { GitHubApp } from '../../github/apps/github-app.ts'
import { compareCommits, findCommit } from '../../github/repositories/commits.ts'
import {
  type FilesChanged,
  finishUpdate,
  type Project,
  queueUpdate,
  startUpdate,
  type UpdateAuthor,
  type UpdateCommit,
} from '../../status/update-record.ts'
import type { AcceptResult, IdempotencyKey } from '../../store/queue/jobs.ts'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import type { Store } from '../../store/store.ts'
import { GitHubError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { countPreviews } from '../base/quotas.ts'
import { toSignedLink } from '../base/signed-links.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { noFiles, planUpdates } from '../github-events/webhooks/plan.ts'
import { type Caller, canSeeProject, findProjectForCaller, getCaller, requireScope, requireUpdates } from '../http/callers.ts'
import { invalidCursor, Problem } from '../http/problem-details.ts'
import { matchesETag, parseWait, type StatusWaiters, toETag, waitForChange, withTimeout } from '../http/waiting.ts'
import { toRoute } from './describe-api.ts'

interface ProjectParameters {
  readonly projectId: string
}

interface IdempotencyHeaders {
  readonly 'idempotency-key'?: string
}

/** The commit to update from. Default: the tip of the default branch. */
interface WantedCommit {
  readonly ref?: string
  readonly sha?: string
}

type TriggerRequest = FastifyRequest<{ Params: ProjectParameters; Headers: IdempotencyHeaders; Body: WantedCommit }>

type PreviewRequest = FastifyRequest<{
  Params: ProjectParameters
  Headers: IdempotencyHeaders
  Body: { readonly branch: string }
}>

const retryInAMinute = { headers: { 'Retry-After': '60' } }

/** `POST /v1/project/update/{projectId}` and `POST /v1/project/preview/{projectId}`. */
export function registerTriggerRoutes(server: FastifyInstance, context: AppContext): void {
  server.route({
    ...toRoute('triggerUpdate'),
    handler: async (request: TriggerRequest, reply) =>
      reply.code(202).send(await trigger(context, request, 'update', request.body)),
  })
  server.route({
    ...toRoute('previewBranch'),
    handler: async (request: PreviewRequest, reply) =>
      reply.code(202).send(await trigger(context, request, 'preview', { ref: `refs/heads/${request.body.branch}` })),
  })
}

/** `previewUrl` is that of the commit. */
interface Triggered {
  readonly statusId: string
  readonly previewUrl?: string
}

async function trigger(
  context: AppContext,
  request: TriggerRequest | PreviewRequest,
  call: 'update' | 'preview',
  wanted: WantedCommit,
): Promise<Triggered> {
  const caller = getCaller(request)
  const project = await findProjectForCaller(context, caller, request.params.projectId)
  requireScope(caller, 'write', 'admin')
  if (caller.kind === 'workflow')
    throw new Problem('forbidden', 'Triggering an update requires an API token; workflow tokens can only read and report')
  requireUpdates(project)
  const { ref = `refs/heads/${project.defaultBranch}`, sha } = wanted
  const { store } = context
  const { idempotency } = toIdempotency(request.headers['idempotency-key'], { projectId: project.id, call, body: request.body })
  // Check this first: a repeated request must succeed even if GitHub is unreachable.
  const repeated = idempotency && (await store.findRepeated(idempotency))
  if (repeated) return await describeTriggered(context, project, toStatusId(repeated))
  const { app } = context.github
  if (!app)
    throw new Problem(
      'unavailable',
      'The server has no GitHub App yet. Ask its operator to complete the setup page',
      retryInAMinute,
    )
  const found = await resolveCommit(app, project, { ref, sha })
  const isTruncated = found.truncated !== undefined
  const updates = planUpdates(context, [project], {
    commit: found.commit,
    ...found.by,
    details: { trigger: 'api', requestedAtTip: found.tipSha, ...(isTruncated && { filesTruncated: true }) },
    once: 'always',
    source: 'api',
    logs: isTruncated ? [found.truncated] : [],
  })
  const detail = `${ref} ${found.commit.sha}`
  const subject = updates[0]?.update._id ?? ''
  const audit = [{ actor: `token:${caller.token.id}`, action: 'update.trigger', subject, detail }]
  const result = await store.accept({ ...(idempotency && { idempotency }), updates, audit })
  const statusId = toStatusId(result)
  request.log.info({ statusId, projectId: project.id, ref, headSha: found.commit.sha, outcome: result.kind }, 'Update triggered')
  return await describeTriggered(context, project, statusId)
}

/** The URL is that of the record's commit: a repeated request can come after another push. */
async function describeTriggered(context: AppContext, project: Project, statusId: string): Promise<Triggered> {
  const place = context.urls.sites()
  const stored = place && countPreviews(context, project) > 0 ? await context.store.statuses.find(statusId) : undefined
  if (!place || !stored) return { statusId }
  const { sha } = stored.update.commit
  return { statusId, previewUrl: toSiteUrl(place, { subdomain: project.subdomain, preview: { kind: 'commit', sha } }) }
}

/**
 * Returns the status ID of the new update, or of the first one if the request was repeated.
 *
 * @throws {Problem} `conflict` if the key was used with a different body, `not-found` if the project was deleted meanwhile.
 */
export function toStatusId(result: AcceptResult): string {
  if (result.kind === 'key-conflict') {
    throw new Problem('conflict', 'This `Idempotency-Key` was used with a different body in the last 24 hours')
  }
  const statusId =
    result.kind === 'accepted' ? result.updates[0]?.statusId : result.kind === 'repeated-key' ? result.statusIds[0] : undefined
  if (statusId === undefined) throw new Problem('not-found')
  return statusId
}

interface ResolvedCommit {
  /** The commit that the ref points at. */
  readonly tipSha: string
  readonly commit: UpdateCommit
  readonly by: UpdateAuthor
  /** Line for the record's log if GitHub truncated the file lists. */
  readonly truncated: string | undefined
}

/** Time for all GitHub requests of one trigger. */
const timeoutMs = 15_000

/**
 * Finds a commit on GitHub, and the files changed since its first parent.
 *
 * @throws {Problem} `unprocessable` if the ref or commit does not exist or the app cannot read it; `unavailable` if GitHub is
 *   unreachable.
 */
async function resolveCommit(
  app: GitHubApp,
  project: Project,
  { ref, sha }: { ref: string; sha?: string | undefined },
): Promise<ResolvedCommit> {
  if (project.installationId === undefined) {
    throw new Problem('unprocessable', 'The GitHub App is not installed on the project’s repository')
  }
  const client = app.installation(project.installationId)
  const repository = { owner: project.owner, repo: project.repo }
  const look = async (): Promise<ResolvedCommit> => {
    const tip = await findCommit(client, repository, ref)
    if (!tip) throw new Problem('unprocessable', `The repository has no ref \`${ref}\``)
    const found = sha === undefined || sha === tip.sha ? tip : await findCommit(client, repository, sha)
    if (!found) throw new Problem('unprocessable', `The repository has no commit \`${sha}\``)
    const parent = found.parents[0]
    const comparison = parent === undefined ? undefined : await compareCommits(client, repository, parent, found.sha)
    return {
      tipSha: tip.sha,
      commit: { sha: found.sha, ref, message: found.message, filesChanged: comparison?.filesChanged ?? noFiles },
      by: found.by,
      truncated: comparison?.truncated,
    }
  }
  try {
    return await withTimeout(look(), timeoutMs, unavailable)
  } catch (error) {
    throw error instanceof GitHubError ? toProblem(error) : error
  }
}

function toProblem({ failure, retryAfterMs, permission }: GitHubError): Problem {
  if (failure === 'forbidden' || failure === 'not-found') {
    return new Problem(
      'unprocessable',
      `The GitHub App cannot read this repository${permission ? `. Grant the permission \`${permission}\`` : ''}`,
    )
  }
  return unavailable(retryAfterMs)
}

function unavailable(retryAfterMs = 30_000): Problem {
  return new Problem('unavailable', 'GitHub is unreachable. Try again later', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  })
}

/** A report has up to 500 diagnostics with source lines. */
const reportLimit = 4 * 1024 * 1024

/** A run that the Action performed. */
export interface ReportBody {
  readonly projectId?: string
  /** The docs directory. Default: that of the repository. */
  readonly root?: string
  readonly status: 'success' | 'failure'
  readonly summary: string
  readonly logs?: readonly string[]
  readonly author: string
  readonly commit: UpdateCommit
  readonly report?: UpdateReport
}

/** `POST /v1/project/report`. */
export function registerReportRoute(server: FastifyInstance, context: AppContext): void {
  server.route({
    ...toRoute('reportUpdate'),
    bodyLimit: reportLimit,
    async handler(request: FastifyRequest<{ Headers: IdempotencyHeaders; Body: ReportBody }>, reply) {
      const caller = getCaller(request)
      const { body } = request
      const project = await findReportedProject(context, caller, body)
      requireScope(caller, 'write', 'admin')
      requireWorkflowCommit(caller, body)
      requireUpdates(project)
      const { store, urls } = context
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
      const result = await store.acceptEnded({
        update,
        details: { trigger: 'report' },
        ...(body.report && { report: JSON.stringify(body.report) }),
        ...(idempotency && { idempotency }),
      })
      const statusId = toStatusId(result)
      request.log.info({ statusId, projectId: project.id, headSha: body.commit.sha, outcome: result.kind }, 'Update reported')
      const detailsUrl = toSignedLink(urls.linkKey, urls.base(), statusId, now)
      return reply.code(201).send({ statusId, detailsUrl })
    },
  })
}

/** A workflow names a docs directory in its own repository; a token names its project. Everything else is `not-found`. */
async function findReportedProject({ store }: AppContext, caller: Caller, body: ReportBody): Promise<Project> {
  const root = body.root ?? ''
  if (caller.kind === 'workflow') {
    const projects = await store.projects.findByRepository(caller.workflow.repositoryId)
    const project =
      projects.find(({ id }) => id === body.projectId) ??
      projects.find((one) => body.projectId === undefined && one.root === root)
    if (!project) throw new Problem('not-found', 'This server has no project for this repository and `root`')
    return project
  }
  const projectId = caller.token.grant.projectId ?? body.projectId
  if (projectId === undefined) throw new Problem('unprocessable', 'Missing `projectId`. It is required with an `admin` token')
  const project = await store.projects.find(projectId)
  const named = body.projectId === undefined || body.projectId === projectId
  if (!project || !named || !canSeeProject(caller, project) || (body.root !== undefined && root !== project.root))
    throw new Problem('not-found')
  return project
}

/** A workflow's OIDC token proves only the commit that the workflow runs for. */
function requireWorkflowCommit(caller: Caller, { commit }: ReportBody): void {
  if (caller.kind !== 'workflow') return
  const { sha, ref } = caller.workflow
  if (sha !== commit.sha) throw new Problem('forbidden', '`sha` differs from the commit in the workflow’s token')
  if (ref !== commit.ref) throw new Problem('forbidden', '`ref` differs from the ref in the workflow’s token')
}

/** Sorts the lists and removes duplicates, so that each path is in one list only. */
function toNetLists(lists: FilesChanged): FilesChanged {
  const seen = new Set<string>()
  const take = (paths: readonly string[]) =>
    [...new Set(paths)].sort().filter((path) => !seen.has(path) && seen.add(path) !== undefined)
  return { added: take(lists.added), modified: take(lists.modified), removed: take(lists.removed) }
}

/** The hash includes the name of the endpoint: a key used for another endpoint is a conflict. */
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

const retryAfterSeconds = 2

type StatusRequest = FastifyRequest<{
  Params: { readonly statusId: string }
  Headers: { readonly 'if-none-match'?: string; readonly prefer?: string }
}>

/** `GET /v1/project/update-status/{statusId}`. CI jobs poll it, so it must be fast. */
export function registerStatusRoute(server: FastifyInstance, context: AppContext, waiters: StatusWaiters): void {
  server.route({
    ...toRoute('getUpdateStatus'),
    async handler(request: StatusRequest, reply) {
      const caller = getCaller(request)
      let stored = await findForCaller(context, caller, request.params.statusId)
      const { prefer, 'if-none-match': known } = request.headers
      const waitSeconds = parseWait(prefer)
      if (waitSeconds > 0) {
        reply.header('Preference-Applied', `wait=${waitSeconds}`)
        // If the caller has an older revision, respond at once.
        if (isUnfinished(stored) && (known === undefined || matchesETag(known, toETag(stored)))) {
          const changed = await waitForChange(waiters, request, stored, { seconds: waitSeconds, of: 'state' })
          if (!changed) throw new Problem('not-found')
          stored = changed
        }
      }
      const etag = toETag(stored)
      reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
      if (isUnfinished(stored)) reply.header('Retry-After', retryAfterSeconds)
      if (matchesETag(known, etag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(stored.json)
    },
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

type ListRequest = FastifyRequest<{ Params: ProjectParameters; Querystring: Parameters<Store['statuses']['list']>[1] }>

/** `GET /v1/project/{projectId}/updates`. */
export function registerListRoute(server: FastifyInstance, context: AppContext): void {
  server.route({
    ...toRoute('listUpdates'),
    async handler(request: ListRequest, reply) {
      const caller = getCaller(request)
      const project = await findProjectForCaller(context, caller, request.params.projectId)
      const list = await context.store.statuses.list(project.id, request.query)
      if (!list) throw invalidCursor()
      // The store returns serialized records, so join them without parsing.
      const records = list.updates.map(({ json }) => json).join(',')
      const next = list.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(list.nextCursor)}`
      return reply
        .header('Cache-Control', 'private, no-cache')
        .type('application/json; charset=utf-8')
        .send(`{"updates":[${records}]${next}}`)
    },
  })
}
