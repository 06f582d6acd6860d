/** Longer expressions are refused. */
const maxLength = 10_000

/** Compiled expressions that are kept. */
const maxCached = 1_000

/** A compiled expression, or the reason why it cannot be compiled. */
interface Expression {
  readonly compiled?: RegExp
  readonly reason?: string
}

const cache = new Map<string, Expression>()

/**
 * Compiles a regular expression of a ruleset, as it is or between slashes with flags: `/^get/i`.
 *
 * A hostile expression can take exponential time on a short string. The caller has to run all rules within a time limit, which interrupts
 * it.
 */
export function compileExpression(expression: string): Expression {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/.exec(expression) ?? []
  return source === undefined ? compilePattern(expression) : compilePattern(source, flags)
}

/** Compiles the pattern of a JSON Schema. See `compileExpression`. */
export function compilePattern(pattern: string, flags = ''): Expression {
  const key = `${flags}/${pattern}`
  const known = cache.get(key)
  if (known) return known
  if (cache.size >= maxCached) cache.clear()
  const compiled = compile(pattern, flags)
  cache.set(key, compiled)
  return compiled
}

function compile(pattern: string, flags: string): Expression {
  if (pattern.length > maxLength) return { reason: `longer than ${maxLength} characters` }
  try {
    return { compiled: new RegExp(pattern, flags) }
  } catch (error) {
    // The message of the engine ends with the reason: "Invalid regular expression: /(/: Unterminated group".
    return { reason: error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : '' }
  }
}
