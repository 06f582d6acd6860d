/**
 * Makes a matcher of paths relative to the boundary from a pattern relative to a folder: `*` stands for anything in one step, `**` for
 * any steps; a folder stands for all below it.
 *
 * A comparison takes time in proportion to the length of the path times that of the pattern, also with many `*`.
 */
export function toPathPattern(pattern: string, folder: string): { test(path: string): boolean } {
  const trimmed = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/(?:\*\*\/)+/g, '**/')
  const prefix = folder === '' ? '' : `${folder}/`
  // Nearly all patterns have one wildcard, which a regular expression compares in no time.
  if (trimmed.split(/\*+/).length <= 2) return toExpression(trimmed, prefix)
  // What begins with a bracket is literal; the others are wildcards.
  const tokens = [...[...prefix].map((character) => `[${character}`), ...readTokens(trimmed)]
  return { test: (path) => fits(tokens, path) }
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
 * Follows all places of the pattern that the path read so far can be at, one character at a time. A regular expression would try each
 * way to share the path out between the wildcards.
 */
function fits(tokens: readonly string[], path: string): boolean {
  let places = skipWildcards(tokens, new Set([0]))
  for (const character of path) {
    // A folder stands for all below it.
    if (character === '/' && places.has(tokens.length)) return true
    const next = new Set<number>()
    for (const place of places) {
      // Inside a step of `**/`, which ends at a slash: kept as the place and a half.
      const token = tokens[Math.floor(place)]
      if (token === '**' || (token === '*' && character !== '/')) next.add(place)
      else if (token === '**/') next.add(Math.floor(place) + (character === '/' ? 0 : 0.5))
      else if (token === `[${character}`) next.add(place + 1)
    }
    places = skipWildcards(tokens, next)
  }
  return places.has(tokens.length)
}

/** A wildcard may stand for nothing. */
function skipWildcards(tokens: readonly string[], places: Set<number>): Set<number> {
  // A set also goes over what is added on the way.
  for (const place of places) if (tokens[place]?.startsWith('*')) places.add(place + 1)
  return places
}
