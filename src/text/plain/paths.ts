import { countShared } from './lists.ts'

/** Removes `.` and `..` steps and doubled slashes. Steps above the top stay as leading `..`; the top itself is `''`. */
export function normalizePath(path: string): string {
  // Most have nothing to remove.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) return path
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}

/** Joins two relative paths with `/` and normalizes the result. */
export function joinPath(folder: string, path: string): string {
  // References lead up at their start, and from folders that are normalized: what is left to join has then nothing to remove.
  let above = folder
  let below = path
  while (below.startsWith('../') && above !== '' && !above.endsWith('.') && !above.endsWith('/')) {
    above = parentPath(above)
    below = below.slice(3)
  }
  return normalizePath(above === '' ? below : `${above}/${below}`)
}

/** The folder of a path, `''` for a file at the top. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Whether a file is in a directory around another path. Both are relative to the same directory, and a URL is around none. */
export function isAround(file: string, path: string): boolean {
  const folder = parentPath(file)
  return !isUrl(file) && (folder === '' || path.startsWith(`${folder}/`))
}

/** The last step of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Paths with the same key are one file on some file system or host. Case and Unicode normalization are ignored. */
export function toDiskKey(path: string): string {
  if (/^[\0-\x7f]*$/.test(path)) return path.toLowerCase()
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** Files that one folder can contain. */
interface FileClaims<File> {
  /** The file with the name of another one, or with a folder in place of it or the reverse. */
  find(path: string): File | undefined
  /** Adds a file, or returns the one that has its place already. */
  claim(file: File): File | undefined
}

/** Makes an empty list of files. */
export function createFileClaims<File extends { readonly path: string }>(): FileClaims<File> {
  const files = new Map<string, File>()
  /** The first file below each folder. */
  const folders = new Map<string, File>()
  const listAbove = (key: string): string[] => (key === '' ? [] : [key, ...listAbove(parentPath(key))])
  const find = ([key = '', ...above]: readonly string[]) =>
    folders.get(key) ?? files.get([key, ...above].find((place) => files.has(place)) ?? '')
  return {
    find: (path) => find(listAbove(toDiskKey(path))),
    claim(file) {
      const [key = '', ...above] = listAbove(toDiskKey(file.path))
      const other = find([key, ...above])
      if (other) return other
      files.set(key, file)
      for (const folder of above) if (!folders.has(folder)) folders.set(folder, file)
      return undefined
    },
  }
}

/** How to say `path` as seen from `folder`; both relative to the same top, with `/`. */
export function relativePath(folder: string, path: string): string {
  const from = normalizePath(folder).split('/').filter(Boolean)
  const to = normalizePath(path).split('/').filter(Boolean)
  const shared = countShared(from, to)
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

/** Whether a file has the extension of a page. */
export function isPageFile(path: string): boolean {
  return /\.mdx?$/i.test(path)
}

/** Whether a file can be an OpenAPI document: JSON or YAML. */
export function isDataFile(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path)
}

/** Removes the extension of a JSON or YAML file. */
export function withoutDocumentExtension(path: string): string {
  return path.replace(/\.(?:json|ya?ml)$/i, '')
}

/** Encodes text for a part of a URL. Lone surrogates, which cannot be encoded, become U+FFFD. */
export function encodeUrlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Encodes a path for a URL, except its `/`. */
export function encodeFilePath(path: string): string {
  return path.split('/').map(encodeUrlPart).join('/')
}

/** Encodes what a whole URL cannot contain, such as spaces. Lone surrogates become U+FFFD. */
export function encodeUrl(text: string): string {
  return encodeURI(text.toWellFormed())
}

/** The schemes of URLs that text from a document or page may link to. Browsers run no code for them. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Images can be embedded, except SVG, which can contain scripts. */
const embeddedImage = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i

/** A URL that `isAllowedUrl` accepts, or that is our own. All `href` and `src` of a site have this type, see test/untrusted-text.test.ts. */
export type AllowedUrl = string & { readonly isAllowedUrl: true }

/**
 * Whether a site may link to a URL, or show it as an image (`media`): paths, fragments, and URLs with an allowed scheme. The only judge of the
 * URLs in pages, feeds and other files of a site.
 *
 * Reads a URL like browsers, which ignore control characters, whitespace (`java\nscript:`) and the case of the scheme. They also read `\` as `/`
 * (`/\evil.example`), which is refused, because nobody means a host with it.
 */
export function isAllowedUrl(url: string, use: 'link' | 'media'): url is AllowedUrl {
  const bare = url.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  const scheme = /^[^/?#:]*(?=:)/.exec(bare)?.[0].toLowerCase()
  if (scheme === 'data') return use === 'media' && embeddedImage.test(bare)
  if (/^[^?#]*\\/.test(bare)) return false
  if (scheme === 'http' || scheme === 'https') return /^[a-z]+:\/\/[^/?#]/i.test(bare)
  return scheme === undefined || (use === 'link' && linkSchemes.includes(scheme))
}

/** Tells an address from a path. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** Percent-decodes a string. Returns it unchanged if it contains an invalid escape, such as a stray `%`. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A step of a path pattern: any number of steps (`**`), or the pattern of a name. */
export type PatternStep = '**' | NamePattern

/** The parts of a name: one character, any character (`?`), a set of characters, or any number of them (`*`). */
export type NamePattern = readonly ('*' | '?' | CharacterSet | { readonly character: string })[]

interface CharacterSet {
  readonly isNegated: boolean
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** The first and last characters of the ranges of each class. */
const classes: Readonly<Record<string, readonly string[]>> = {
  alnum: ['09', 'AZ', 'az'],
  alpha: ['AZ', 'az'],
  blank: ['  ', '\t\t'],
  digit: ['09'],
  lower: ['az'],
  punct: ['!/', ':@', '[`', '{~'],
  space: ['  ', '\t\r'],
  upper: ['AZ'],
  xdigit: ['09', 'AF', 'af'],
}

/** Reads the pattern of a name, as in `.gitignore`. `undefined` if it is invalid, so that it matches nothing. */
export function readNamePattern(text: string): NamePattern | undefined {
  const parts: NamePattern[number][] = []
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
  return parts
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
      for (const pair of known) ranges.push([pair.charCodeAt(0), pair.charCodeAt(1)])
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

/** Whether a pattern matches the names of a path. At its end, `**` matches everything inside a folder, but not the folder itself. */
export function matchesSteps(
  steps: readonly PatternStep[],
  names: readonly string[],
  matches: (pattern: NamePattern, name: string) => boolean = matchesName,
): boolean {
  const all = steps.at(-1) === '**' ? [...steps, anyName] : steps
  return matchesAll<PatternStep, string>(
    all,
    names,
    '**',
    (step, name) => step !== '**' && matches(step, name),
    (name) => matches(anyName, name),
  )
}

const anyName: NamePattern = ['*']

export function matchesName(pattern: NamePattern, name: string): boolean {
  return matchesAll<NamePattern[number], string>(pattern, name, '*', (part, character) => {
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
  mayBeAny: (element: Element) => boolean = () => true,
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
    } else if (retry && mayBeAny(list[retry.index] as Element)) {
      index = retry.index + 1
      at = retry.at
      retry = { at, index }
    } else return false
  }
  while (at < pattern.length && pattern[at] === any) at++
  return at === pattern.length
}

/**
 * Whether a whole text matches a pattern in which a wildcard matches any characters.
 *
 * Compares without regular expressions, whose time could be exponential in the number of wildcards.
 */
export function matchWildcards(text: string, pattern: string, wildcard: string): boolean {
  const [first = '', ...rest] = pattern.split(wildcard)
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
