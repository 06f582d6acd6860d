import type { ComponentChildren } from 'preact'
import type { MdxHeading } from '../../../script/values/values.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { type AllowedUrl, encodeUrlPart } from '../../../text/plain/paths.ts'
import { feedbackLimits } from '../../messages/feedback-format.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import { contextualOf } from '../../plan/read-settings.ts'
import type { ContextualOption, SitePage } from '../../plan/types.ts'
import { toAgentName } from '../agent-note.ts'
import { toBreakable } from '../breakable.tsx'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { findPrintSections, printPath } from '../page-listing.ts'
import { resolveHref, type SiteContext, toAssetHref, toHref, toMarkdownPath, withRest } from '../site-context.ts'
import { showLabels } from './marks.tsx'
import { toAbsoluteUrl } from './metatags.ts'
import { findNeighbors, type PageView } from './navigation-view.ts'
import { Directory, LastModified, RelatedPages } from './page-end.tsx'

export interface PageFrameProps extends PageView {
  readonly headings: readonly MdxHeading[]
  /** Whether the text starts with the title, such as in a hero, so that the frame hides its own. */
  readonly hasOwnTitle?: boolean
  /** Shown between the title and the description. */
  readonly top?: ComponentChildren
  /** The description. */
  readonly lead: ComponentChildren
  /** The text of the page. */
  readonly children: ComponentChildren
  /** Shown below the text. */
  readonly rest?: ComponentChildren
  /** Shown in the right column above the table of contents, and on narrow screens below the text. */
  readonly start?: ComponentChildren
  /** The right column, such as code samples; by default the table of contents. */
  readonly aside?: ComponentChildren
  /** Additional entries of the page menu. */
  readonly menu?: ComponentChildren
  /** Where readers can change the page. */
  readonly editHref?: AllowedUrl | undefined
}

/**
 * The frame of a page: breadcrumbs, title, table of contents, and links to the previous and next page. The modes `custom` and `frame` omit the frame, but
 * keep the title for screen readers.
 */
export function PageFrame(props: PageFrameProps) {
  const { context, page, view, headings, hasOwnTitle = false, top, lead, children, rest, start, aside, menu, editHref } = props
  const { mode } = page
  if (mode === 'custom' || mode === 'frame') {
    return (
      <article class="page app">
        {!headings.some(({ depth }) => depth === 1) && <h1 class="vh">{page.title}</h1>}
        {top}
        {children}
        {start}
        {rest}
      </article>
    )
  }
  const contents = mode === 'default' && headings.length > 1 && <Contents headings={headings} context={context} />
  return (
    <div
      class={
        start
          ? 'page home'
          : aside
            ? 'page'
            : mode === 'wide'
              ? 'page app'
              : mode === 'center'
                ? 'page middle'
                : page.subject.kind === 'schema'
                  ? 'page text wide-text'
                  : 'page text'
      }
    >
      <article>
        <Crumbs context={context} view={view} />
        <div class="title">
          <h1 dir="auto" class={hasOwnTitle ? 'vh' : undefined}>
            {showLabels(page.labels, 'before')}
            {toBreakable(page.title)} {page.deprecated && <span class="tag dep">{context.messages.page.deprecated}</span>}
            {showLabels(page.labels, 'after')}
          </h1>
          <PageMenu context={context} page={page} menu={menu} />
        </div>
        {top}
        {lead}
        {children}
        {start && (
          <div class="beside">
            {start}
            {contents}
          </div>
        )}
        {rest}
        <Directory context={context} page={page} />
        <RelatedPages context={context} page={page} />
        <LastModified context={context} page={page} />
        {editHref !== undefined && (
          <p class="edit-page">
            <a href={editHref}>{context.messages.page.edit}</a>
          </p>
        )}
        <FeedbackForm context={context} page={page} />
      </article>
      {!start && (aside ?? contents)}
      {page.frontmatter['hideFooterPagination'] !== true && <Pager context={context} page={page} />}
    </div>
  )
}

/** The link to the samples of a page on screens where they follow the text, see `SamplesColumn`. */
export function SamplesLink({ label }: { readonly label: string }) {
  return (
    <a class="btn jump" href="#samples">
      {label}
    </a>
  )
}

interface SamplesColumnProps {
  readonly context: SiteContext
  /** The accessible name. */
  readonly label: string
  /** An additional class. */
  readonly class?: string
  readonly children: ComponentChildren
}

/** Samples next to the text. On narrow screens, they follow the text, and a link leads back to the start of the page. */
export function SamplesColumn({ context, label, class: more, children }: SamplesColumnProps) {
  return (
    <aside class={more === undefined ? 'aside' : `aside ${more}`} id="samples" aria-label={label}>
      {children}
      <a class="btn jump" href="#main">
        {context.messages.page.backToTop}
      </a>
    </aside>
  )
}

/** Breadcrumbs: the full path, or only the group with `styling.eyebrows: section`. */
function Crumbs({ context, view }: Pick<PageFrameProps, 'context' | 'view'>) {
  const crumbs = context.plan.settings.styling.eyebrows === 'section' ? view.crumbs.slice(-1) : view.crumbs
  if (crumbs.length === 0) return null
  return (
    <nav aria-label={context.messages.page.breadcrumb}>
      <ol class="crumbs">
        {crumbs.map(({ label, href }) => (
          <li>{href === undefined ? label : <a href={href}>{label}</a>}</li>
        ))}
      </ol>
    </nav>
  )
}

function Pager({ context, page }: Pick<PageFrameProps, 'context' | 'page'>) {
  const { previous, next } = findNeighbors(page, context.plan.pageByRoute)
  if (!previous && !next) return null
  const texts = context.messages.page
  return (
    <nav class="pager" aria-label={texts.previousAndNext}>
      {previous && (
        <a href={toHref(context.hosting, previous.route)} rel="prev">
          <small>{texts.previous}</small>
          {toBreakable(toLabel(previous, texts))}
        </a>
      )}
      {next && (
        <a class="next" href={toHref(context.hosting, next.route)} rel="next">
          <small>{texts.next}</small>
          {toBreakable(toLabel(next, texts))}
        </a>
      )}
    </nav>
  )
}

/** Many pages are called "Overview" in the sidebar, such as those of APIs and tags. */
function toLabel({ subject: { kind }, title, sidebarTitle }: SitePage, { overview }: Messages['page']): string {
  return kind === 'description' || kind === 'tag' || sidebarTitle === 'Overview' || sidebarTitle === overview
    ? title
    : sidebarTitle
}

function Contents({ headings, context }: Pick<PageFrameProps, 'headings' | 'context'>) {
  const shown = headings.filter(({ depth }) => depth > 1 || headings.every((heading) => heading.depth === 1))
  return (
    <nav class="toc" aria-labelledby="toc">
      <h2 id="toc">{context.messages.page.onThisPage}</h2>
      <ul>
        {shown.map(({ depth, id, text }) => (
          <li class={depth === 3 ? 'sub' : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The menu next to the page title, configured with `contextual` in `docs.json`. */
function PageMenu({ context, page, menu }: Pick<PageFrameProps, 'context' | 'page' | 'menu'>) {
  const options = contextualOf(page, context.plan.settings)
  const lines = options.map((option) => <Option option={option} context={context} page={page} menu={menu} />)
  if (lines.length === 0 && !menu) return null
  // A page of the repository can replace the print page.
  const sections = context.plan.pageByRoute.has('print') ? [] : findPrintSections(page, context.plan)
  const { pageMenu: texts, language } = context.messages
  return (
    <details class="menu">
      <summary class="btn">
        <Icon name="copy" /> <span>{texts.title}</span> <Icon name="down" />
      </summary>
      <div>
        {lines}
        {!options.some(({ kind }) => kind === 'download-spec') && menu}
        {sections.slice(0, 1).map(({ id, label, pages }) => (
          <MenuEntry
            icon={<Icon name="page" />}
            text={label === '' ? texts.printSection : formatMessage(texts.printNamed, { name: label }, language)}
            hint={formatMessage(texts.printHint, { count: pages.length }, language)}
            href={withRest(toAssetHref(context.hosting, printPath), `#${id}`)}
          />
        ))}
      </div>
    </details>
  )
}

/** AI assistants, with the URL that precedes the encoded prompt. */
const assistants = {
  chatgpt: { name: 'ChatGPT', start: 'https://chatgpt.com/?hints=search&q=' },
  claude: { name: 'Claude', start: 'https://claude.ai/new?q=' },
  perplexity: { name: 'Perplexity', start: 'https://www.perplexity.ai/search?q=' },
  grok: { name: 'Grok', start: 'https://grok.com/?q=' },
  aistudio: { name: 'Google AI Studio', start: 'https://aistudio.google.com/prompts/new_chat?prompt=' },
} as const

interface MenuEntryProps {
  readonly icon: ComponentChildren
  readonly text: string
  readonly hint?: string | undefined
  /** Absent for an entry that copies a text, or that of a file. */
  readonly href?: AllowedUrl
  readonly download?: boolean
  readonly 'data-copy'?: string
  readonly 'data-copy-from'?: AllowedUrl
}

/** An entry of the page menu: a link, or a button that copies something. */
export function MenuEntry({ icon, text, hint, ...attributes }: MenuEntryProps) {
  const label = (
    <>
      {icon}
      <span>
        {text}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </>
  )
  return attributes.href !== undefined ? (
    <a {...attributes}>{label}</a>
  ) : (
    <button type="button" class="needs-js" {...attributes}>
      {label}
    </button>
  )
}

function Option({
  option,
  menu,
  ...around
}: { readonly option: ContextualOption } & Pick<PageFrameProps, 'context' | 'page' | 'menu'>) {
  if (option.kind === 'download-spec') return <>{menu}</>
  const entry = toEntry(option, around)
  return entry ? <MenuEntry {...entry} /> : null
}

function toEntry(
  option: Exclude<ContextualOption, { kind: 'download-spec' }>,
  { context, page }: Pick<PageFrameProps, 'context' | 'page'>,
): MenuEntryProps | undefined {
  const markdown = toAssetHref(context.hosting, toMarkdownPath(page))
  const { pageMenu: texts, language } = context.messages
  const { mcpUrl = '' } = context.hosting
  if (mcpUrl === '' && /^(?:mcp|add-mcp|cursor|vscode)$/.test(option.kind)) return undefined
  const [copyIcon, openIcon] = [<Icon name="copy" />, <Icon name="ext" />]
  switch (option.kind) {
    case 'copy':
      return { icon: copyIcon, text: texts.copyMarkdown, hint: texts.copyMarkdownHint, 'data-copy-from': markdown }
    case 'view':
      return { icon: <Icon name="page" />, text: texts.viewMarkdown, hint: texts.viewMarkdownHint, href: markdown }
    case 'link': {
      const href = fillIn(resolveHref(context, option.href, undefined), context, page)
      return { icon: <NamedIcon name={option.icon} context={context} />, text: option.title, hint: option.description, href }
    }
    case 'mcp':
      return { icon: copyIcon, text: texts.copyMcpUrl, hint: texts.copyMcpUrlHint, 'data-copy': mcpUrl }
    case 'add-mcp':
      return { icon: copyIcon, text: texts.copyMcpCommand, hint: 'npx add-mcp', 'data-copy': `npx add-mcp ${mcpUrl}` }
    case 'cursor':
    case 'vscode': {
      const href = toEditorLink(option.kind, { name: toAgentName(context.plan.settings.name), url: mcpUrl })
      const text = formatMessage(texts.connectTo, { name: option.kind === 'cursor' ? 'Cursor' : 'VS Code' }, language)
      return { icon: openIcon, text, hint: texts.connectToHint, href }
    }
    default: {
      const { name, start } = assistants[option.kind]
      // Assistants fetch the page, so they need its absolute URL.
      const url = toAbsoluteUrl(context, page.route)
      if (url === undefined) return undefined
      const href = withRest(start as AllowedUrl, encodeUrlPart(formatMessage(texts.question, { url }, language)))
      return { icon: openIcon, text: formatMessage(texts.openIn, { name }, language), hint: texts.openInHint, href }
    }
  }
}

/** The link that installs an MCP server in an editor. Source: cursor.com, "MCP install links". */
function toEditorLink(editor: 'cursor' | 'vscode', server: { readonly name: string; readonly url: string }): AllowedUrl {
  const { name, url } = server
  const query = new URLSearchParams({ name, config: btoa(JSON.stringify({ url })) })
  const links = {
    cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
    vscode: `vscode:mcp/install?${encodeUrlPart(JSON.stringify(server))}`,
  }
  return links[editor] as AllowedUrl
}

function fillIn(href: AllowedUrl, context: SiteContext, page: SitePage): AllowedUrl {
  const values: Readonly<Record<string, string>> = {
    page: toAbsoluteUrl(context, page.route) ?? `/${page.route}`,
    path: page.route,
    mcp: context.hosting.mcpUrl ?? '',
  }
  // Encoded text cannot change where a URL points.
  const fill = (_found: string, name: string) => encodeUrlPart(readOwn(values, name) ?? '')
  return href.replaceAll(/\{?\$(page|path|mcp)\}?/g, fill) as AllowedUrl
}

/**
 * Asks readers about a page, with `site.feedback`. A script sends the answers as JSON: each one at once, and again with its comment, which is
 * shown after the answer. There are no identifiers.
 */
function FeedbackForm({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  // Parts of schemas have pages that are not in the plan.
  if (context.plan.settings.site.feedback === false || context.plan.pageByRoute.get(page.route) !== page) return null
  const texts = context.messages.feedback
  return (
    <form class="feedback needs-js" data-thanks={texts.thanks} data-failed={texts.failed}>
      <input type="hidden" name="page" value={toHref({ base: '/' }, page.route)} />
      <fieldset>
        <legend>{texts.question}</legend>
        <button type="submit" class="btn" name="answer" value="yes">
          {texts.yes}
        </button>
        <button type="submit" class="btn" name="answer" value="no">
          {texts.no}
        </button>
      </fieldset>
      <p role="status" />
      <div hidden>
        <label>
          {texts.comment}
          <textarea name="comment" rows={3} maxLength={feedbackLimits.comment} />
        </label>
        <button type="submit" class="btn">
          {texts.send}
        </button>
      </div>
    </form>
  )
}
