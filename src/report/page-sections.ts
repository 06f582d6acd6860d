import { formatCount, formatNumber } from '../diagnostic/count-findings.ts'
import { joinPath } from '../text/relative-path.ts'
import type { Feedback, ReportedPage } from './feedback.ts'
import { type Section, toRows } from './fit-sections.ts'
import { escapeMarkdown, renderCode, renderLink, toBlobUrl } from './markdown.ts'

const signs: { readonly [kind in ReportedPage['kind']]: string } = {
  added: '+',
  modified: '~',
  removed: '−',
  kept: '=',
  unchanged: '',
}

/** The pages that change or are kept, folded away, with links to those that are in the repository. */
export function pageSections(
  feedback: Pick<Feedback, 'pages' | 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): readonly Section[] {
  const { pages, pagesAre } = feedback
  const listed = pages.filter(({ kind }) => kind !== 'unchanged')
  if (listed.length === 0) return []
  const title = pagesAre === 'written' ? 'Pages changed' : 'Pages to change'
  return [
    {
      head: [
        `<details><summary>${title} (${formatNumber(listed.length)})</summary>`,
        '',
        '| | page | operation | |',
        '|---|---|---|---|',
      ],
      ...toRows(listed, 1_000, (page) => {
        const why = page.detail === undefined ? '' : escapeMarkdown(page.detail)
        return `| ${signs[page.kind]} | ${renderPage(page, feedback)} | ${renderCode(page.operation)} | ${why} |`
      }),
      tail: ['', '</details>'],
      rest: (hidden) => `| | … and ${formatCount(hidden, 'more page')} | | |`,
    },
  ]
}

/** A page that is not written yet is nowhere, and one that was removed is only in the commit before. */
function renderPage(
  { kind, path }: ReportedPage,
  { pagesAre, webUrl, headSha, baseSha, root }: Pick<Feedback, 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): string {
  const written = kind === 'removed' ? baseSha : headSha
  const sha = pagesAre === 'written' ? written : kind === 'added' ? undefined : headSha
  return sha === undefined ? renderCode(path) : renderLink(path, toBlobUrl(webUrl, sha, joinPath(root ?? '', path)))
}
