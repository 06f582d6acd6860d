import { toPartId } from '../part-ids.ts'
import { MethodMark, pageMethod } from '../shell/marks.tsx'
import { viewNavigation } from '../shell/navigation-view.ts'
import { renderDocument } from '../shell/render-document.tsx'
import { type SiteContext, toHref } from '../site-context.ts'
import { toOwnPage } from '../to-own-page.ts'
import type { SiteFile, SitePage } from '../types.ts'

/** A page of the repository at this address stands instead. */
const pageIndexRoute = 'search'

/** The page of all pages by the part they stand in: what the search leads to without script. */
export function listPageIndex(context: SiteContext): SiteFile[] {
  if (context.pageByRoute.has(pageIndexRoute)) return []
  return [{ path: `${pageIndexRoute}/index.html`, content: renderPageIndex(context) }]
}

function renderPageIndex(context: SiteContext): string {
  const page = toOwnPage({ route: pageIndexRoute, title: 'All pages' })
  const groups = groupPages(context.plan.pages)
  // Parts of one name in several tabs: the first has the address.
  const ids = new Map([...groups].map(([label, { id }]) => [id, label] as const).toReversed())
  const { html } = renderDocument({
    context,
    page,
    view: viewNavigation(context, page),
    children: (
      <div class="page text">
        <article class="prose">
          <div class="title">
            <h1>All pages</h1>
          </div>
          <p class="needs-js">
            <a class="btn" href={toHref(context, pageIndexRoute)} data-open="search">
              Search them
            </a>
          </p>
          {[...groups].map(([label, { id, pages }]) => (
            <>
              <h2 id={ids.get(id) === label ? id : undefined}>{label}</h2>
              <ul class="all-pages">
                {pages.map((one) => (
                  <li>
                    <PageLine page={one} context={context} />
                  </li>
                ))}
              </ul>
            </>
          ))}
        </article>
      </div>
    ),
  })
  return html
}

function PageLine({ page, context }: { readonly page: SitePage; readonly context: SiteContext }) {
  const method = pageMethod(page)
  return (
    <a href={toHref(context, page.route)}>
      {method !== undefined && <MethodMark method={method} />} {page.title}
    </a>
  )
}

/** By the labels of what is around a page, in the order of the navigation. */
function groupPages(pages: readonly SitePage[]): Map<string, { readonly id: string; readonly pages: SitePage[] }> {
  const groups = new Map<string, { readonly id: string; readonly pages: SitePage[] }>()
  for (const page of pages) {
    if (page.hidden || page.noindex || page.externalUrl !== undefined) continue
    const labels = page.trail.flatMap((node) =>
      node.kind === 'page' || node.kind === 'link' || node.label === '' ? [] : [node.label],
    )
    const label = labels.length === 0 ? 'Other pages' : labels.join(' / ')
    const group = groups.get(label) ?? { id: toPartId(labels.at(-1) ?? label), pages: [] }
    group.pages.push(page)
    groups.set(label, group)
  }
  return groups
}
