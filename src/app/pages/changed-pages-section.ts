import { type ComponentChild, h } from 'preact'
import type { ScreenshotName } from '../../store/sites/stored-sites.ts'
import type { ComparedPage, ComparisonImage, SiteChanges, StoredUpdate } from '../../store/update-rows.ts'
import type { FileLinks } from './diagnostics-section.ts'
import { heading, icon, pathList } from './elements.ts'

/** The anchor of the section, for links in checks and comments. */
export const changedPagesId = 'changed-pages'

export interface ChangedPagesLinks {
  /** URL of a page of the preview; `undefined` if sites have no URLs. */
  readonly page: (route: string) => string | undefined
  /** URL of a screenshot of the record. */
  readonly screenshot: (name: ScreenshotName) => string
}

interface ChangedPagesOptions {
  readonly stored: StoredUpdate
  readonly isPreview: boolean
  /** Whether the screenshots may still be added. */
  readonly isPending: boolean
  readonly links: ChangedPagesLinks
  readonly fileLinks: FileLinks
}

/** The changed pages of the site: screenshots before and after of the first ones, and a list of the others. */
export function changedPagesSection(options: ChangedPagesOptions): ComponentChild {
  const { stored, links, fileLinks } = options
  const { site, comparison } = stored.details
  if (!site || site.changedCount === 0) return undefined
  const compared = comparison?.pages ?? []
  const routes = new Set(compared.map(({ route }) => route))
  const others = site.changedPages.filter(({ route }) => !routes.has(route))
  const unlisted = site.changedCount - site.changedPages.length
  return h(
    'section',
    null,
    heading(changedPagesId, 'Changed pages of the site', site.changedCount),
    h('p', { class: 'empty' }, describeBase(site, fileLinks), describeScreenshots(options)),
    compared.map((page, index) => comparedPage(page, index, links)),
    compared.length > 0 && others.length > 0 && h('h3', { class: 'others' }, 'Other changed pages'),
    others.length > 0 &&
      pathList(
        others.map(({ kind, route, title }) => ({
          kind,
          path: `/${route}`,
          href: kind === 'removed' ? undefined : links.page(route),
          notes: [title],
        })),
        unlisted,
      ),
  )
}

function describeBase({ beforeSha }: SiteChanges, links: FileLinks): ComponentChild {
  if (beforeSha === undefined) return undefined
  const href = `${links.repository}/commit/${beforeSha}`
  return ['Compared with the site of ', h('a', { class: 'mono', href }, beforeSha.slice(0, 7)), '. ']
}

function describeScreenshots({ stored, isPreview, isPending }: ChangedPagesOptions): string | undefined {
  const { site, comparison } = stored.details
  const modified = site?.changedPages.filter(({ kind }) => kind === 'modified').length ?? 0
  if (!isPreview || modified === 0) return undefined
  switch (comparison?.state) {
    case undefined:
      return 'There are no screenshots of the changes.'
    case 'awaited':
    case 'begun':
      return isPending ? 'Screenshots of the changes will appear here.' : 'There are no screenshots of the changes.'
    case 'failed':
      return 'There are no screenshots, because the browser failed. The log of the server has the reason.'
    case 'taken':
      return comparison.pages.length < modified ? `Screenshots show ${comparison.pages.length} of them.` : undefined
  }
}

const views = [
  ['both', 'Side by side'],
  ['before', 'Before'],
  ['after', 'After'],
  ['difference', 'Difference'],
] as const

/** One page with its screenshots. The stylesheet switches between the views, without a script. */
function comparedPage(page: ComparedPage, index: number, links: ChangedPagesLinks): ComponentChild {
  const { route, title, changedShare, sizes } = page
  const href = links.page(route)
  const image = (kind: ComparisonImage, label: string): ComponentChild => {
    const src = links.screenshot(`${kind}${index}`)
    return h(
      'figure',
      { class: kind },
      h('figcaption', null, label),
      h('a', { href: src }, h('img', { src, ...sizes[kind], alt: `${title}: ${label.toLowerCase()}`, loading: 'lazy' })),
    )
  }
  return h(
    'details',
    { class: 'fold compared', 'data-fold': `compared-${route}`, open: index === 0 },
    h(
      'summary',
      null,
      icon('chevron'),
      h('b', { dir: 'auto' }, title),
      h('span', { class: 'numeric' }, formatShare(changedShare)),
    ),
    h(
      'div',
      { class: 'views' },
      h(
        'fieldset',
        null,
        h('legend', { class: 'hidden' }, `View of ${title}`),
        views.map(([value, label], at) =>
          h('label', null, h('input', { type: 'radio', name: `view-${index}`, value, checked: at === 0 }), label),
        ),
      ),
      href !== undefined && h('a', { href }, 'Open the page'),
    ),
    h(
      'div',
      { class: 'shots', tabIndex: 0, role: 'group', 'aria-label': `Screenshots of ${title}` },
      image('before', 'Before'),
      image('after', 'After'),
      image('difference', 'Difference: added in green, removed in red, changed in amber'),
    ),
  )
}

/** The changed part of a page, from 0 to 1, in words. */
function formatShare(share: number): string {
  if (share === 0) return 'no visible change'
  const percent = share * 100
  const shown = percent < 0.1 ? 'less than 0.1' : percent < 10 ? percent.toFixed(1) : String(Math.round(percent))
  return `${shown}% changed`
}
