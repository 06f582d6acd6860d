import { withoutControls } from '../../../text/plain/escape-text.ts'
import { groupBy } from '../../../text/plain/lists.ts'
import { isDivision } from '../../plan/divisions.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { renderInstructions } from '../agent-note.ts'
import { isListed } from '../page-listing.ts'
import { type SiteContext, toFileUrl, toMarkdownPath } from '../site-context.ts'
import { withoutRefusedLinks } from './refused-links.ts'
import { escapeMarkdown } from './write-markdown.ts'

/** The maximum length of `llms-full.txt`, in UTF-16 code units: more than an assistant reads at once. Further pages are only in their own files. */
const maxLength = 1_000_000

/** The directory of the lists of single sections. */
const sectionFolder = '_llms'

/** A published OpenAPI document. */
export interface ListedDocument {
  /** As `references` of the site names it. */
  readonly source: string
  readonly title: string
  readonly path: string
}

/**
 * Renders `llms.txt`, which lists every page by division with the URL of its Markdown. Each first segment of the routes also has a list, such as
 * `_llms/guides.md`, so that an assistant can read about one section. The
 * OpenAPI documents come after the pages.
 *
 * Source: the proposal at llmstxt.org.
 */
export function renderLlmsIndexes(context: SiteContext, documents: readonly ListedDocument[]): SiteFile[] {
  const { settings, pages } = context.plan
  const listed = pages.filter((page) => isListed(page, settings))
  const sections = groupBy(
    listed.filter(({ route }) => route.includes('/')),
    ({ route }) => route.slice(0, route.indexOf('/')),
  )
  const files = Array.from(sections, ([section, inside]) => ({
    path: `${sectionFolder}/${section}.md`,
    content: withoutControls(withoutRefusedLinks(renderList(`${settings.name}: ${section}`, inside, context))),
  }))
  const shown = files.length > 1 ? files : []
  const links = shown.map(({ path }) => `- [${path}](${toFileUrl(context.hosting, path)})\n`).join('')
  const apis = documents.map(({ title, path }) => `- [${escapeMarkdown(title)}](${toFileUrl(context.hosting, path)})\n`).join('')
  const end = (apis === '' ? '' : `\n## OpenAPI documents\n\n${apis}`) + (links === '' ? '' : `\n## Lists by section\n\n${links}`)
  return [
    { path: 'llms.txt', content: withoutControls(withoutRefusedLinks(renderList(settings.name, listed, context)) + end) },
    ...shown,
  ]
}

function renderList(title: string, pages: readonly SitePage[], context: SiteContext): string {
  const { description } = context.plan.settings
  const lines = [`# ${escapeMarkdown(title)}`, '']
  if (description !== undefined) lines.push(`> ${escapeMarkdown(description)}`, '')
  const instructions = renderInstructions(context.plan.settings)
  if (instructions !== '') lines.push(instructions)
  let last: string | undefined
  for (const page of pages) {
    const labels = page.trail.filter(isDivision).flatMap(({ label }) => (label.trim() === '' ? [] : label))
    const part = labels.length === 0 ? 'Other pages' : labels.join(' / ')
    if (part !== last) lines.push(...(last === undefined ? [] : ['']), `## ${escapeMarkdown(part)}`, '')
    last = part
    const description = page.description === undefined ? '' : `: ${page.description.replace(/\s+/g, ' ').slice(0, 200)}`
    lines.push(`- [${escapeMarkdown(page.title)}](${toFileUrl(context.hosting, toMarkdownPath(page))})${description}`)
  }
  return `${lines.join('\n')}\n`
}

/** A file with the Markdown of several pages. */
export interface LlmsFile {
  readonly path: string
  /** The instructions of the authors, before the first page. */
  readonly start: string
  readonly texts: readonly LlmsText[]
  /** The text after the last page. */
  readonly end: string
}

/** The Markdown of a page, read when its file is written. */
interface LlmsText {
  readonly page: SitePage
  /** In UTF-16 units. */
  readonly length: number
  readonly read: () => Promise<string>
}

/** The separator between two pages. */
export const llmsSeparator = '\n---\n\n'

/** Combines the Markdown of pages into `llms-full.txt`. If it is full, it ends with a link to the list of all pages. */
export function createLlmsText(context: SiteContext): {
  readonly add: (text: LlmsText) => void
  readonly toFile: () => LlmsFile
} {
  const texts: LlmsText[] = []
  let length = 0
  let isFull = false
  const instructions = withoutControls(withoutRefusedLinks(renderInstructions(context.plan.settings)))
  const start = instructions === '' ? '' : `${instructions}\n`
  return {
    add: (text) => {
      if (!isListed(text.page, context.plan.settings)) return
      isFull ||= length > 0 && length + text.length > maxLength
      if (isFull) return
      texts.push(text)
      length += text.length
    },
    toFile: () => {
      const end = isFull ? `\nMore pages: ${toFileUrl(context.hosting, 'llms.txt')}\n` : ''
      return { path: 'llms-full.txt', start, texts, end }
    },
  }
}

export async function renderLlmsFile({ path, start, texts, end }: LlmsFile): Promise<SiteFile> {
  const read: string[] = []
  for (const text of texts) read.push(await text.read())
  return { path, content: `${start}${read.join(llmsSeparator)}${end}` }
}
