/** The file that excludes files of a docs directory from the site. */
export const ignoreFileName = '.mintignore'

/** The largest `.mintignore` that is read, in bytes. Every line is compared with every file. */
export const maxIgnoreFileBytes = 64 * 1024

/** Files that hosts ignore by default: directories of tools, files about the repository, and instructions for coding agents. */
const defaultIgnores = [
  ...['.git', '.github', '.claude', '.agents', '.idea', '.vscode', '.cache'],
  ...['node_modules', 'build', 'dist', 'coverage', 'tmp', 'temp'],
  ...['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'],
]

/**
 * Parses a `.mintignore`, which uses `.gitignore` syntax. Returns a function that matches ignored files by their path relative to
 * the docs directory. The last matching line wins, and `!` negates a pattern. As in Git, a file cannot be included again if one of
 * its directories is excluded.
 *
 * Packages for this syntax use regular expressions, which backtrack: a line such as `*a*a*a*a*ab` takes minutes. Matching here takes
 * at most path length times pattern length.
 *
 * Source: Git, "gitignore - Specifies intentionally untracked files to ignore".
 */
export function parseIgnoreFile(text: string): (path: string) => boolean {
  const rules = [...defaultIgnores, ...text.replace(/^\uFEFF/, '').split('\n')].flatMap((line) => readLine(line) ?? [])
  const decided = new Map<string, boolean>()
  const isMatch = (path: string, isFolder: boolean): boolean => {
    const steps = path.split('/')
    const rule = rules.findLast((one) => (isFolder || !one.isForFolders) && matchesSteps(one, steps))
    return rule?.isExclusion ?? false
  }
  const isFolderIgnored = (folder: string): boolean => {
    const known = decided.get(folder)
    if (known !== undefined) return known
    const end = folder.lastIndexOf('/')
    const isIgnored = (end > 0 && isFolderIgnored(folder.slice(0, end))) || isMatch(folder, true)
    decided.set(folder, isIgnored)
    return isIgnored
  }
  return (path) => {
    const end = path.lastIndexOf('/')
    return (end > 0 && isFolderIgnored(path.slice(0, end))) || isMatch(path, false)
  }
}

interface IgnoreRule {
  readonly isExclusion: boolean
  /** The pattern ends with `/`. */
  readonly isForFolders: boolean
  /** The pattern has no `/`, so it matches names in every directory. */
  readonly isName: boolean
  readonly steps: readonly (Glob | '**')[]
}

/** The longest line that is read. No path is longer. */
const maxLineLength = 4_096

function readLine(line: string): IgnoreRule | undefined {
  const written = line.replace(/\r$/, '').replace(/(?<!\\| ) +$/, '')
  if (written === '' || written.startsWith('#') || written.length > maxLineLength) return undefined
  const isExclusion = !written.startsWith('!')
  const pattern = isExclusion ? written : written.slice(1)
  const isForFolders = pattern.endsWith('/')
  const inner = isForFolders ? pattern.slice(0, -1) : pattern
  if (inner === '') return undefined
  const parts = (inner.startsWith('/') ? inner.slice(1) : inner).split('/')
  const steps: IgnoreRule['steps'][number][] = []
  for (const part of parts) {
    const step = part === '**' && parts.length > 1 ? part : readGlob(part)
    if (step === undefined) return undefined
    if (step !== '**' || steps.at(-1) !== '**') steps.push(step)
  }
  return { isExclusion, isForFolders, isName: !inner.includes('/'), steps }
}

/** Each step of `steps` is a name in the path. */
function matchesSteps({ isName, steps }: IgnoreRule, names: readonly string[]): boolean {
  const [first] = steps
  if (isName) return first !== undefined && first !== '**' && matchesGlob(first, names.at(-1) ?? '')
  // At the end, `**` matches everything inside a directory, but not the directory itself.
  const isInside = steps.at(-1) === '**'
  return matchesAll<Glob | '**', string>(isInside ? [...steps, anyName] : steps, names, '**', (step, name) => {
    return step !== '**' && matchesGlob(step, name)
  })
}

/** The characters of a name: one character, any character (`?`), a set of characters, or any number of them (`*`). */
interface Glob {
  readonly parts: readonly ('*' | '?' | CharacterSet | { readonly character: string })[]
}

const anyName: Glob = { parts: ['*'] }

interface CharacterSet {
  readonly isNegated: boolean
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

const classes: Readonly<Record<string, CharacterSet['ranges']>> = {
  alnum: toRanges('09', 'AZ', 'az'),
  alpha: toRanges('AZ', 'az'),
  blank: toRanges('  ', '\t\t'),
  digit: toRanges('09'),
  lower: toRanges('az'),
  punct: toRanges('!/', ':@', '[`', '{~'),
  space: toRanges('  ', '\t\r'),
  upper: toRanges('AZ'),
  xdigit: toRanges('09', 'AF', 'af'),
}

function toRanges(...pairs: readonly string[]): CharacterSet['ranges'] {
  return pairs.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)])
}

/** `undefined` if the pattern is invalid, so that it matches nothing. */
function readGlob(text: string): Glob | undefined {
  const parts: Glob['parts'][number][] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '*') {
      if (parts.at(-1) !== '*') parts.push('*')
    } else if (character === '?') parts.push('?')
    else if (character === '[') {
      const found = readSet(text, at + 1)
      if (!found) return undefined
      parts.push(found.set)
      at = found.end
    } else if (character === '\\') {
      at++
      if (at === text.length) return undefined
      parts.push({ character: text.charAt(at) })
    } else parts.push({ character })
  }
  return { parts }
}

/** Reads a set such as `[!a-z_]`. `start` is the position after the bracket, `end` that of the closing one. */
function readSet(text: string, start: number): { readonly set: CharacterSet; readonly end: number } | undefined {
  const isNegated = text.charAt(start) === '!' || text.charAt(start) === '^'
  const ranges: (readonly [number, number])[] = []
  let at = isNegated ? start + 1 : start
  for (let isFirst = true; isFirst || text.charAt(at) !== ']'; isFirst = false) {
    if (at >= text.length) return undefined
    const [whole = '', name = ''] = /^\[:([a-z]{1,10}):\]/.exec(text.slice(at, at + 14)) ?? []
    if (whole !== '') {
      const known = Object.hasOwn(classes, name) ? classes[name] : undefined
      if (!known) return undefined
      ranges.push(...known)
      at += whole.length
      continue
    }
    const readCharacter = () => {
      if (text.charAt(at) === '\\') at++
      return text.charCodeAt(at++)
    }
    const from = readCharacter()
    const isRange = text.charAt(at) === '-' && at + 1 < text.length && text.charAt(at + 1) !== ']'
    if (isRange) at++
    const to = isRange ? readCharacter() : from
    if (Number.isNaN(from) || Number.isNaN(to)) return undefined
    ranges.push([from, to])
  }
  return { set: { isNegated, ranges }, end: at }
}

function matchesGlob({ parts }: Glob, name: string): boolean {
  return matchesAll<Glob['parts'][number], string>(parts, name, '*', (part, character) => {
    if (part === '*' || part === '?') return part === '?'
    if ('character' in part) return part.character === character
    const code = character.charCodeAt(0)
    return part.ranges.some(([from, to]) => from <= code && code <= to) !== part.isNegated
  })
}

/**
 * Compares a pattern with a list. `any` in the pattern matches any number of elements. After a mismatch, only the last `any` has to
 * match more, so that the time is at most the product of the lengths.
 */
function matchesAll<Part, Element>(
  pattern: readonly Part[],
  list: ArrayLike<Element>,
  any: Part,
  isMatch: (part: Part, element: Element) => boolean,
): boolean {
  let at = 0
  let retry: { readonly at: number; readonly index: number } | undefined
  for (let index = 0; index < list.length; ) {
    const part = pattern[at]
    const element = list[index]
    if (part !== undefined && part === any) {
      at++
      retry = { at, index }
    } else if (part !== undefined && element !== undefined && isMatch(part, element)) {
      at++
      index++
    } else if (retry) {
      index = retry.index + 1
      at = retry.at
      retry = { at, index }
    } else return false
  }
  while (at < pattern.length && pattern[at] === any) at++
  return at === pattern.length
}
