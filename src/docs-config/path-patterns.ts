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

/** What a host leaves out without being asked: folders of tools, and files about the repository. */
const usual = [
  ...[
    '.git',
    '.github',
    '.claude',
    '.agents',
    '.idea',
    '.vscode',
    'node_modules',
    'build',
    'dist',
    'coverage',
    '.cache',
    'tmp',
    'temp',
  ],
  ...['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
]

/**
 * Reads a `.mintignore`, in the language of `.gitignore`: tells which files of a docs root are no pages of the site. Paths are relative to the
 * docs root. The last line that fits a path decides; `!` takes back.
 */
export function parseIgnoreFile(text: string): (path: string) => boolean {
  const lines = [...usual, ...text.split(/\r?\n/)].flatMap((line) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const isTakenBack = trimmed.startsWith('!')
    const pattern = isTakenBack ? trimmed.slice(1) : trimmed
    const isAnchored = pattern.replace(/(?<!\/)\/+$/, '').includes('/')
    return { ignores: !isTakenBack, matches: toPathPattern(isAnchored ? pattern : `**/${pattern}`, '') }
  })
  return (path) => lines.findLast(({ matches }) => matches.test(path))?.ignores ?? false
}
