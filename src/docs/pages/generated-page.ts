import { stringify } from 'yaml'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { toWellFormed } from '../../text/plain/escape-text.ts'
import { compareText } from '../../text/plain/lists.ts'
import { encodeUrl, joinPath, normalizePath, parentPath, toDiskKey } from '../../text/plain/paths.ts'
import { formatBinding } from '../navigation/docs-config.ts'
import { bindingKey } from '../navigation/read-divisions.ts'
import type { PageSubject } from './subjects.ts'

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
  const group = subject.binding.kind === 'schema' ? 'schemas' : (subject.pathTag ?? subject.tag ?? '')
  const folder = toSafeName(slug(group))
  // At the root of a site, such names are those of its own files: `_headers`.
  return [toPageFolder(directory), folder, toPageName(subject)]
    .filter(Boolean)
    .join('/')
    .replace(/^_+(?=[^/_])/, '')
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

/** The keys of paths where a site has its own pages. An operation named `Search` is beside them. */
export const reservedPaths = ['404', 'print', 'search', 'skill'].flatMap((path) => [path, `${path}/index`])

/** A file of a site, and the page that it is made from, or another name for its origin. Without, every site has it. */
export interface NamedSiteFile {
  readonly path: string
  readonly page?: string
  readonly name?: string
}

/** Reports two files of a site that no directory can contain together, in the same way for each file of the same two pages. */
export function toFileConflict(pair: readonly [NamedSiteFile, NamedSiteFile], toFile: (path: string) => string): Finding {
  const named = pair.map(({ path, page, name = `\`${path}\` of every site` }) => {
    return { file: page ?? path, text: page === undefined ? name : `page \`${page}\``, rank: page === undefined ? 1 : 0 }
  })
  const [first, second] = named.sort((a, b) => a.rank - b.rank || compareText(a.text, b.text))
  const message = `Cannot publish ${first?.text} beside ${second?.text}: no directory can contain the files of both`
  return { code: 'site-file-conflict', message, file: toFile(first?.file ?? ''), pointer: '', hint: 'Rename one of them' }
}

/** Paths with the same key collide on some file system or host. Case, Unicode normalization and extension are ignored. */
export function toPathKey(path: string): string {
  return toDiskKey(withoutPageExtension(path))
}

/** Removes `.md` or `.mdx`. */
export function withoutPageExtension(path: string): string {
  return path.replace(/\.mdx?$/i, '')
}

/** The path of a page in a site: without extension, and without `index`. */
export function toRoute(path: string): string {
  return withoutPageExtension(path).replace(/(?:^|\/)index$/, '')
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

/** The path from `x-mint.href`. Reports one outside the docs directory: the page then uses its default path. */
export function readHref(subject: PageSubject, findings: Finding[], toPath = toHrefPath): string | undefined {
  const href = subject.mint?.href
  const path = href === undefined ? undefined : toPath(href)
  if (href !== undefined && path === undefined) {
    const message = `Unexpected \`href\` \`${href}\`, expected a path inside the docs directory`
    const hint = 'Change `href`, or remove it to use the default path'
    findings.push({ code: 'page-href', message, file: subject.file, pointer: `${subject.pointer}/x-mint/href`, hint })
  }
  return path
}

interface PageContext {
  /** As written in the binding: a URL, or a path relative to the docs directory without a leading `/`. */
  readonly document: string
  /** The `version` of the enclosing division. */
  readonly version: string | undefined
}

/**
 * Renders a page: `title`, `description`, `openapi` or `openapi-schema`, `version`, `deprecated`, then `x-mint.metadata` and
 * `groups`, then `x-mint.content`.
 *
 * The frontmatter is always valid YAML with the same meaning in YAML 1.1 and 1.2. Metadata can override every key except the
 * binding.
 */
export function renderPage(subject: PageSubject, { document, version }: PageContext): string {
  const metadata = new Map(Object.entries(subject.mint?.metadata ?? {}))
  const { binding } = subject
  // Metadata must not change the binding of a generated page.
  for (const key of ['openapi', 'openapi-schema']) metadata.delete(key)
  const defaults: readonly (readonly [key: string, value: unknown])[] = [
    ['title', pageTitle(subject)],
    ['description', subject.description === undefined ? undefined : toUnixLines(subject.description).trimEnd()],
    ...(binding.kind === 'overview' ? [] : [[bindingKey(binding), formatBinding({ ...binding, file: document })] as const]),
    ['version', version],
    ['deprecated', subject.deprecated === true ? true : undefined],
  ]
  const frontmatter = new Map<string, unknown>()
  for (const [key, fallback] of defaults) {
    const value = metadata.has(key) ? metadata.get(key) : fallback
    if (value !== undefined) frontmatter.set(key, value)
    metadata.delete(key)
  }
  const groups = subject.mint?.groups
  if (groups !== undefined && !metadata.has('groups')) metadata.set('groups', groups)
  for (const [key, value] of metadata) frontmatter.set(key, value)
  const content = toUnixLines(subject.mint?.content ?? '')
    .replace(/^\n+/, '')
    .trimEnd()
  return toWellFormed(`---\n${toFrontmatterYaml(frontmatter)}---\n${content === '' ? '' : `\n${content}\n`}`)
}

function toUnixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/**
 * Returns the title of a page on one line: the summary, or else a title from method and path or from the webhook name. Schemas
 * use their name.
 */
export function pageTitle({ summary, binding }: PageSubject): string {
  if (summary !== undefined) return summary.trim().replace(/(?<!\s)\s*[\r\n]\s*/g, ' ')
  if (binding.kind === 'schema') return binding.name
  if (binding.kind === 'overview') return 'Overview'
  if (binding.kind === 'webhook') return toSentence(toWords(binding.name)) || binding.name
  const steps = binding.pathTemplate.split('/').filter(Boolean)
  const parameter = /^\{([^{}]+)\}$/.exec(steps.at(-1) ?? '')?.[1]
  const words = steps.filter((step) => !/^\{[^{}]*\}$/.test(step)).flatMap((step) => toWords(step.replace(/\{[^{}]*\}/g, ' ')))
  const by = parameter === undefined ? [] : ['by', ...toWords(parameter)]
  return toSentence([binding.method, ...words, ...by])
}

/** Splits `orderShipped`, `order.shipped`, `order_shipped` and `orderID` into two words each. */
function toWords(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
}

function toSentence(words: readonly string[]): string {
  const text = words.map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Formats frontmatter with one line per value, with the same meaning in YAML 1.1 and 1.2.
 *
 * Common values are formatted here, because the `yaml` package is much slower.
 */
export function toFrontmatterYaml(frontmatter: ReadonlyMap<string, unknown>): string {
  if (frontmatter.size === 0) return toYaml(frontmatter)
  return [...frontmatter].map(([key, value]) => toQuickYaml(key, value) ?? toYaml(new Map([[key, value]]))).join('')
}

function toYaml(values: ReadonlyMap<string, unknown>): string {
  return stringify(values, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

const plainKeys = new Set(['title', 'description', 'openapi', 'openapi-schema', 'deprecated', 'sidebarTitle'])

/** Starts with a letter, has several words and no control characters, so it cannot be a YAML keyword, number or date. */
const plainText = /^(?=[^ \n]+[ \n])[A-Za-z][\x20-\x7e\n\u00a1-\u1fff\u2010-\u2027]*[\x21-\x7e\u00a1-\u167f\u2010-\u2027]$/

function toQuickYaml(key: string, value: unknown): string | undefined {
  if (!plainKeys.has(key)) return undefined
  if (typeof value === 'boolean') return `${key}: ${value}\n`
  if (typeof value !== 'string' || !plainText.test(value)) return undefined
  if (value.includes('\n')) return `${key}: |-\n  ${value.replace(/\n+/g, '$&  ')}\n`
  return /: |:$| #/.test(value) ? undefined : `${key}: ${value}\n`
}

/**
 * All untrusted text passes through here before it becomes MDX, which evaluates expressions in braces and `import` statements,
 * and parses tags.
 *
 * No text from an OpenAPI document can run code, produce HTML, or link to anything but a page or a URL with one of `linkSchemes`.
 */

/**
 * Converts the Markdown of a document to MDX. Headings, lists, tables, links and code are preserved. HTML and expressions become
 * plain text.
 */
export function escapeMdx(markdown: string): string {
  const out: string[] = []
  let text: string[] = []
  let fence: string | undefined
  const endText = () => {
    if (text.length > 0) out.push(escapeBlocks(text.join('\n')))
    text = []
  }
  for (const line of markdown
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .trim()
    .split('\n')) {
    if (fence !== undefined) {
      out.push(line)
      if (isEndOf(fence, line)) fence = undefined
      continue
    }
    // An indented fence may belong to a list and end elsewhere. Its code is escaped like any text.
    const [, marks, words = ''] = /^(`{3,}(?!`)(?!.*`)|~{3,}(?!~))(.*)$/.exec(line) ?? []
    if (marks === undefined) text.push(line)
    else {
      endText()
      fence = marks
      out.push(marks + (/^[ \t]*([\w+#.-]*)/.exec(words)?.[1] ?? ''))
    }
  }
  endText()
  if (fence !== undefined) out.push(fence)
  return out.join('\n')
}

/** Renders plain text on one line, without Markdown or MDX syntax. */
export function renderMdxText(text: string): string {
  return toEntities(toOneLine(text), /[&<>{}[\]()\\`*_~$|#!:@]|^[-+=]|^\d+(?=[.)])/g)
}

/** Renders code on one line. */
export function renderMdxCode(text: string): string {
  const line = toOneLine(text)
  if (line !== '' && !/[`{}<>&|$~\\]/.test(line)) return `\`${line}\``
  return `<code>${renderMdxText(line)}</code>`
}

/** Returns the link target if it is an `http` or `https` URL or a page path, otherwise `undefined`. */
export function toSafeLink(target: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))/i.test(target)) return undefined
  const encoded = encodeUrl(target.replace(/[\ud800-\udfff]/gu, ''))
  return encoded.replace(/%25(?=[0-9a-f]{2})/gi, '%').replace(/[()'"*_~$\\|{}<>`&]/g, (sign) => {
    return sign === '&' ? '&amp;' : `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

function isEndOf(fence: string, line: string): boolean {
  const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? []
  return marks.startsWith(fence)
}

/**
 * All other links become text. An allowlist is needed because script schemes can be written in too many ways. A test compares it with
 * `linkSchemes`.
 */
const unsafeLink = /\](?=[(:])(?!\(\s*(?:(?:https?|mailto|tel):|[#/?]|\.{1,2}\/|[\w./-]*[)#?\s])|:\s*(?:https?:\/\/|[#/]))/gi

/** Decides what is code. Remaining backticks are escaped so that MDX finds no other code. */
function escapeBlocks(text: string): string {
  const parts = text.split(/(?<![`\\])(`{1,2})(?!`)([^`\n]+)\1(?!`)/)
  return parts
    .map((part, index) => {
      if (index % 3 === 1) return ''
      return index % 3 === 2 ? renderMdxCode(part.replace(/^ (.*) $/, '$1')) : escapeText(part)
    })
    .join('')
}

function escapeText(text: string): string {
  return toEntities(text, /[<{}$`]|~{3,}|&(?![a-z]{2,8};)|^(?=[ \t]*(?:import|export)\b)/gim).replace(unsafeLink, '&#93;')
}

/** MDX reads a character reference as text everywhere. A backslash would be part of the output in code. */
function toEntities(text: string, signs: RegExp): string {
  return text.replace(signs, (found) =>
    found === '' ? '&#8203;' : [...found].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  )
}

function toOneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/g, ' ').trim()
}

/**
 * Finds pages that are snippets of other pages: those in a `snippets` or `_snippets` directory, and those imported by another
 * page. Paths are relative to the docs directory and include the extension.
 */
export function findSnippets(pages: ReadonlyMap<string, string>): Set<string> {
  const snippets = new Set<string>()
  for (const [path, text] of pages) {
    if (/(^|\/)_?snippets\//.test(path)) snippets.add(path)
    if (!text.includes('import ')) continue
    for (const [, imported = ''] of text.matchAll(/^[ \t]*import\s[^'"\n\r\u2028\u2029]*?from\s*['"]([^'"\n]+\.mdx?)['"]/gm)) {
      const target = imported.startsWith('/') ? normalizePath(imported) : joinPath(parentPath(path), imported)
      if (target !== path && pages.has(target)) snippets.add(target)
    }
  }
  return snippets
}
