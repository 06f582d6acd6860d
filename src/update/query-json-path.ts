import { createContext, Script } from 'node:vm'
import { JSONPathEnvironment, JSONPathError } from 'json-p3'
import type { NodePath, QueryNodes } from '../openapi/overlays/apply-overlay.ts'
import { toPointer } from '../openapi/walk.ts'
import { limitBounds } from '../source/limits.ts'

/** The most values that one query may select. */
const maxNodes = 1_000_000

/**
 * Creates an evaluator of JSONPath queries (RFC 9535). The queries share a time limit.
 *
 * A query can take exponential time, and so can its regular expressions. Only V8 can interrupt both, which `node:vm` gives access to. The
 * context is for the time limit, not for isolation: nothing of the query is executed as code.
 *
 * @param maxMs the most time for all queries. One over a document of 13 MB takes less than two seconds.
 */
export function createQueryNodes(maxMs = 30_000): QueryNodes {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: limitBounds.nesting.most + 1 })
  const work: { run: () => void } = { run: () => {} }
  const context = createContext({ work })
  const script = new Script('work.run()')
  let leftMs = maxMs
  return (value, query) => {
    if (leftMs < 1) return { kind: 'failed', reason: 'the queries before it took too long' }
    let paths: readonly NodePath[] | undefined = []
    const startedAt = performance.now()
    try {
      work.run = () => {
        paths = evaluate(environment, value, query)
      }
      script.runInContext(context, { timeout: Math.ceil(leftMs) })
    } catch (error) {
      return { kind: 'failed', reason: toReason(error) }
    } finally {
      leftMs -= performance.now() - startedAt
    }
    return paths ? { kind: 'found', paths } : { kind: 'failed', reason: `it selects more than ${maxNodes} values` }
  }
}

function evaluate(environment: JSONPathEnvironment, value: unknown, query: string): readonly NodePath[] | undefined {
  const found = new Map<string, NodePath>()
  // The library only reads the value, which is JSON.
  for (const { location } of environment.lazyQuery(query, value as Parameters<typeof environment.lazyQuery>[1])) {
    found.set(toPointer(location), location)
    if (found.size > maxNodes) return undefined
  }
  return [...found.values()]
}

function toReason(error: unknown): string {
  if (error instanceof JSONPathError) return `it is not a valid JSONPath query (${error.message})`
  // The error belongs to the context, so it is no instance of our `Error`.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'it takes too long'
  // The document is nested deeper than the library supports.
  if (error instanceof RangeError) return 'it needs too much memory'
  throw error
}
