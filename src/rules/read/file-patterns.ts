import {
  baseName,
  matchesName,
  matchesSteps,
  type NamePattern,
  type PatternStep,
  readNamePattern,
} from '../../text/plain/paths.ts'

/**
 * The file patterns of `overrides`, as Spectral reads them: those of minimatch 3 with `matchBase`.
 *
 * Source: minimatch, "Features" and "matchBase". Compares without regular expressions, whose time could be exponential.
 */

/** The result of reading a pattern. */
export type FilePattern =
  | {
      readonly kind: 'read'
      readonly test: (path: string) => boolean
      /** The characters of all alternatives. The time of a test is at most this number times the length of the path. */
      readonly size: number
    }
  | { readonly kind: 'failed'; readonly reason: string }

/** The most alternatives that the braces of one pattern may have. */
const maxAlternatives = 200

/** Reads a pattern such as `v2/**\/*.{json,yaml}`. A pattern without `/` matches the names of files in all folders. */
export function readFilePattern(pattern: string): FilePattern {
  if (pattern.length > 1_000) return { kind: 'failed', reason: 'it has more than 1,000 characters' }
  if (/[!+?*@]\(/.test(pattern)) return { kind: 'failed', reason: 'groups such as `!(…)` and `+(…)` are not supported' }
  const isNegated = pattern.startsWith('!')
  const alternatives = expandBraces(isNegated ? pattern.slice(1) : pattern)
  if (!alternatives) return { kind: 'failed', reason: `its braces have more than ${maxAlternatives} alternatives` }
  const tests = alternatives.map(toTest)
  if (!tests.every((test) => test !== undefined)) return { kind: 'failed', reason: 'it has a `[` without `]`' }
  const size = alternatives.reduce((sum, alternative) => sum + alternative.length + 1, 0)
  return { kind: 'read', test: (path) => tests.some((test) => test(path)) !== isNegated, size }
}

/** The strings that `{a,b}` and `{1..3}` stand for. Undefined if there are too many. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = []
  const left = [pattern]
  for (let current = left.pop(); current !== undefined; current = left.pop()) {
    const group = findGroup(current)
    if (!group) done.push(current)
    else for (const option of group.options) left.push(current.slice(0, group.start) + option + current.slice(group.end))
    if (done.length + left.length > maxAlternatives) return undefined
  }
  return done
}

/** The first group of braces with several alternatives. */
function findGroup(pattern: string): { start: number; end: number; options: readonly string[] } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const options: string[] = []
    let depth = 0
    let from = start + 1
    for (let end = start; end < pattern.length; end++) {
      const character = pattern[end]
      if (character === '{') depth++
      else if (character === ',' && depth === 1) {
        options.push(pattern.slice(from, end))
        from = end + 1
      } else if (character === '}' && --depth === 0) {
        const last = pattern.slice(from, end)
        const range = options.length === 0 ? toRange(last) : undefined
        if (range) return { start, end: end + 1, options: range }
        if (options.length > 0) return { start, end: end + 1, options: [...options, last] }
        break
      }
    }
  }
  return undefined
}

function toRange(text: string): readonly string[] | undefined {
  const [, from, to] = /^(\d{1,6})\.\.(\d{1,6})$/.exec(text) ?? []
  if (from === undefined || to === undefined || Number(to) < Number(from) || Number(to) - Number(from) > maxAlternatives)
    return undefined
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => String(Number(from) + index))
}

/** The test of a pattern without braces. Undefined if it has an error. */
function toTest(pattern: string): ((path: string) => boolean) | undefined {
  const steps: PatternStep[] = []
  for (const part of pattern.replace(/^\.\//, '').split('/')) {
    const step = part === '**' ? part : readNamePattern(part)
    if (!step) return undefined
    steps.push(step)
  }
  const isName = steps.length === 1
  return (path) => matchesSteps(steps, isName ? [baseName(path)] : path.split('/'), matchesVisible)
}

/** Wildcards do not match the dot of a hidden file or folder. */
function matchesVisible(pattern: NamePattern, name: string): boolean {
  const [first] = pattern
  const isDot = typeof first === 'object' && 'character' in first && first.character === '.'
  return (isDot || !name.startsWith('.')) && matchesName(pattern, name)
}
