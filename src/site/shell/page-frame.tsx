import type { ComponentChildren } from 'preact'
import type { MdxHeading } from '../../mdx/types.ts'
import { Icon } from '../icons/icon.tsx'
import { type SiteContext, toAssetHref, toHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import type { NavigationView } from './navigation-view.ts'

export interface PageFrameProps {
  readonly context: SiteContext
  readonly page: SitePage
  readonly view: NavigationView
  readonly headings: readonly MdxHeading[]
  readonly lead: ComponentChildren
  readonly children: ComponentChildren
  /** What stands at the right, such as samples; the contents of the page where there is nothing. */
  readonly aside?: ComponentChildren
  /** More lines of the menu beside the title. */
  readonly menu?: ComponentChildren
  /** The running text is typeset as prose. */
  readonly isProse: boolean
}

/** What stands around every page: where it is, its title, what is on it, what comes before and after. */
export function PageFrame({ context, page, view, headings, lead, children, aside, menu, isProse }: PageFrameProps) {
  const isWide = page.mode !== 'default'
  return (
    <div class={aside ? 'page' : isWide ? 'page app' : 'page text'}>
      <article class={isProse ? 'prose' : undefined}>
        <div>
          {view.crumbs.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol class="crumbs">
                {view.crumbs.map(({ label, href }) => (
                  <li>{href === undefined ? label : <a href={href}>{label}</a>}</li>
                ))}
              </ol>
            </nav>
          )}
          <div class="title">
            <h1>
              {page.title} {page.deprecated && <span class="tag dep">deprecated</span>}
            </h1>
            <PageMenu context={context} page={page} menu={menu} />
          </div>
          {lead}
        </div>
        {children}
        <Pager context={context} page={page} />
      </article>
      {aside ?? (headings.length > 1 && !isWide && <Contents headings={headings} />)}
    </div>
  )
}

function PageMenu({ context, page, menu }: Pick<PageFrameProps, 'context' | 'page' | 'menu'>) {
  const markdown = toAssetHref(context, `${page.route === '' ? 'index' : page.route}.md`)
  return (
    <details class="menu">
      <summary class="btn">
        <Icon name="copy" /> <span>Copy page</span> <Icon name="down" />
      </summary>
      <div>
        <button type="button" class="needs-js" data-copy-from={markdown}>
          <Icon name="copy" />
          <span>
            Copy as Markdown<small>For a person or a model</small>
          </span>
        </button>
        <a href={markdown}>
          <Icon name="page" />
          <span>
            View as Markdown<small>This address, ending in .md</small>
          </span>
        </a>
        {menu}
      </div>
    </details>
  )
}

/** The pages before and after, in the order of the navigation, within the same part of the site. */
function Pager({ context, page }: Pick<PageFrameProps, 'context' | 'page'>) {
  const { pages } = context.plan
  const index = page.trail.length === 0 ? -1 : pages.findIndex(({ route }) => route === page.route)
  const near = (at: number) => {
    const other = index < 0 ? undefined : pages[at]
    return other && other.trail.length > 0 && !other.hidden && other.trail[1] === page.trail[1] ? other : undefined
  }
  const previous = near(index - 1)
  const next = near(index + 1)
  if (!previous && !next) return null
  return (
    <nav class="pager" aria-label="Previous and next page">
      {previous && (
        <a href={toHref(context, previous.route)}>
          <small>Previous</small>
          {previous.sidebarTitle}
        </a>
      )}
      {next && (
        <a class="next" href={toHref(context, next.route)}>
          <small>Next</small>
          {next.sidebarTitle}
        </a>
      )}
    </nav>
  )
}

function Contents({ headings }: { readonly headings: readonly MdxHeading[] }) {
  return (
    <nav class="toc" aria-labelledby="toc">
      <h2 id="toc">On this page</h2>
      <ul>
        {headings
          .filter(({ depth }) => depth > 1 || headings.every((heading) => heading.depth === 1))
          .map(({ depth, id, text }) => (
            <li class={depth === 3 ? 'sub' : undefined}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
      </ul>
    </nav>
  )
}
