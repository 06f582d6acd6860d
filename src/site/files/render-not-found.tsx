import { markdownToNodes } from '../../mdx/mdx-reader.ts'
import { ContentNodes } from '../content/content-nodes.tsx'
import { Icon } from '../icons/icon.tsx'
import { firstHref, viewNavigation } from '../shell/navigation-view.ts'
import { renderDocument } from '../shell/render-document.tsx'
import { type SiteContext, toAssetHref, toHref } from '../site-context.ts'
import { toOwnPage } from '../to-own-page.ts'
import type { DivisionNode, NavigationNode, SitePage } from '../types.ts'

/**
 * What hosts show at addresses without a page. A script lists the pages whose address is nearest; without it there are the parts of the site.
 */
export function renderNotFound(context: SiteContext): string {
  const { settings, navigation } = context.plan
  const page: SitePage = {
    ...toOwnPage({ route: '404', title: settings.errors.title ?? 'Page not found' }),
    sidebarTitle: 'Page not found',
  }
  const view = viewNavigation(context, page)
  const parts = listParts(navigation).flatMap((node) => {
    const href = firstHref(context, node)
    return href === undefined ? [] : [{ label: node.label, href }]
  })
  const { html } = renderDocument({
    context,
    page,
    view,
    refresh: settings.errors.redirect && !context.isPreview ? toHref(context, '') : undefined,
    children: (
      <div class="page text">
        <article>
          <div class="title">
            <h1>{page.title}</h1>
          </div>
          <div class="lead">
            {settings.errors.description === undefined ? (
              <p>There is no page at this address. It may have moved, or the link to it has a fault.</p>
            ) : (
              <ContentNodes nodes={markdownToNodes(settings.errors.description)} context={context} page={page} />
            )}
          </div>
          <div class="prose">
            <section data-nearest={toAssetHref(context, pageListPath)} aria-live="polite" hidden>
              <h2>Pages with a similar address</h2>
              <ul class="links" />
            </section>
            <h2>Where to go from here</h2>
            <ul>
              <li>
                <a href={toHref(context, '')}>The start page</a>
              </li>
              {parts.slice(0, 12).map(({ label, href }) => (
                <li>
                  <a href={href}>{label}</a>
                </li>
              ))}
            </ul>
            <p class="needs-js">
              <a class="btn" href={toHref(context, 'search')} data-open="search">
                <Icon name="search" /> Search
              </a>
            </p>
          </div>
        </article>
      </div>
    ),
  })
  return html
}

/** Where the list of the pages stands, relative to the output folder. */
export const pageListPath = '404.json'

/** Address and title of every page that may be found, for the page above: `[["guides/start", "Start"], …]`. */
export function renderPageList({ plan }: SiteContext): string {
  const pages = plan.pages.filter(({ hidden, noindex }) => !hidden && !noindex)
  return `${JSON.stringify(pages.map(({ route, title }) => [route, title]))}\n`
}

/** The outermost divisions that a reader chooses between, in the language and version that is shown first. */
function listParts(node: DivisionNode): readonly DivisionNode[] {
  const isDivision = (child: NavigationNode): child is DivisionNode =>
    child.kind !== 'page' && child.kind !== 'link' && !child.hidden
  const parts = node.children.filter(isDivision)
  const choices = parts.filter(({ kind }) => kind === 'language' || kind === 'version')
  const inner = choices.find(({ isDefault }) => isDefault) ?? choices[0] ?? (parts.length === 1 ? parts[0] : undefined)
  return inner === undefined || inner.kind === 'group' ? parts : listParts(inner)
}
