import { serve } from './serve.ts'

/** A span as a receiver of OTLP gets it. */
interface ReceivedSpan {
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly traceId: string
  readonly spanId: string
  /** `undefined` for the first span of a trace. */
  readonly parentId: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly resource: Readonly<Record<string, string | number | boolean>>
  readonly isFailed: boolean
  /** The messages of recorded errors. */
  readonly errors: readonly string[]
  readonly durationMs: number
}

interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string
  readonly spans: readonly ReceivedSpan[]
  /** The headers and body of each export, as text. */
  readonly exports: readonly { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[]
}

// The fields of OTLP's JSON that the tests read. Source: opentelemetry/proto/trace/v1/trace.proto.
interface Attribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: string | number
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[]
  }[]
}
interface ExportedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[]
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** Starts a receiver of traces in the JSON form of OTLP over HTTP. It stops after the test. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const exports: OtlpReceiver['exports'][number][] = []
  const endpoint = await serve(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    exports.push({ headers: request.headers, body })
    const { resourceSpans } = JSON.parse(body) as ExportRequest
    for (const { resource, scopeSpans } of resourceSpans) {
      const shared = toRecord(resource.attributes)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => toSpan(span, shared))))
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  return { endpoint, spans, exports }
}

function toSpan(span: ExportedSpan, resource: ReceivedSpan['resource']): ReceivedSpan {
  const errors = span.events.filter(({ name }) => name === 'exception').map((event) => toRecord(event.attributes))
  return {
    name: span.name,
    kind: kinds[span.kind] ?? 'internal',
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId || undefined,
    attributes: toRecord(span.attributes),
    resource,
    isFailed: span.status.code === 2,
    errors: errors.map((error) => String(error['exception.message'])),
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }
}

function toRecord(attributes: readonly Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value
      return [key, stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? '']
    }),
  )
}

/** Formats a trace as an indented tree of span names, siblings sorted by name and equal ones counted. */
export function formatTrace(spans: readonly ReceivedSpan[], traceId: string): string {
  const own = spans.filter((span) => span.traceId === traceId)
  const known = new Set(own.map(({ spanId }) => spanId))
  const format = (parentId: string | undefined, indent: string): string[] => {
    const children = own
      .filter((span) => (parentId === undefined ? !known.has(span.parentId ?? '') : span.parentId === parentId))
      .map((span) => [`${indent}${span.name}`, ...format(span.spanId, `${indent}  `)].join('\n'))
      .sort()
    return [...new Set(children)].map((child) => {
      const count = children.filter((other) => other === child).length
      return count === 1 ? child : child.replace(/^.*/, `$& × ${count}`)
    })
  }
  return format(undefined, '').join('\n')
}
