import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SiteFile } from '../../plan/types.ts'
import { listPrintSections, otherPages, type PrintSection, printPath, wholeSiteId } from '../page-listing.ts'
import type { SiteContext } from '../site-context.ts'
import { PageList, renderListing, toOtherPage } from './generated-pages.tsx'

/**
 * The most pages that are printed together. The browser keeps all of them in one document. On two busy cores, Chromium took 30 seconds to
 * write 112 operations of GitHub's API as PDF.
 */
const maxPages = 500

/**
 * The page that prints a whole API or a tag. It lists the pages by division. Its script loads them, because a file with all
 * pages would be as large as the site. If the repository has a page with this route, there is none.
 */
export function listPrintPage(context: SiteContext): SiteFile[] {
  return context.plan.pageByRoute.has('print') ? [] : [{ path: printPath, content: renderPrintPage(context) }]
}

function renderPrintPage(context: SiteContext): string {
  const { messages } = context
  const texts = messages.print
  const page = toOtherPage({ route: 'print', title: texts.title })
  const sections = listPrintSections(context.plan)
  const all = { id: wholeSiteId, label: messages.page.allPages, pages: sections.flatMap(({ pages }) => pages), inner: [] }
  return renderListing(
    { context, page, after: <div class="printed" data-printed="" /> },
    <>
      <p class="needs-js">{texts.hint}</p>
      <p role="status" data-print-status="" />
      <section id={wholeSiteId}>
        {sections.length > 1 && (
          <div class="print-head">
            <h2>{messages.page.allPages}</h2>
            <PrintButton section={all} messages={messages} />
          </div>
        )}
        {sections.map((top) => (
          <section id={top.id}>
            <div class="print-head">
              <h2>{top.label === otherPages ? messages.page.otherPages : top.label}</h2>
              <PrintButton section={top} messages={messages} />
            </div>
            {top.inner.map((group) =>
              group.label === '' ? (
                <PageList pages={group.pages} context={context} heading={top.label} />
              ) : (
                <section id={group.id}>
                  <div class="print-head">
                    <h3>{group.label}</h3>
                    <PrintButton section={group} messages={messages} />
                  </div>
                  <PageList pages={group.pages} context={context} heading={group.label} />
                </section>
              ),
            )}
          </section>
        ))}
      </section>
    </>,
  )
}

interface PrintButtonProps {
  readonly section: PrintSection
  readonly messages: Messages
}

function PrintButton({ section: { label, pages }, messages: { print: texts, language } }: PrintButtonProps) {
  const count = pages.length
  if (pages.length > maxPages)
    return (
      <small class="muted" data-print-limit="">
        {formatMessage(texts.limit, { count, limit: maxPages }, language)}
      </small>
    )
  return (
    <button type="button" class="btn needs-js" data-print="">
      <span>
        {texts.print}
        <span class="vh"> {formatMessage(texts.name, { name: label }, language)}</span>{' '}
        {formatMessage(texts.pages, { count }, language)}
      </span>
    </button>
  )
}
