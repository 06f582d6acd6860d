import type { Store } from '../../store/types.ts'
import { currentOrigin } from './work-scope.ts'

/**
 * Traces of the work of the app, from a webhook to its calls of GitHub. `startTracing` returns one that exports them; by default nothing is
 * recorded.
 */
export interface Tracing {
  /** Whether spans are recorded. */
  readonly isOn: boolean
  /** Runs work in a span. Spans and `traceparent` inside belong to it. An error of the work is recorded, and thrown. */
  span<Result>(details: SpanDetails, work: (span: OpenSpan) => Promise<Result>): Promise<Result>
  /** The running span as in the header of the same name of W3C Trace Context; `undefined` outside of a span. */
  traceparent(): string | undefined
  /** Exports the ended spans, as far as the receiver accepts them in time. */
  stop(): Promise<void>
}

export interface SpanDetails {
  /** By OpenTelemetry's semantic conventions, with few different values: `POST /api/github/webhooks`. */
  readonly name: string
  /** Default: `internal`. */
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal'
  /** The span of another process to continue. Default: the running span. */
  readonly parent?: string | undefined
  readonly attributes?: SpanAttributes
  /** Milliseconds since 1970. Default: now. */
  readonly startedAt?: number
}

/** Names as in the semantic conventions, otherwise with the prefix `openapi_pages`. Never contains a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface OpenSpan {
  set(attributes: SpanAttributes): void
  /** Marks the span as failed without throwing an error. */
  fail(type: string): void
}

const unrecorded: OpenSpan = { set: () => undefined, fail: () => undefined }

export const noTracing: Tracing = {
  isOn: false,
  span: (_about, work) => work(unrecorded),
  traceparent: () => undefined,
  stop: async () => undefined,
}

/** Adds the origin of the running work to everything that it queues, and traces this write. */
export function withOrigin(store: Store, tracing: Tracing): Store {
  return {
    ...store,
    accept: (input) =>
      tracing.span({ name: 'store accept', attributes: { 'openapi_pages.updates': input.updates?.length ?? 0 } }, () => {
        const traceparent = tracing.traceparent()
        return store.accept({ ...input, origin: { ...currentOrigin(), ...(traceparent !== undefined && { traceparent }) } })
      }),
  }
}
