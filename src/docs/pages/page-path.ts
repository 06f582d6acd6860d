import type { Finding } from '../../diagnostics/diagnostic.ts'
import { toWellFormed } from '../../text/plain/escape-text.ts'
import { normalizePath } from '../../text/plain/paths.ts'
import type { PageSubject } from './types.ts'

/** Maximum length of a file or directory name in UTF-8 bytes. Most file systems allow 255, including suffix and extension. */
const maxNameBytes = 200

/**
 * Returns the preferred path of a page, without extension: the directory follows from the first tag, and the name from the
 * summary, or else from method and path. Schemas have their own directory, and an overview is placed with the operations of its
 * group.
 *
 * Every segment is valid in URLs and on Windows. Two pages can have the same preferred path; see `createPathClaims`.
 */
export function toPagePath(subject: PageSubject, directory: string): string {
  const group = subject.binding.kind === 'schema' ? 'schemas' : (subject.tag ?? '')
  const folder = toSafeName(slug(group))
  return [toPageFolder(directory), folder, toPageName(subject)].filter(Boolean).join('/')
}

/** Returns the directory for pages, `''` for the docs directory. Hosts use lowercase. */
export function toPageFolder(directory: string): string {
  return toSafeSteps(directory).join('/')
}

function toPageName({ summary, pathName = summary, binding }: PageSubject): string {
  if (binding.kind === 'overview') return 'overview'
  if (binding.kind === 'schema') return toSchemaPageName(binding.name)
  const fromSummary = pathName === undefined ? '' : toSafeName(slug(pathName))
  if (fromSummary !== '') return fromSummary
  if (binding.kind === 'webhook') return toSafeName(slug(binding.name)) || 'webhook'
  return toSafeName(`${binding.method}-${slug(binding.pathTemplate)}`.toLowerCase())
}

/** The last segment of the path of a schema page. */
export function toSchemaPageName(name: string): string {
  return toSafeName(slug(name)) || 'schema'
}

/**
 * Returns the path from `x-mint.href`, without extension, relative to the docs directory.
 *
 * Returns `undefined` for other sites, for paths outside the docs directory, and for directories that start with a dot, which
 * belong to tools such as Git.
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
  const steps = toSafeSteps(withoutPageExtension(path).replaceAll(' ', '-'))
  return steps.length === 0 ? undefined : steps.join('/')
}

/**
 * Returns a function that assigns unique paths: the preferred one, or with a suffix `-1`, `-2` … if it is taken.
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

/** Paths with the same key collide on some file system or host. Case, Unicode normalization and extension are ignored. */
export function toPathKey(path: string): string {
  const name = withoutPageExtension(path)
  if (/^[\0-\x7f]*$/.test(name)) return name.toLowerCase()
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** Removes `.md` or `.mdx`. */
export function withoutPageExtension(path: string): string {
  return path.replace(/\.mdx?$/i, '')
}

function toSafeSteps(path: string): string[] {
  return path
    .split('/')
    .map((step) => toSafeName(step.toLowerCase()))
    .filter(Boolean)
}

/** Zero-width characters and direction controls, which make different names look alike. */
const invisibleCharacters = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Makes a file or directory name valid in URLs and on Windows. Returns `''` if nothing remains. */
export function toSafeName(name: string): string {
  const allowed = toWellFormed(name)
    .replace(/[<>:"|?*\\%#\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '')
    .replace(invisibleCharacters, '')
    .normalize('NFC')
    .replace(/(?<![. ])[. ]+$/, '')
  const named = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(allowed)
    ? allowed.replace(/^[^.]+/, '$&-')
    : allowed
  return truncateToBytes(named, maxNameBytes)
}

/** Truncates a string to a number of bytes. A hash of the rest keeps long names with the same prefix distinct. */
function truncateToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  const hash = toShortHash(text)
  let keptText = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > limit - hash.length - 1) break
    keptText += character
  }
  return `${keptText}-${hash}`
}

/** A 32-bit hash as hexadecimal digits (FNV-1a). Sufficient to distinguish long names, without loading a crypto module. */
export function toShortHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/**
 * Converts a summary, tag, path template or webhook name to a path segment. Changing this breaks existing page URLs.
 *
 * The result can contain characters that are invalid in URLs or file names; see `toPagePath`.
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

/** Reports an `x-mint.href` outside the docs directory. The page then uses its default path. */
export function reportHrefOutside({ file, pointer }: PageSubject, href: string): Finding {
  return {
    code: 'page-href',
    message: `Unexpected \`href\` \`${href}\`, expected a path inside the docs directory`,
    file,
    pointer: `${pointer}/x-mint/href`,
    hint: 'Change `href`, or remove it to use the default path',
  }
}
