import { toDivisionId } from '../element-ids.ts'
import { viewNavigation } from '../shell/navigation-view.ts'
import { renderDocument } from '../shell/render-document.tsx'
import type { SiteContext } from '../site-context.ts'
import type { SiteFile, SitePage } from '../types.ts'
import { groupPages, PageLine, toGeneratedPage } from './generated-pages.tsx'

const printPath = 'print.html'

/**
 * The page that prints a whole API or a tag. It lists the pages by division. Its script loads them, because a file with all
 * pages would be as large as the site. If the repository has a page with this route, there is none.
 */
export function listPrintPage(context: SiteContext): SiteFile[] {
  return context.pageByRoute.has('print') ? [] : [{ path: printPath, content: renderPrintPage(context) }]
}

function renderPrintPage(context: SiteContext): string {
  const page = toGeneratedPage({ route: 'print', title: 'Print' })
  const used = new Set<string>()
  const claim = (id: string) => {
    if (used.has(id)) return undefined
    used.add(id)
    return id
  }
  /** The groups of each outermost division. */
  const tops = new Map<string, { readonly label: string; readonly id: string; readonly pages: readonly SitePage[] }[]>()
  for (const [label, { id, pages }] of groupPages(context.plan)) {
    const [top = label, ...inner] = label.split(' / ')
    tops.set(top, [...(tops.get(top) ?? []), { label: inner.join(' / '), id, pages }])
  }
  const { html } = renderDocument({
    context,
    page,
    view: viewNavigation(context, page),
    children: (
      <>
        <div class="page text">
          <article class="prose">
            <div class="title">
              <h1>Print</h1>
            </div>
            <p class="needs-js">Print a section with all of its pages, or save it as PDF.</p>
            <p role="status" data-print-status="" />
            {[...tops].map(([top, groups]) => (
              <section id={claim(toDivisionId(top))}>
                <div class="print-head">
                  <h2>{top}</h2>
                  <PrintButton label={top} pages={groups.flatMap(({ pages }) => pages)} />
                </div>
                {groups.map(({ label, id, pages }) =>
                  label === '' ? (
                    <PrintList pages={pages} context={context} />
                  ) : (
                    <section id={claim(id)}>
                      <div class="print-head">
                        <h3>{label}</h3>
                        <PrintButton label={label} pages={pages} />
                      </div>
                      <PrintList pages={pages} context={context} />
                    </section>
                  ),
                )}
              </section>
            ))}
          </article>
        </div>
        <div class="printed" data-printed="" />
      </>
    ),
  })
  return html
}

function PrintButton({ label, pages }: { readonly label: string; readonly pages: readonly SitePage[] }) {
  return (
    <button type="button" class="btn needs-js" data-print="">
      <span>
        Print<span class="vh"> {label}:</span> {pages.length === 1 ? '1 page' : `${pages.length.toLocaleString('en')} pages`}
      </span>
    </button>
  )
}

function PrintList({ pages, context }: { readonly pages: readonly SitePage[]; readonly context: SiteContext }) {
  return (
    <ul class="all-pages">
      {pages.map((page) => (
        <li>
          <PageLine page={page} context={context} />
        </li>
      ))}
    </ul>
  )
}
