import type { SiteChanges, StoredUpdate } from '../../../store/records/stored-records.ts'
import { Heading, PathList } from './elements.tsx'
import type { FileLinks, PageUrl } from './update-links.ts'

interface ChangedPagesProps {
  readonly stored: StoredUpdate
  readonly page: PageUrl
  readonly links: FileLinks
}

/** The list of the changed pages of the site. */
export function ChangedPagesSection({ stored, page, links }: ChangedPagesProps) {
  const { site } = stored.details
  if (!site || site.changedCount === 0) return null
  return (
    <section>
      <Heading id="changed-pages" label="Changed pages of the site" count={site.changedCount} />
      <BaseCommit site={site} links={links} />
      <PathList
        entries={site.changedPages.map(({ kind, route, title }) => ({
          kind,
          path: `/${route}`,
          href: kind === 'removed' ? undefined : page(route),
          notes: [title],
        }))}
        unlisted={site.changedCount - site.changedPages.length}
      />
    </section>
  )
}

function BaseCommit({ site: { beforeSha }, links }: { readonly site: SiteChanges; readonly links: FileLinks }) {
  if (beforeSha === undefined) return null
  return (
    <p class="empty">
      Compared with the site of{' '}
      <a class="mono" href={links.commitOf(beforeSha)}>
        {beforeSha.slice(0, 7)}
      </a>
      .
    </p>
  )
}
