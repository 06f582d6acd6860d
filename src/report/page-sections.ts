import { formatCount, formatNumber } from '../diagnostic/diagnostic.ts'
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

/** Operations that have another name, and pages that have another path, since these are what readers of the docs notice; few are shown. */
const shownMoves = 20

/** The operations and pages that moved, then the pages that change or are kept, folded away, with links to those that are in the repository. */
export function pageSections(
  feedback: Pick<Feedback, 'pages' | 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): readonly Section[] {
  const { pages, pagesAre } = feedback
  const listed = pages.filter(({ kind }) => kind !== 'unchanged')
  if (listed.length === 0) return []
  const moved = listed.filter(({ movedFrom, renamedFrom }) => movedFrom !== undefined || renamedFrom !== undefined)
  const title = pagesAre === 'written' ? 'Pages changed' : 'Pages to change'
  return [
    ...(moved.length === 0 ? [] : [toMoveSection(moved, feedback)]),
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

function toMoveSection(moved: readonly ReportedPage[], feedback: Parameters<typeof renderPage>[1]): Section {
  const hasMovedPages = moved.some(({ movedFrom }) => movedFrom !== undefined)
  return {
    head: hasMovedPages
      ? ['| operation | was | page | was |', '|---|---|---|---|']
      : ['| moved operation | was | page |', '|---|---|---|'],
    ...toRows(moved, shownMoves, (page) => {
      const operation = page.renamedFrom === undefined ? '' : renderCode(page.renamedFrom)
      const path = page.movedFrom === undefined ? '' : renderCode(page.movedFrom)
      return `| ${renderCode(page.operation)} | ${operation} | ${renderPage(page, feedback)} |${hasMovedPages ? ` ${path} |` : ''}`
    }),
    tail: [],
    rest: (hidden) => `| … and ${formatCount(hidden, 'more operation')} | | | |`,
  }
}

/** A page that is not written yet is nowhere, and one that was removed is only in the commit before. */
function renderPage(
  { kind, path, movedFrom }: ReportedPage,
  { pagesAre, webUrl, headSha, baseSha, root }: Pick<Feedback, 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): string {
  const written = kind === 'removed' ? baseSha : headSha
  const sha = pagesAre !== 'planned' ? written : kind === 'added' || movedFrom !== undefined ? undefined : headSha
  return sha === undefined ? renderCode(path) : renderLink(path, toBlobUrl(webUrl, sha, joinPath(root ?? '', path)))
}
