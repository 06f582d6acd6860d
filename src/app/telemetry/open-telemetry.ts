import { AsyncLocalStorage } from 'node:async_hooks'
import { DiagLogLevel, diag, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { maskSecrets } from '../../source/mask-secrets.ts'
import { packageVersion } from '../../update/package-version.ts'
import type { SpanAttributes, SpanDetails, Tracing } from './tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** The time to export the last spans at a stop. The receiver may be down. */
const stopMs = 2_000

/**
 * Creates traces that OpenTelemetry exports with OTLP over HTTP. Its packages read the standard variables `OTEL_*` from the environment of the
 * process.
 *
 * Spans are exported in batches in the background. If the receiver is down, they are dropped.
 */
export function createTracing(warn: (message: string) => void): Tracing {
  const report = (message: string) => warn(maskSecrets(message))
  const quiet = () => undefined
  const logger = { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const own = resourceFromAttributes({ 'service.name': 'openapi-pages', 'service.version': packageVersion })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('openapi-pages', packageVersion)
  const active = new AsyncLocalStorage<Span>()

  const start = ({ name, kind = 'internal', parent, attributes = {}, startedAt }: SpanDetails): Span => {
    const remote = parent === undefined ? undefined : parseTraceparent(parent)
    const running = active.getStore()
    const context = remote
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : running
        ? trace.setSpan(ROOT_CONTEXT, running)
        : ROOT_CONTEXT
    const options = { kind: kinds[kind], attributes: toAttributes(attributes) }
    return tracer.startSpan(name, { ...options, ...(startedAt !== undefined && { startTime: startedAt }) }, context)
  }

  return {
    isOn: true,
    async span(details, work) {
      const span = start(details)
      try {
        return await active.run(span, () =>
          work({
            set: (attributes) => span.setAttributes(toAttributes(attributes)),
            fail: (type) => {
              span.setAttribute('error.type', type)
              span.setStatus({ code: SpanStatusCode.ERROR })
            },
          }),
        )
      } catch (error) {
        const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
        // Without the stack, which an export has no use for.
        span.recordException({ name, message: maskSecrets(message) })
        span.setAttribute('error.type', name)
        span.setStatus({ code: SpanStatusCode.ERROR, message: maskSecrets(message) })
        throw error
      } finally {
        span.end()
      }
    },
    traceparent() {
      const span = active.getStore()
      if (!span) return undefined
      const { traceId, spanId, traceFlags } = span.spanContext()
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs)
      })
      await Promise.race([provider.shutdown().catch((error: unknown) => report(`Cannot export traces: ${String(error)}`)), late])
      clearTimeout(timer)
      diag.disable()
    },
  }
}

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
function parseTraceparent(text: string) {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? []
  return traceId === '' ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

function toAttributes(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const known = Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(known.map(([name, value]) => [name, typeof value === 'string' ? maskSecrets(value) : value]))
}
