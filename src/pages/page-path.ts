import type { Finding } from '../diagnostics/diagnostic.ts'
import { toWellFormed } from '../source/escape-text.ts'
import { normalizePath } from '../source/relative-path.ts'
import type { PageSubject } from './types.ts'

/** Longest name of a file or folder, in bytes of UTF-8; the limit of most disks is 255, and a suffix and an extension follow. */
const maxNameBytes = 200

/**
 * The path that a page asks for, without extension: folder by first tag, name by summary, else by method and path. Schemas go by their name
 * into a folder of their own, and an overview goes to where the operations of its group are.
 *
 * Every part is fit for a URL and for Windows. Two pages may ask for the same path: see `createPathClaims`.
 */
export function toPagePath(subject: PageSubject, directory: string): string {
  const group = subject.binding.kind === 'schema' ? 'schemas' : (subject.tag ?? '')
  const folder = toSafeName(slug(group))
  return [toPageFolder(directory), folder, toPageName(subject)].filter(Boolean).join('/')
}

/** The folder that a `directory` gives: `''` for the docs root. Hosts know it in lower case. */
export function toPageFolder(directory: string): string {
  return toSafeSteps(directory).join('/')
}

function toPageName({ summary, binding }: PageSubject): string {
  if (binding.kind === 'overview') return 'overview'
  if (binding.kind === 'schema') return toSafeName(slug(binding.name)) || 'schema'
  const fromSummary = summary === undefined ? '' : toSafeName(slug(summary))
  if (fromSummary !== '') return fromSummary
  if (binding.kind === 'webhook') return toSafeName(slug(binding.name)) || 'webhook'
  return toSafeName(`${binding.method}-${slug(binding.pathTemplate)}`.toLowerCase())
}

/**
 * The path that `x-mint.href` asks for, without extension, relative to the docs root.
 *
 * Returns `undefined` for one that leads out of the docs root, to another site, or into a folder whose name begins with a dot: those belong
 * to tools such as git.
 */
export function toHrefPath(href: string): string | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href.trim())) return undefined
  const path = normalizePath(
    href
      .trim()
      .replaceAll('\\', '/')
      .replace(/[?#].*$/s, ''),
  )
  if (/(^|\/)\./.test(path)) return undefined
  const steps = toSafeSteps(path.replace(/\.mdx?$/i, '').replaceAll(' ', '-'))
  return steps.length === 0 ? undefined : steps.join('/')
}

/**
 * Starts giving out paths: each page gets the one it wants, or with `-1`, `-2` … when another page has it.
 *
 * `taken` has the keys (see `toPathKey`) of all pages that keep their paths.
 */
export function createPathClaims(taken: Iterable<string>): (wanted: string) => string {
  const keys = new Set(taken)
  const nextCounts = new Map<string, number>()
  return (wanted) => {
    const wantedKey = toPathKey(wanted)
    let path = wanted
    let key = wantedKey
    let count = nextCounts.get(wantedKey) ?? 0
    const number = () => {
      path = `${wanted}-${count}`
      key = toPathKey(path)
    }
    if (count > 0) number()
    while (keys.has(key)) {
      count++
      number()
    }
    nextCounts.set(wantedKey, count + 1)
    keys.add(key)
    return path
  }
}

/** Two paths with the same key are one page on some disk or host: case, Unicode form and extension make no difference. */
export function toPathKey(path: string): string {
  const withoutExtension = path.replace(/\.mdx?$/i, '')
  if (/^[\0-\x7f]*$/.test(withoutExtension)) return withoutExtension.toLowerCase()
  return withoutExtension.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

function toSafeSteps(path: string): string[] {
  return path
    .split('/')
    .map((step) => toSafeName(step.toLowerCase()))
    .filter(Boolean)
}

/** Blanks without width, and marks that change the direction of what follows: two names with them look like one, or like another. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** A name of a file or folder as it is fit for a URL and for Windows; `''` where nothing of it is. */
export function toSafeName(name: string): string {
  const allowed = toWellFormed(name)
    .replace(/[<>:"|?*\\%#\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '')
    .replace(invisible, '')
    .normalize('NFC')
    .replace(/(?<![. ])[. ]+$/, '')
  const named = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(allowed)
    ? allowed.replace(/^[^.]+/, '$&-')
    : allowed
  return cutToBytes(named, maxNameBytes)
}

/** Cuts a text to a number of bytes. What is cut off goes into a hash, so that long names that begin alike stay apart. */
function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  const hash = toShortHash(text)
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > limit - hash.length - 1) break
    kept += character
  }
  return `${kept}-${hash}`
}

/** 32 bits of a text as hexadecimal digits (FNV-1a): enough to keep long names apart, and no reason to load a module for. */
function toShortHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/**
 * The part of a page's path that a summary, tag, path template or webhook name gives. Links of readers depend on every step of it.
 *
 * Keeps what is not named here, so the result can still be unfit for a URL or a disk: see `toPagePath`.
 */
export function slug(text: string): string {
  return text
    .replaceAll(' ', '-')
    .replace(/\{[^{}]*\}/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '')
    .replace(/[{}(),.'\n/]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}

/** The finding for an `x-mint.href` that would put a page where it may not be; the page is then put where it would be without. */
export function hrefOutside({ file, pointer }: PageSubject, href: string): Finding {
  return {
    code: 'page-href',
    message: `Unexpected \`href\` \`${href}\`, expected a path below the docs root`,
    file,
    pointer: `${pointer}/x-mint/href`,
    hint: 'the page stays at the path it would have without `href`',
  }
}
