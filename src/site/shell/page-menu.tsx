import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { NamedIcon } from '../icons/named-icon.tsx'
import { resolveHref, type SiteContext, toAssetHref } from '../site-context.ts'
import type { ContextualOption, SitePage } from '../types.ts'
import { toWholeAddress } from './list-metatags.ts'

interface PageMenuProps {
  readonly context: SiteContext
  readonly page: SitePage
  /** More lines, at the end. */
  readonly menu?: ComponentChildren
}

/** The menu beside a page's title: its text for a person or a model, as `contextual` of docs.json wants it. */
export function PageMenu({ context, page, menu }: PageMenuProps) {
  const lines = context.plan.settings.contextual.map((option) => <Option option={option} context={context} page={page} />)
  return (
    <details class="menu">
      <summary class="btn">
        <Icon name="copy" /> <span>Copy page</span> <Icon name="down" />
      </summary>
      <div>
        {lines}
        {menu}
      </div>
    </details>
  )
}

/** Where a question about a page can be asked, with what stands before the encoded question. */
const assistants = {
  chatgpt: { name: 'ChatGPT', start: 'https://chatgpt.com/?hints=search&q=' },
  claude: { name: 'Claude', start: 'https://claude.ai/new?q=' },
  perplexity: { name: 'Perplexity', start: 'https://www.perplexity.ai/search?q=' },
} as const

function Option({ option, context, page }: { readonly option: ContextualOption } & Pick<PageMenuProps, 'context' | 'page'>) {
  const path = `${page.route === '' ? 'index' : page.route}.md`
  const markdown = toAssetHref(context, path)
  switch (option.kind) {
    case 'copy':
      return (
        <button type="button" class="needs-js" data-copy-from={markdown}>
          <Icon name="copy" />
          <span>
            Copy as Markdown<small>For a person or a model</small>
          </span>
        </button>
      )
    case 'view':
      return (
        <a href={markdown}>
          <Icon name="page" />
          <span>
            View as Markdown<small>This address, ending in .md</small>
          </span>
        </a>
      )
    case 'link':
      return (
        <a href={fillIn(resolveHref(context, option.href, undefined), context, page)}>
          <NamedIcon name={option.icon} />
          <span>
            {option.title}
            {option.description !== undefined && <small>{option.description}</small>}
          </span>
        </a>
      )
    default: {
      const { name, start } = assistants[option.kind]
      // They read the page themselves, so they have to know where it is.
      const address = toWholeAddress(context, page.route)
      if (address === undefined) return null
      return (
        <a href={start + encodeURIComponent(`Read ${address} and answer questions about it`)}>
          <Icon name="ext" />
          <span>
            Open in {name}
            <small>Ask about this page there</small>
          </span>
        </a>
      )
    }
  }
}

function fillIn(href: string, context: SiteContext, page: SitePage): string {
  const address = toWholeAddress(context, page.route) ?? `/${page.route}`
  return href.replaceAll(/\{?\$(page|path)\}?/g, (_found, word) => encodeURIComponent(word === 'page' ? address : page.route))
}
