import { withoutControls } from '../../text/without-controls.ts'
import { type SiteContext, toAssetHref } from '../site-context.ts'
import type { SiteFile, SitePage } from '../types.ts'
import { toMarkdownPath } from './render-page-markdown.ts'

/** Longest file of whole texts, in UTF-16 units; more goes into the next one. */
const maxLength = 4_000_000

/** Whether machines are told of a page: those that the navigation or everybody may find. */
function isListed(page: SitePage): boolean {
  return !page.hidden && !page.noindex && page.externalUrl === undefined
}

/**
 * `llms.txt`: every page by its part, with the address of its Markdown.
 *
 * Source: the proposal at llmstxt.org.
 */
export function renderLlmsIndex(context: SiteContext): SiteFile {
  const { plan } = context
  const lines = [`# ${plan.settings.name}`, '']
  if (plan.settings.description !== undefined) lines.push(`> ${plan.settings.description.replace(/\s+/g, ' ')}`, '')
  let last: string | undefined
  for (const page of plan.pages.filter(isListed)) {
    const labels = page.trail.flatMap((node) =>
      node.kind === 'page' || node.kind === 'link' || node.label === '' ? [] : [node.label],
    )
    const part = labels.length === 0 ? 'Other pages' : labels.join(' / ')
    if (part !== last) lines.push(...(last === undefined ? [] : ['']), `## ${part}`, '')
    last = part
    const about = page.description === undefined ? '' : `: ${page.description.replace(/\s+/g, ' ').slice(0, 200)}`
    lines.push(
      `- [${page.title.replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&')}](${toAddress(context, toMarkdownPath(page))})${about}`,
    )
  }
  return { path: 'llms.txt', content: withoutControls(`${lines.join('\n')}\n`) }
}

/** Gathers the texts of all pages into `llms-full.txt`, and what does not fit into `llms-full-2.txt` and so on; each names the next. */
export function createLlmsText(context: SiteContext): {
  /** `readFile` gives the files beside the page. Gives the file that is full with what came before. */
  readonly add: (page: SitePage, readFile: (path: string) => string | Uint8Array | undefined) => SiteFile | undefined
  readonly last: () => SiteFile
} {
  let texts: string[] = []
  let length = 0
  let count = 0
  return {
    add: (page, readFile) => {
      const content = isListed(page) ? readFile(toMarkdownPath(page)) : undefined
      if (content === undefined) return undefined
      // Of a page that was not rendered again it is what stands in the output.
      const markdown = typeof content === 'string' ? content : new TextDecoder().decode(content)
      const isFull = length > 0 && length + markdown.length > maxLength
      const next = isFull ? `\nMore: ${toAddress(context, nameOf(count + 1))}\n` : ''
      const full = isFull ? { path: nameOf(count), content: `${texts.join('\n---\n\n')}${next}` } : undefined
      if (full) {
        texts = []
        length = 0
        count++
      }
      texts.push(markdown)
      length += markdown.length
      return full
    },
    last: () => ({ path: nameOf(count), content: texts.join('\n---\n\n') }),
  }
}

function nameOf(index: number): string {
  return index === 0 ? 'llms-full.txt' : `llms-full-${index + 1}.txt`
}

function toAddress(context: SiteContext, path: string): string {
  const href = toAssetHref(context, path)
  return context.url === undefined ? href : new URL(href, context.url).href
}
