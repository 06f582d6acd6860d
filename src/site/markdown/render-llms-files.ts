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
  readonly add: (page: SitePage, attachments: readonly SiteFile[]) => void
  readonly files: () => readonly SiteFile[]
} {
  const chunks: string[][] = [[]]
  let length = 0
  return {
    add: (page, attachments) => {
      const content = attachments.find(({ path }) => path === toMarkdownPath(page))?.content
      if (!isListed(page) || content === undefined) return
      // Of a page that was not rendered again it is what stands in the output.
      const markdown = typeof content === 'string' ? content : new TextDecoder().decode(content)
      if (length > 0 && length + markdown.length > maxLength) {
        chunks.push([])
        length = 0
      }
      length += markdown.length
      chunks.at(-1)?.push(markdown)
    },
    files: () =>
      chunks.map((texts, index) => {
        const next = index + 1 < chunks.length ? `\nMore: ${toAddress(context, nameOf(index + 1))}\n` : ''
        return { path: nameOf(index), content: `${texts.join('\n---\n\n')}${next}` }
      }),
  }
}

function nameOf(index: number): string {
  return index === 0 ? 'llms-full.txt' : `llms-full-${index + 1}.txt`
}

function toAddress(context: SiteContext, path: string): string {
  const href = toAssetHref(context, path)
  return context.url === undefined ? href : new URL(href, context.url).href
}
