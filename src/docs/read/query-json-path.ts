import { JSONPathEnvironment, JSONPathError } from 'json-p3'
import type { NodePath, QueryNodes } from '../../openapi/overlays/parse-overlay.ts'
import { toPointer } from '../../text/json/json-values.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import { createTimeLimit } from './time-limit.ts'

/** The most values that one query may select. */
const maxNodes = 1_000_000

/**
 * Creates an evaluator of JSONPath queries (RFC 9535). The queries share a time limit, because a query can take exponential time, and so
 * can its regular expressions.
 *
 * @param maxMs the most time for all queries. One over a document of 13 MB takes less than two seconds.
 */
export function createQueryNodes(maxMs = 30_000): QueryNodes {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: limitBounds.nesting.most + 1 })
  const runWithin = createTimeLimit(maxMs)
  return (value, query) => {
    let paths: readonly NodePath[] | undefined = []
    try {
      const end = runWithin(() => {
        paths = evaluate(environment, value, query)
      })
      if (end !== 'finished') return { kind: 'failed', reason: reasons[end] }
    } catch (error) {
      if (error instanceof JSONPathError) return { kind: 'failed', reason: `it is not a valid JSONPath query (${error.message})` }
      throw error
    }
    return paths ? { kind: 'found', paths } : { kind: 'failed', reason: `it selects more than ${maxNodes} values` }
  }
}

const reasons = {
  'too-long': 'it takes too long',
  // The document is nested deeper than the library supports.
  'too-much-memory': 'it needs too much memory',
  'no-time': 'the queries before it took too long',
} as const

function evaluate(environment: JSONPathEnvironment, value: unknown, query: string): readonly NodePath[] | undefined {
  const found = new Map<string, NodePath>()
  // The library only reads the value, which is JSON.
  for (const { location } of environment.lazyQuery(query, value as Parameters<typeof environment.lazyQuery>[1])) {
    found.set(toPointer(location), location)
    if (found.size > maxNodes) return undefined
  }
  return [...found.values()]
}
