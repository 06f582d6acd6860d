import { formatLevels } from '../../../changes/show/changes-text.ts'
import type { SiteChanges } from '../../../store/records/stored-records.ts'
import { reviewRoute } from '../../publish/built-site.ts'
import { CommitLink, Heading, LinkButton, Paragraph } from './elements.tsx'
import { apiChangesId, type PageUrl, type UpdateParts } from './update-links.ts'

/** Links to the changelog pages of a site, as one paragraph. Nothing without any. */
export function ChangelogLinks({ site, page }: { readonly site: SiteChanges | undefined; readonly page: PageUrl }) {
  const links = (site?.changelogs ?? []).flatMap(({ route, title }) => {
    const href = page(route)
    return href === undefined ? [] : [{ href, title }]
  })
  if (links.length === 0) return null
  return (
    <p class="empty">
      Changes by version:{' '}
      {links.map(({ href, title }, index) => (
        <>
          {index > 0 && ', '}
          <a href={href}>
            <bdi>{title}</bdi>
          </a>
        </>
      ))}
    </p>
  )
}

/** The numbers of API changes since the base of the commit, with a link to their review. */
export function ApiChangesSection({ stored, apiChanges: changes, links, pageUrl: page }: UpdateParts) {
  if (!changes) return null
  const { update, details } = stored
  const { apiBase: baseSha = '', site } = details
  const reviewUrl = site?.hasReview ? page(reviewRoute) : undefined
  const levels = changes.kind === 'compared' ? formatLevels(changes.counts) : ''
  return (
    <section>
      <Heading id={apiChangesId} label="API changes" count={levels || undefined} />
      {changes.kind === 'unavailable' ? (
        <Paragraph class="empty" text={`The API changes could not be compared: ${changes.reason}.`} />
      ) : (
        <p class="empty">
          {levels === '' ? 'No changes for API clients since ' : 'Compared with '}
          <CommitLink href={links.commit(baseSha)} sha={baseSha} />.
        </p>
      )}
      <ChangelogLinks site={site} page={page} />
      {reviewUrl !== undefined && <LinkButton href={reviewUrl}>Review changes</LinkButton>}
      {reviewUrl === undefined && levels !== '' && (
        <p class="empty">
          To see them, run <code>{`openapi-pages review ${baseSha.slice(0, 7)} ${update.commit.sha.slice(0, 7)}`}</code>
        </p>
      )}
    </section>
  )
}
