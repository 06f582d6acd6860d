import type { FastifyInstance } from 'fastify'
import type { ObserveRequest } from '../../github/observe-requests.ts'
import type { LeasedJob } from '../../store/queue/job-rows.ts'
import type { AppContext } from '../app-context.ts'
import type { RunProgram } from '../run/untrusted-process.ts'
import type { OpenSpan, Tracing } from './tracing.ts'
import { runForOrigin } from './work-scope.ts'

/**
 * Runs the handlers of requests that change something in a span and with the ID of the request as the origin of their work. Call it before
 * routes are registered.
 *
 * Reads are left out: they are frequent, and nothing follows from them.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  server.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))
    if (isRead) return
    const others = [route.preHandler ?? []].flat()
    route.preHandler = [
      (request, reply, done) => {
        if (!tracing.isOn) {
          runForOrigin({ requestId: request.id }, done)
          return
        }
        const { method, protocol, hostname } = request
        const { url: path } = request.routeOptions
        const details = {
          name: `${method} ${path ?? ''}`.trimEnd(),
          kind: 'server',
          startedAt: Date.now() - reply.elapsedTime,
          attributes: {
            'http.request.method': method,
            'http.route': path,
            'url.scheme': protocol,
            'server.address': hostname,
            'openapi_pages.request.id': request.id,
          },
        } as const
        void tracing.span(details, async (span) => {
          const closed = new Promise((resolve) => reply.raw.once('close', resolve))
          runForOrigin({ requestId: request.id }, done)
          await closed
          noteStatus(span, reply.statusCode, 500)
        })
      },
      ...others,
    ]
  })
}

/** Logs and traces each request to GitHub, and counts it. */
export function createGitHubObserver({ log, tracing, metrics }: Pick<AppContext, 'log' | 'tracing' | 'metrics'>): ObserveRequest {
  return (request, send) => {
    const { installationId, method, route, host } = request
    const details = {
      name: `${method} ${route}`,
      kind: 'client',
      attributes: {
        'http.request.method': method,
        'url.template': route,
        'server.address': host,
        'github.installation.id': installationId,
      },
    } as const
    return tracing.span(details, async (span) => {
      const startedAt = performance.now()
      let status: number | undefined
      try {
        return await send((response) => {
          status = response.status
          if (status !== undefined) noteStatus(span, status, 400)
          span.set({ 'github.request.id': response.requestId })
        })
      } finally {
        const ms = performance.now() - startedAt
        metrics.githubSeconds.observe({ method, status: status ?? 'none' }, ms / 1000)
        const fields = { installationId, method, route, status, ms: Math.round(ms * 10) / 10 }
        log.debug(fields, 'Request to GitHub completed')
      }
    })
  }
}

/** Runs a job in a span of the trace of the delivery that queued it. */
export function traceJob<Result>(tracing: Tracing, job: LeasedJob, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
  const { jobId, attempt } = job.lease
  const update = job.kind === 'task' ? undefined : job
  const details = {
    name: `process ${job.kind === 'task' ? job.name : job.kind}`,
    kind: 'consumer',
    parent: job.origin.traceparent,
    attributes: {
      'messaging.system': 'openapi_pages',
      'messaging.destination.name': 'jobs',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.message.id': jobId,
      'openapi_pages.job.attempt': attempt,
      'openapi_pages.status.id': update?.stored.update._id,
      'openapi_pages.project.id': update?.project.id,
      'github.repository': update && `${update.project.owner}/${update.project.repo}`,
      'github.installation.id': job.kind === 'task' ? job.installationId : job.project.installationId,
      'github.delivery.id': job.origin.deliveryId,
      'openapi_pages.request.id': job.origin.requestId,
    },
  } as const
  return tracing.span(details, work)
}

/** Runs a program for untrusted input in a span, with the CPU time of its process. */
export function traceProgram(tracing: Tracing, run: RunProgram): RunProgram {
  return (work, limits, control) =>
    tracing.span({ name: `run ${work.what}` }, async (span) => {
      const onCpuTime = (cpuMs: number) => {
        span.set({ 'process.cpu.time': cpuMs / 1000 })
        control.onCpuTime(cpuMs)
      }
      const end = await run<never>(work, limits, { ...control, onCpuTime })
      if (end.kind === 'stopped') span.fail('stopped')
      return end
    })
}

function noteStatus(span: OpenSpan, status: number, failsFrom: number): void {
  span.set({ 'http.response.status_code': status })
  if (status >= failsFrom) span.fail(String(status))
}
