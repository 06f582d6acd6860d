import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { fillMessage } from '../../messages/format-message.ts'
import { listDivisions } from '../../plan/divisions.ts'
import { isRightToLeft } from '../../plan/page-language.ts'
import { toGeneratedPage } from '../../plan/plan-site.ts'
import type { DivisionNode, SiteFile, SitePage } from '../../plan/types.ts'
import { ContentNodes } from '../components/content-nodes.tsx'
import { Icon } from '../icons/page-icons.tsx'
import { groupPages, isListed, otherPages } from '../page-listing.ts'
import { MethodMark, pageMethod } from '../shell/marks.tsx'
import { toMessageFiles } from '../shell/message-files.ts'
import { firstHref, viewNavigation } from '../shell/navigation-view.ts'
import { renderDocument, toPolicy } from '../shell/render-document.tsx'
import { type SiteContext, toAssetHref, toHref } from '../site-context.ts'

/**
 * The 404 page. A script names the requested path and lists the pages with the most similar paths. Without it, the page links to the divisions of the
 * site and to all pages.
 */
export function renderNotFound(context: SiteContext): string {
  const { settings, navigation } = context.plan
  const { notFound: texts, page: shared } = context.messages
  const page: SitePage = {
    ...toOtherPage({ route: '404', title: settings.errors.title ?? texts.title }),
    sidebarTitle: texts.title,
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
    refresh: settings.errors.redirect && !context.hosting.isPreview ? toHref(context.hosting, '') : undefined,
    children: (
      <div class="page text">
        <article>
          <div class="title">
            <h1>{page.title}</h1>
          </div>
          <div class="lead">
            <p class="requested needs-js">{fillMessage(texts.requested, (name) => (name === 'path' ? <code /> : undefined))}</p>
            {settings.errors.description === undefined ? (
              <p>{texts.hint}</p>
            ) : (
              <ContentNodes nodes={markdownToNodes(settings.errors.description)} context={context} page={page} />
            )}
          </div>
          <div class="prose">
            <p class="needs-js">
              <a class="btn" href={toHref(context.hosting, pageIndexRoute)} data-open="search">
                <Icon name="search" /> {shared.search}
              </a>
            </p>
            <h2>{texts.next}</h2>
            <ul>
              <li>
                <a href={toHref(context.hosting, '')}>{texts.home}</a>
              </li>
              {parts.slice(0, 12).map(({ label, href }) => (
                <li>
                  <a href={href}>{label}</a>
                </li>
              ))}
              <li>
                <a href={toHref(context.hosting, pageIndexRoute)}>{shared.allPages}</a>
              </li>
            </ul>
            {/* Last, so that nothing moves when a script adds it. */}
            <section class="nearest needs-js" data-nearest={toAssetHref(context.hosting, pageListPath)} aria-live="polite">
              <h2>{texts.similar}</h2>
              <ul />
            </section>
          </div>
        </article>
      </div>
    ),
  })
  return html
}

/** The path of the page list, relative to the output directory. */
export const pageListPath = '404.json'

/** The route and title of every listed page, for the 404 page: `[["guides/start", "Start"], …]`. */
export function renderPageList({ plan }: SiteContext): string {
  const pages = plan.pages.filter((page) => isListed(page, plan.settings))
  return `${JSON.stringify(pages.map(({ route, title }) => [route, title]))}\n`
}

/** The outermost divisions of the default language and version. */
function listParts(node: DivisionNode): readonly DivisionNode[] {
  const parts = listDivisions(node.children)
  const choices = parts.filter(({ kind }) => kind === 'language' || kind === 'version')
  const inner = choices.find(({ isDefault }) => isDefault) ?? choices[0] ?? (parts.length === 1 ? parts[0] : undefined)
  return inner === undefined || inner.kind === 'group' ? parts : listParts(inner)
}

/** If the repository has a page with this route, it replaces the page index. */
const pageIndexRoute = 'search'

/** The index of all pages by division. The search field links to it if scripts are disabled. */
export function listPageIndex(context: SiteContext): SiteFile[] {
  if (context.plan.pageByRoute.has(pageIndexRoute)) return []
  return [{ path: `${pageIndexRoute}/index.html`, content: renderPageIndex(context) }]
}

function renderPageIndex(context: SiteContext): string {
  const texts = context.messages.page
  const page = toOtherPage({ route: pageIndexRoute, title: texts.allPages })
  const groups = groupPages(context.plan)
  // Several tabs can have groups with the same name. The first group gets the element ID.
  const ids = new Map([...groups].map(([label, { id }]) => [id, label] as const).toReversed())
  return renderListing(
    { context, page },
    <>
      <p class="needs-js">
        <a class="btn" href={toHref(context.hosting, pageIndexRoute)} data-open="search">
          {texts.searchAllPages}
        </a>
      </p>
      {[...groups].map(([label, { id, pages }]) => (
        <>
          <h2 id={ids.get(id) === label ? id : undefined}>{label === otherPages ? texts.otherPages : label}</h2>
          <PageList pages={pages} context={context} heading={label} />
        </>
      ))}
    </>,
  )
}

/** Renders a page with lists of other pages. `after` follows the article. */
export function renderListing(
  { context, page, after }: { readonly context: SiteContext; readonly page: SitePage; readonly after?: ComponentChildren },
  children: ComponentChildren,
): string {
  const { html } = renderDocument({
    context,
    page,
    view: viewNavigation(context, page),
    children: (
      <>
        <div class="page text">
          <article class="prose">
            <div class="title">
              <h1>{page.title}</h1>
            </div>
            {children}
          </article>
        </div>
        {after}
      </>
    ),
  })
  return html
}

interface PageListProps {
  readonly pages: readonly SitePage[]
  readonly context: SiteContext
  /** The heading above the list. The page of a group with the same title is its overview. */
  readonly heading?: string
}

export function PageList({ pages, context, heading }: PageListProps) {
  const { overview } = context.messages.page
  return (
    <ul class="all-pages">
      {pages.map((page) => (
        <li>
          <PageLine page={page} context={context} title={page.title === heading ? overview : page.title} />
        </li>
      ))}
    </ul>
  )
}

function PageLine({ page, context, title }: { readonly page: SitePage; readonly context: SiteContext; readonly title: string }) {
  const method = pageMethod(page)
  return (
    <a href={toHref(context.hosting, page.route)}>
      {method !== undefined && <MethodMark method={method} />} {title}
    </a>
  )
}

/** The path of the OAuth redirect page. It must never change, because authorization servers have it registered. */
const oauthPath = '_oauth/'

/** The OAuth redirect page. Its script passes the response to the page that started the sign-in. */
export function renderOAuthPage(context: Pick<SiteContext, 'hosting' | 'assets' | 'messages'>): SiteFile {
  const { assets, messages } = context
  const { signIn: texts, language } = messages
  const files = toMessageFiles(messages)
  const html = renderToString(
    <html lang={language} dir={isRightToLeft(language) ? 'rtl' : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={toPolicy([])} />
        {/* The URL contains an authorization code. */}
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>{texts.title}</title>
        {files && <meta name="messages" content={toAssetHref(context.hosting, files.client.path)} />}
        <link rel="icon" href="data:," />
        <script src={toAssetHref(context.hosting, assets.theme)} />
        <script type="module" src={toAssetHref(context.hosting, assets.oauth)} />
        <link rel="stylesheet" href={toAssetHref(context.hosting, assets.stylesheet)} />
      </head>
      <body>
        <main class="wrap bare">
          <h1>{texts.title}</h1>
          <p role="status" data-status="">
            {texts.status}
          </p>
          <noscript>
            <p>{texts.noScript}</p>
          </noscript>
        </main>
      </body>
    </html>,
  )
  return { path: `${oauthPath}index.html`, content: `<!doctype html>\n${html}\n` }
}

/** A page that is not part of the docs directory or the navigation, such as the 404 page. */
export function toOtherPage({ route, title }: Pick<SitePage, 'route' | 'title'>): SitePage {
  // The frontmatter counts even if `seo.indexing` is `all`.
  const left = { hidden: true, noindex: true, frontmatter: { noindex: true }, trail: [] }
  return { ...toGeneratedPage({ kind: 'guide' }, route, { title }), ...left }
}
