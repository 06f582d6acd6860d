import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Project } from '../../status/types.ts'
import type { SiteBuild } from '../../store/sites/stored-sites.ts'
import type { SiteExport } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { findCpuWait, findStorageRefusal } from '../quotas.ts'
import { toTask } from '../run/tasks.ts'
import { readPart } from '../sites/site-responses.ts'
import {
  commonHeaders,
  type ExportJob,
  ExportParameters,
  errorResponses,
  jsonResponse,
  ProjectParameters,
} from './api-schemas.ts'
import { findProjectForCaller, getCaller, requireScope, requireUpdates } from './callers.ts'
import { Problem } from './problem-details.ts'

const common = { tags: ['Sites'], security: [{ token: [] }, { workflow: [] }], params: ExportParameters }

const startSchema = {
  ...common,
  operationId: 'startStaticExport',
  summary: 'Export the published site',
  description:
    'Starts a job that writes the published site as a zip file for readers without a server: its pages open from the disk. A site has one job, so ' +
    'repeating the request returns the same job. It starts a failed job again.',
  security: [{ token: [] }],
  params: ProjectParameters,
  response: {
    202: jsonResponse('The job.', Type.Ref('StaticExportJob#')),
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
  },
}

const jobHeaders = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next request. Absent when the job has ended.' },
} as const

const jobSchema = {
  ...common,
  operationId: 'getStaticExport',
  summary: 'Get the status of an export',
  description: 'Returns the job. Repeat the request until `status` is `completed` or `failed`. A job is removed with its site.',
  response: {
    200: jsonResponse('The job.', Type.Ref('StaticExportJob#'), jobHeaders),
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

const bundleSchema = {
  ...common,
  operationId: 'downloadStaticExport',
  summary: 'Download an export',
  description: 'Returns the zip file of a completed job.',
  response: {
    200: {
      description: 'The zip file.',
      content: { 'application/zip': { schema: Type.String({ format: 'binary' }) } },
      headers: { 'Content-Disposition': { type: 'string', description: 'The name of the file.' }, ...commonHeaders },
    },
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

const retryAfterSeconds = 5

type JobRequest = FastifyRequest<{ Params: Static<typeof ExportParameters> }>

/** `POST /v1/static-export/{projectId}/jobs`, and the job with its zip file below it. */
export function registerExportRoutes(server: FastifyInstance, context: AppContext): void {
  const { store } = context

  server.post(
    '/static-export/:projectId/jobs',
    { schema: startSchema },
    async (request: FastifyRequest<{ Params: Static<typeof ProjectParameters> }>, reply) => {
      const caller = getCaller(request)
      const project = await findProjectForCaller(context, caller, request.params.projectId)
      requireScope(caller, 'write', 'admin')
      if (caller.kind === 'workflow')
        throw new Problem('forbidden', 'Exporting a site requires an API token; workflow tokens can only read and report')
      requireUpdates(project)
      const published = await store.sites.findPublished(project.id)
      if (!published) throw new Problem('unprocessable', 'The project has no published site')
      const job = await startJob(context, project, published.build, `token:${caller.token.id}`)
      request.log.info({ projectId: project.id, headSha: job.sha, statusId: job.jobId, outcome: job.status }, 'Export requested')
      return reply.code(202).send(job)
    },
  )

  const find = async (request: JobRequest): Promise<{ readonly project: Project; readonly job: ExportJob }> => {
    const { projectId, jobId } = request.params
    const project = await findProjectForCaller(context, getCaller(request), projectId)
    const stored = await store.statuses.find(jobId)
    const build = stored?.update.projectId === project.id && (await store.sites.find(project.id, stored.update.commit.sha))
    // The site of a commit is replaced when the update is repeated.
    const job = build && build.statusId === jobId ? await findJob(context, project, build) : undefined
    if (!job) throw new Problem('not-found')
    return { project, job }
  }

  server.get('/static-export/:projectId/jobs/:jobId', { schema: jobSchema }, async (request: JobRequest, reply) => {
    const { job } = await find(request)
    if (isOpen(job)) reply.header('Retry-After', retryAfterSeconds)
    return reply.header('Cache-Control', 'private, no-cache').send(job)
  })

  server.get('/static-export/:projectId/jobs/:jobId/bundle', { schema: bundleSchema }, async (request: JobRequest, reply) => {
    const { project, job } = await find(request)
    const file = await store.sites.findExport(job.jobId)
    if (!file) throw new Problem('not-found', `The job is \`${job.status}\`, so there is no zip file`)
    return reply
      .headers({
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': `attachment; filename="${project.subdomain}-export-${job.sha.slice(0, 12)}.zip"`,
        'Content-Length': file.sizeBytes,
      })
      .type('application/zip')
      .send(Readable.from(readPart(store.sites, file, 'identity', 0, file.sizeBytes)))
  })
}

/**
 * Starts the job of a site, unless it is open or completed.
 *
 * @throws {Problem} `unprocessable` without access to the repository or storage; `rate-limited` without CPU time.
 */
async function startJob(context: AppContext, project: Project, build: SiteBuild, actor: string): Promise<ExportJob> {
  const { store, now } = context
  const { statusId, sha } = build
  return await context.locks(`export ${statusId}`, async () => {
    const job = await findJob(context, project, build)
    if (job && job.status !== 'failed') return job
    const { installationId } = project
    if (installationId === undefined)
      throw new Problem('unprocessable', 'The GitHub App is not installed on the project’s repository')
    const refusal = await findStorageRefusal(context, installationId)
    if (refusal !== undefined) throw new Problem('unprocessable', `Cannot store the export: ${refusal}`)
    const waitUntil = await findCpuWait(context, installationId)
    if (waitUntil !== undefined) throw toCpuProblem(context, waitUntil)
    const siteExport = { taskId: store.newId(), createdAt: now().toISOString() }
    // The task needs these details.
    await store.statuses.addDetails(statusId, { siteExport })
    await store.accept({
      tasks: [toTask(siteExport.taskId, 'export-site', installationId, { statusId })],
      audit: [{ actor, action: 'site.export', subject: project.id, detail: sha }],
    })
    const started = await findJob(context, project, build)
    if (!started) throw new Problem('not-found')
    return started
  })
}

/** The job of a site; `undefined` if none was started. */
async function findJob(context: AppContext, project: Project, build: SiteBuild): Promise<ExportJob | undefined> {
  const { store } = context
  const { statusId: jobId, sha } = build
  const read = async (): Promise<SiteExport | undefined> => (await store.statuses.find(jobId))?.details.siteExport
  let siteExport = await read()
  if (!siteExport) return undefined
  const task = siteExport.endedAt === undefined ? await store.queue.findTask(siteExport.taskId) : undefined
  // A task that is gone has just ended.
  if (siteExport.endedAt === undefined && !task) siteExport = (await read()) ?? siteExport
  const { createdAt, endedAt = task?.claimedAt ?? createdAt } = siteExport
  const job = { jobId, createdAt, updatedAt: endedAt, sha }
  if (task && task.state !== 'dead') return { ...job, status: task.state === 'leased' ? 'running' : 'queued' }
  const file = siteExport.error === undefined ? await store.sites.findExport(jobId) : undefined
  if (!file) return { ...job, status: 'failed', error: siteExport.error ?? task?.reason ?? 'The export was interrupted' }
  const bundleUrl = `${context.baseUrl()}/v1/static-export/${project.id}/jobs/${jobId}/bundle`
  return { ...job, status: 'completed', bundleUrl, sizeBytes: file.sizeBytes }
}

function isOpen({ status }: ExportJob): boolean {
  return status === 'queued' || status === 'running'
}

function toCpuProblem({ config, now }: AppContext, waitUntil: number): Problem {
  const seconds = Math.max(1, Math.ceil((waitUntil - now().getTime()) / 1000))
  const quota = `${config.installationCpuMinutes} CPU minutes an hour (INSTALLATION_CPU_MINUTES=${config.installationCpuMinutes})`
  return new Problem('rate-limited', `This installation has used its quota of ${quota}. Try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
