import { stringify } from 'yaml'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { readText, setOwn } from '../../text/json/json-values.ts'
import { toWellFormed } from '../../text/plain/escape-text.ts'
import { isUrl, parentPath, relativePath } from '../../text/plain/paths.ts'
import { pageTitle, readHref } from '../pages/generated-page.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import { formatYamlText } from '../pages/page-bindings.ts'
import { type DeclaredSource, dropDeepMetadata, type PageSubject } from '../pages/subjects.ts'
import { mostCommon, type Sibling } from './adopted-operations.ts'
import { listTextSources, type TextSource, textSources } from './adopted-page.ts'
import { derivePath, findFolderRule, findNameRule } from './derive-path.ts'

/** Writes a new page next to adopted ones. Its path has no extension. */
export function writeLikeSiblings(
  found: PageSubject,
  { source, siblings }: { readonly source: DeclaredSource; readonly siblings: readonly Sibling[] },
  findings: Finding[],
): RenderedPage & { readonly path: string } {
  const subject = dropDeepMetadata(found, findings)
  const path = readHref(subject, findings) ?? derivePath(subject, siblings)
  const place = { folder: parentPath(path), document: source.source }
  return { ...renderLikeSiblings(subject, siblings, place), path }
}

/** A readable description of how the pages of an area are written, which new pages follow. */
export interface PagePattern {
  /** `api/<tag>`, or the most common directory. */
  readonly folder: string
  /** What files are named after. Absent if there is no rule. */
  readonly name: string | undefined
  readonly extension: string
  /** The source of titles. Absent if there are none, or if they follow no rule. */
  readonly title: string | undefined
  /** Frontmatter keys in order. */
  readonly keys: readonly string[]
  /** The binding of one page as written, including quotes. */
  readonly binding: string
  /** Whether most pages have the same body. */
  readonly sharesBody: boolean
}

/** Detects how most of the pages are written. `undefined` for an empty list. */
export function describePattern(siblings: readonly Sibling[]): PagePattern | undefined {
  const first = siblings[0]
  if (!first) return undefined
  const folders = findFolderRule(siblings)
  const usual = mostCommon(siblings, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  const tail = mostCommon(siblings, ({ parts }) => parts.tail)
  const bindingOf = ({ parts }: Sibling) => parts.entries.find(({ key }) => key === 'openapi')?.raw ?? ''
  const spelling = mostCommon(siblings, (sibling) => toSpelling(bindingOf(sibling)))
  const model = siblings.find((sibling) => toSpelling(bindingOf(sibling)) === spelling?.value)
  return {
    folder: folders ? [folders.base, '<tag>'].filter(Boolean).join('/') : (usual?.value.replace(/\/$/, '') ?? ''),
    name: findNameRule(siblings),
    extension: mostCommon(siblings, ({ path }) => path.slice(path.lastIndexOf('.')))?.value ?? '.mdx',
    title: findCommonSource('title', siblings),
    keys: listKeys(siblings),
    binding: bindingOf(model ?? first),
    sharesBody: tail !== undefined && tail.value.trim() !== '' && tail.count * 2 > siblings.length,
  }
}

/** Returns the parts of a binding that are the same on all pages. */
function toSpelling(raw: string): string {
  return raw
    .replace(/(?<![^\s"'])([^\s"'/]*)\/[^\s"']*(["']?)$/, '$1/$2')
    .replace(/\b(get|put|post|delete|options|head|patch|trace)\b/, 'method')
    .replace(/\b(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\b/, 'METHOD')
}

/** The location of a new page. */
interface PagePlacement {
  /** Relative to the docs directory. */
  readonly folder: string
  /** A URL, or a path relative to the docs directory. */
  readonly document: string
}

/** A page modeled on its siblings. */
interface RenderedPage {
  readonly content: string
  readonly extension: '.mdx' | '.md'
  readonly adopted: NonNullable<LockedPage['adopted']>
}

/**
 * Renders a page in the style of its siblings. It has the keys that most of them have, with their order, quotes and text sources,
 * their spelling of the binding, and the content after their frontmatter. Values that most siblings share are copied.
 *
 * `x-mint` of the operation takes precedence.
 */
function renderLikeSiblings(subject: PageSubject, siblings: readonly Sibling[], place: PagePlacement): RenderedPage {
  const ofTag = siblings.filter((sibling) => sibling.subject.tag === subject.tag)
  const models = ofTag.length >= 2 ? ofTag : siblings
  const metadata = new Map(Object.entries(subject.mint?.metadata ?? {}))
  const groups = subject.mint?.groups
  if (groups !== undefined && !metadata.has('groups')) metadata.set('groups', groups)
  const follows: { [key: string]: string } = {}
  const lines: string[] = []
  for (const key of listKeys(models)) {
    const given = key === 'openapi' ? undefined : metadata.get(key)
    metadata.delete(key)
    const line = given !== undefined ? formatMetadata(key, given) : formatLine(key, subject, models, place, follows)
    if (line !== undefined) lines.push(line)
  }
  const isMarked = lines.some((line) => line.startsWith('deprecated:')) || metadata.has('deprecated')
  if (subject.deprecated === true && !isMarked) lines.push('deprecated: true')
  metadata.delete('openapi')
  for (const [key, value] of metadata) lines.push(formatMetadata(key, value))
  const lineEnd = mostCommon(models, ({ parts }) => parts.lineEnd)?.value ?? '\n'
  const content = subject.mint?.content?.replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd() ?? ''
  const tail = content === '' ? findTail(models) : `\n\n${content}\n`
  const text = `---\n${lines.join('\n')}\n---${tail.replaceAll('\r\n', '\n')}`
  const extension = mostCommon(models, ({ path }) => (path.endsWith('.md') ? '.md' : '.mdx'))?.value ?? '.mdx'
  return { content: toWellFormed(text.replaceAll('\n', lineEnd)), extension, adopted: follows }
}

/** Keys of more than half of the pages, in the order of the page with the most common key list. */
function listKeys(models: readonly Sibling[]): string[] {
  const lists = models.map(({ parts }) => parts.entries.map(({ key }) => key))
  const order = mostCommon(lists, (keys) => keys.join('\n'))?.value.split('\n') ?? []
  const isUsual = (key: string) => lists.filter((keys) => keys.includes(key)).length * 2 > models.length
  const all = [...new Set([...order, ...lists.flat()])].filter(isUsual)
  return all.includes('openapi') ? all : [...all, 'openapi']
}

/** The most common source of a key's text, if it applies to most pages with the key. */
function findCommonSource(key: string, models: readonly Sibling[]): TextSource | undefined {
  const having = models.filter(({ values }) => readText(values, key) !== undefined)
  const counts = listTextSources().map((name) => {
    const fits = ({ values, follows, subject }: Sibling) => {
      const known = readText(follows, key)
      return known === undefined ? readText(values, key)?.trim() === textSources[name](subject) : known === name
    }
    return { name, count: having.filter(fits).length }
  })
  const best = counts.toSorted((a, b) => b.count - a.count)[0]
  return best && best.count > 0 && best.count * 2 >= having.length ? best.name : undefined
}

function formatLine(
  key: string,
  subject: PageSubject,
  models: readonly Sibling[],
  place: PagePlacement,
  follows: { [key: string]: string },
): string | undefined {
  const entries = models.flatMap(({ parts }) => parts.entries.filter((entry) => entry.key === key))
  const quote = mostCommon(entries, (entry) => entry.quote)?.value ?? ''
  if (key === 'openapi') return `openapi: ${formatYamlText(formatBindingLike(subject, models, place), quote)}`
  const source = findCommonSource(key, models)
  const fromSource = source && textSources[source](subject)
  if (source !== undefined && fromSource) {
    setOwn(follows, key, source)
    return `${key}: ${formatYamlText(fromSource, quote)}`
  }
  const constant = mostCommon(entries, ({ raw }) => raw)
  const isConstant = constant !== undefined && constant.count >= 2 && constant.count * 2 > entries.length
  if (isConstant && key !== 'deprecated') return `${key}:${constant.value.startsWith('\n') ? '' : ' '}${constant.value}`.trimEnd()
  // Defaults for texts that are usually written individually. Without them, the page would look incomplete next to its siblings.
  const usual = {
    title: pageTitle(subject),
    sidebarTitle: pageTitle(subject),
    description: subject.description ?? subject.summary,
  }
  const text = readText(usual, key)?.trim()
  if (text === undefined || text === '') return undefined
  const found = listTextSources().find((name) => textSources[name](subject) === text)
  if (found !== undefined) setOwn(follows, key, found)
  return `${key}: ${formatYamlText(text, quote)}`
}

function formatBindingLike({ binding, target }: PageSubject, models: readonly Sibling[], place: PagePlacement): string {
  const spelling = spellDocument(place, models)
  const isLower = mostCommon(models, (model) => model.spelling.isLower)?.value ?? false
  const words = isLower && binding.kind === 'operation' ? target.replace(/^\S+/, (method) => method.toLowerCase()) : target
  return spelling === undefined ? words : `${spelling} ${words}`
}

/** Returns how the siblings write the document. A path relative to their directory is adapted to the directory of the new page. */
function spellDocument({ folder, document }: PagePlacement, models: readonly Sibling[]): string | undefined {
  const beside = models.filter(({ path }) => parentPath(path) === folder)
  const common = mostCommon(beside.length > 0 ? beside : models, ({ spelling }) => spelling.document)
  if (!common) return document
  const { value } = common
  return beside.length === 0 && value?.startsWith('.') && !isUrl(document) ? relativePath(folder, document) : value
}

function formatMetadata(key: string, value: unknown): string {
  const options = { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const
  return stringify({ [key]: value }, options).trimEnd()
}

/** Returns what follows the frontmatter of most pages, including shared text. Content of individual pages is not copied. */
function findTail(models: readonly Sibling[]): string {
  const common = mostCommon(models, ({ parts }) => parts.tail)
  const isShared = common !== undefined && common.count >= 3 && common.count * 2 > models.length
  if (common && (isShared || common.value.trim() === '')) return common.value
  const blanks = models.filter(({ parts }) => parts.tail.trim() === '')
  return mostCommon(blanks, ({ parts }) => parts.tail)?.value ?? '\n'
}
