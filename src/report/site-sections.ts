import { formatCount, formatNumber } from '../diagnostic/diagnostic.ts'
import type { ReportedSite } from './feedback.ts'
import { type Section, toRows, toSection } from './fit-sections.ts'
import { escapeMarkdown, renderPicture, renderTextLink, renderWordLink } from './markdown.ts'

const signs = { added: '+', modified: '~', removed: '−' } as const

/** Changed pages that are named in front of the fold. */
const namedPages = 3

/** The preview of a commit: its address, a picture of the page that matters most, and the pages that are others than on the default branch. */
export function siteSections(site: ReportedSite | undefined): readonly Section[] {
  if (!site) return []
  const { url, pictures, changedPages, changedCount, note } = site
  const links = changedPages.map(({ title, url: pageUrl }) => (pageUrl ? renderTextLink(title, pageUrl) : escapeMarkdown(title)))
  const isShort = changedCount <= namedPages
  const inWords = changedPages.map(({ kind }, index) => `${links[index]}${kind === 'removed' ? ' (removed)' : ''}`)
  const named = isShort ? inWords.join(', ') : formatCount(changedCount, 'page')
  const changed = changedCount === 0 ? '' : ` · changed: ${named}`
  const head = toSection(`**Preview:** ${renderWordLink(new URL(url).host, url)}${changed}`)
  const picture = pictures && renderPicture(pictures, pictures.pageUrl, 'The page that the link leads to, as it looks now')
  return [
    head,
    ...(note === undefined ? [] : [toSection(note)]),
    ...(picture ? [toSection(picture)] : []),
    ...(isShort
      ? []
      : [
          {
            head: [
              `<details><summary>Changed in the preview (${formatNumber(changedCount)})</summary>`,
              '',
              '| | page |',
              '|---|---|',
            ],
            ...toRows(
              changedPages,
              changedPages.length,
              (page) => `| ${signs[page.kind]} | ${links[changedPages.indexOf(page)]} |`,
            ),
            moreRows: changedCount - changedPages.length,
            tail: ['', '</details>'],
            rest: (hidden: number) => `| | … and ${formatCount(hidden, 'more page')} |`,
          },
        ]),
  ]
}
