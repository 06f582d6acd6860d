import { CommitLink, Heading, PathList } from './elements.tsx'
import type { UpdateParts } from './update-links.ts'

/** The list of the changed pages of the site. */
export function ChangedPagesSection({ stored, pageUrl, links }: UpdateParts) {
  const { site } = stored.details
  if (!site || site.changedCount === 0) return null
  return (
    <section>
      <Heading id="changed-pages" label="Changed pages of the site" count={site.changedCount} />
      {site.beforeSha !== undefined && (
        <p class="empty">
          Compared with the site of <CommitLink href={links.commit(site.beforeSha)} sha={site.beforeSha} />.
        </p>
      )}
      <PathList
        entries={site.changedPages.map(({ kind, route, title }) => ({
          kind,
          path: `/${route}`,
          href: kind === 'removed' ? undefined : pageUrl(route),
          notes: [title],
        }))}
        unlisted={site.changedCount - site.changedPages.length}
      />
    </section>
  )
}
