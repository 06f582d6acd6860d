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

function toTest(pattern: string): (path: string) => boolean {
  const steps = pattern.replace(/^\.\//, '').split('/').map(toStep)
  if (steps.length === 1) {
    const [step] = steps
    return (path) => step !== undefined && matchesStep(step, path.slice(path.lastIndexOf('/') + 1))
  }
  return (path) => matchesSteps(steps, path.split('/'))
}

/** One step of a pattern between slashes: any number of steps, or tokens for characters. */
type Step = 'any-steps' | readonly Token[]

type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] }

function toStep(text: string): Step {
  if (text === '**') return 'any-steps'
  const tokens: Token[] = []
  const characters = [...text]
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? ''
    const next = characters[index + 1]
    const end = character === '[' ? findSetEnd(characters, index) : -1
    if (end !== -1) {
      tokens.push(toSet(characters.slice(index + 1, end).join('')))
      index = end
    } else if (character === '\\' && next !== undefined) {
      tokens.push({ kind: 'character', character: next })
      index++
    } else if (character === '?') tokens.push({ kind: 'one' })
    else if (character !== '*') tokens.push({ kind: 'character', character })
    // Several in a row match the same as one.
    else if (tokens.at(-1)?.kind !== 'many') tokens.push({ kind: 'many' })
  }
  return tokens
}

/** The index of the `]` that ends a set, which is not its first character. */
function findSetEnd(characters: readonly string[], start: number): number {
  const first = /[!^]/.test(characters[start + 1] ?? '') ? start + 2 : start + 1
  return characters.indexOf(']', first + 1)
}

function toSet(content: string): Token {
  const isNegated = /^[!^]/.test(content)
  const ranges = [...(isNegated ? content.slice(1) : content).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)].map(
    ([found, from = found, to = found]) => [from, to] as const,
  )
  return { kind: 'set', isNegated, ranges }
}

/** Tracks the steps of the pattern that can come next, so that the time is at most the product of both lengths. */
function matchesSteps(steps: readonly Step[], path: readonly string[]): boolean {
  let places = skip(steps, [0])
  for (const name of path) {
    const next: number[] = []
    for (const place of places) {
      const step = steps[place]
      if (step === undefined) continue
      // Like `*`, it does not match hidden files and folders.
      if (step === 'any-steps') {
        if (!name.startsWith('.')) next.push(...(place === steps.length - 1 ? [place, place + 1] : [place]))
      } else if (matchesStep(step, name)) next.push(place + 1)
    }
    places = skip(steps, next)
  }
  return places.has(steps.length)
}

/** `**` can match nothing, but not at the end: `a/**` does not match `a`. */
function skip(steps: readonly Step[], places: readonly number[]): ReadonlySet<number> {
  const found = new Set(places)
  // Iterating over a set includes what is added.
  for (const place of found) if (steps[place] === 'any-steps' && place < steps.length - 1) found.add(place + 1)
  return found
}

function matchesStep(step: Step, name: string): boolean {
  const tokens: readonly Token[] = step === 'any-steps' ? [{ kind: 'many' }] : step
  const [first] = tokens
  if (name.startsWith('.') && !(first?.kind === 'character' && first.character === '.')) return false
  let places = new Set([0])
  for (const character of name) {
    const next = new Set<number>()
    for (const place of places) {
      const token = tokens[place]
      if (!token) continue
      if (token.kind === 'many') {
        next.add(place)
        places.add(place + 1)
      } else if (matchesToken(token, character)) next.add(place + 1)
    }
    places = next
  }
  for (const place of places) if (tokens[place]?.kind === 'many') places.add(place + 1)
  return places.has(tokens.length)
}

function matchesToken(token: Token, character: string): boolean {
  if (token.kind === 'character') return token.character === character
  if (token.kind === 'set') return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.isNegated
  return true
}
