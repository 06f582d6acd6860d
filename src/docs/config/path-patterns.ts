/**
 * Creates a matcher for paths relative to the boundary from a pattern relative to a directory. `*` matches within one path
 * segment, `**` matches any segments, and a directory matches everything below it.
 *
 * Matching takes time proportional to path length times pattern length, even with many `*`.
 */
export function toPathPattern(pattern: string, folder: string): { test(path: string): boolean } {
  const trimmed = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/(?:\*\*\/)+/g, '**/')
  const prefix = folder === '' ? '' : `${folder}/`
  // Nearly all patterns have at most one wildcard, which a regular expression matches quickly.
  if (trimmed.split(/\*+/).length <= 2) return toExpression(trimmed, prefix)
  // Tokens with a leading bracket are literal. All others are wildcards.
  const tokens = [...[...prefix].map((character) => `[${character}`), ...readTokens(trimmed)]
  return { test: (path) => matchesTokens(tokens, path) }
}

function toExpression(pattern: string, prefix: string): RegExp {
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const source = pattern.replace(/\*\*\/|\*\*|\*|[^*]+/g, (found) => {
    if (found === '**/') return '(?:[^/]*/)*'
    if (found === '**') return '.*'
    return found === '*' ? '[^/]*' : quote(found)
  })
  return new RegExp(`^${quote(prefix)}${source}(?:/.*)?$`, 's')
}

function readTokens(pattern: string): string[] {
  return (pattern.match(/\*\*\/|\*\*|\*|[^*]/gu) ?? []).map((found) => (found.startsWith('*') ? found : `[${found}`))
}

/**
 * Tracks all pattern positions that match the path so far, one character at a time. A regular expression would backtrack over
 * every combination of the wildcards.
 */
function matchesTokens(tokens: readonly string[], path: string): boolean {
  let places = skipWildcards(tokens, new Set([0]))
  for (const character of path) {
    // A directory matches everything below it.
    if (character === '/' && places.has(tokens.length)) return true
    const next = new Set<number>()
    for (const place of places) {
      // Inside a segment matched by `**/`, the position is stored as position + 0.5.
      const token = tokens[Math.floor(place)]
      if (token === '**' || (token === '*' && character !== '/')) next.add(place)
      else if (token === '**/') next.add(Math.floor(place) + (character === '/' ? 0 : 0.5))
      else if (token === `[${character}`) next.add(place + 1)
    }
    places = skipWildcards(tokens, next)
  }
  return places.has(tokens.length)
}

/** A wildcard may match nothing. */
function skipWildcards(tokens: readonly string[], places: Set<number>): Set<number> {
  // Iterating over a set includes elements added during the iteration.
  for (const place of places) if (tokens[place]?.startsWith('*')) places.add(place + 1)
  return places
}
