import type { ScreenshotName } from '../../store/sites/stored-sites.ts'
import type { ComparedPage, ComparisonImage, SiteChanges, StoredUpdate } from '../../store/update-rows.ts'
import { Heading, Icon, PathList } from './elements.tsx'
import { changedPagesId, type FileLinks } from './update-links.ts'

export interface ChangedPagesLinks {
  /** URL of a page of the preview; `undefined` if sites have no URLs. */
  readonly page: (route: string) => string | undefined
  /** URL of a screenshot of the record. */
  readonly screenshot: (name: ScreenshotName) => string
}

interface ChangedPagesProps {
  readonly stored: StoredUpdate
  readonly isPreview: boolean
  /** Whether the screenshots may still be added. */
  readonly isPending: boolean
  readonly links: ChangedPagesLinks
  readonly fileLinks: FileLinks
}

/** The changed pages of the site: screenshots before and after of the first ones, and a list of the others. */
export function ChangedPagesSection(props: ChangedPagesProps) {
  const { stored, links, fileLinks } = props
  const { site, comparison } = stored.details
  if (!site || site.changedCount === 0) return null
  const compared = comparison?.pages ?? []
  const routes = new Set(compared.map(({ route }) => route))
  const others = site.changedPages.filter(({ route }) => !routes.has(route))
  const unlisted = site.changedCount - site.changedPages.length
  return (
    <section>
      <Heading id={changedPagesId} label="Changed pages of the site" count={site.changedCount} />
      <p class="empty">
        <BaseCommit site={site} links={fileLinks} />
        {describeScreenshots(props)}
      </p>
      {compared.map((page, index) => (
        <PageComparison page={page} index={index} links={links} />
      ))}
      {compared.length > 0 && others.length > 0 && <h3 class="others">Other changed pages</h3>}
      {others.length > 0 && (
        <PathList
          entries={others.map(({ kind, route, title }) => ({
            kind,
            path: `/${route}`,
            href: kind === 'removed' ? undefined : links.page(route),
            notes: [title],
          }))}
          unlisted={unlisted}
        />
      )}
    </section>
  )
}

function BaseCommit({ site: { beforeSha }, links }: { readonly site: SiteChanges; readonly links: FileLinks }) {
  if (beforeSha === undefined) return null
  return (
    <>
      Compared with the site of{' '}
      <a class="mono" href={links.commitOf(beforeSha)}>
        {beforeSha.slice(0, 7)}
      </a>
      .{' '}
    </>
  )
}

function describeScreenshots({ stored, isPreview, isPending }: ChangedPagesProps): string | undefined {
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

interface PageComparisonProps {
  readonly page: ComparedPage
  readonly index: number
  readonly links: ChangedPagesLinks
}

/** One page with its screenshots. The stylesheet switches between the views, without a script. */
function PageComparison(props: PageComparisonProps) {
  const { page, index, links } = props
  const { route, title, changedShare } = page
  const href = links.page(route)
  return (
    <details class="fold compared" data-fold={`compared-${route}`} open={index === 0}>
      <summary>
        <Icon name="chevron" />
        <b dir="auto">{title}</b>
        <span class="numeric">{formatShare(changedShare)}</span>
      </summary>
      <div class="views">
        <fieldset>
          <legend class="hidden">View of {title}</legend>
          {views.map(([value, label], at) => (
            <label>
              <input type="radio" name={`view-${index}`} value={value} checked={at === 0} />
              {label}
            </label>
          ))}
        </fieldset>
        {href !== undefined && <a href={href}>Open the page</a>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <div class="shots" tabIndex={0} role="group" aria-label={`Screenshots of ${title}`}>
        <Screenshot {...props} kind="before" label="Before" />
        <Screenshot {...props} kind="after" label="After" />
        <Screenshot {...props} kind="difference" label="Difference: added in green, removed in red, changed in amber" />
      </div>
    </details>
  )
}

interface ScreenshotProps extends PageComparisonProps {
  readonly kind: ComparisonImage
  readonly label: string
}

function Screenshot({ page: { title, sizes }, index, links, kind, label }: ScreenshotProps) {
  const src = links.screenshot(`${kind}${index}`)
  return (
    <figure class={kind}>
      <figcaption>{label}</figcaption>
      <a href={src}>
        <img src={src} {...sizes[kind]} alt={`${title}: ${label.toLowerCase()}`} loading="lazy" />
      </a>
    </figure>
  )
}

/** The changed part of a page, from 0 to 1, in words. */
function formatShare(share: number): string {
  if (share === 0) return 'no visible change'
  const percent = share * 100
  const shown = percent < 0.1 ? 'less than 0.1' : percent < 10 ? percent.toFixed(1) : String(Math.round(percent))
  return `${shown}% changed`
}
