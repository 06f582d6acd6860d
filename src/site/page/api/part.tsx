import { type ComponentChildren, Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SchemaSide } from '../../reference/types.ts'
import { Html, Raw } from '../html.tsx'

interface PartProps {
  readonly messages: Messages
  /** The element ID of the heading. */
  readonly id: string
  readonly heading: ComponentChildren
  /** Small text at the end of the heading's line. */
  readonly note?: ComponentChildren
  /** Which properties of a schema apply. The script leaves out others of schemas that it loads. */
  readonly side?: SchemaSide
  /** Whether the collapsible parts start expanded. Those that the script loads stay collapsed. */
  readonly isExpanded?: boolean
  readonly children: ComponentChildren
}

/**
 * A section of a reference page. If it has at least two collapsible parts, its heading has a button that expands all of them. The button
 * needs scripts, but is part of the page: adding it later would move the page.
 */
export function Part({ messages, id, heading, note, side, isExpanded = false, children }: PartProps) {
  const collapsed = renderToString(h(Fragment, {}, children))
  const content = isExpanded ? collapsed.replaceAll('<details class="nest">', '<details class="nest" open>') : collapsed
  const isWhole = isExpanded && !content.includes('<details class="nest lazy">')
  return (
    <section class="part" data-side={side}>
      <h2 id={id}>
        <a class="h" href={`#${id}`}>
          {heading}
        </a>
        {note !== undefined && (
          <>
            {' '}
            <small>{note}</small>
          </>
        )}
        {content.split('<details class="nest"').length > 2 && (
          <button type="button" class="expand needs-js" data-expand="">
            {isWhole ? messages.client.page.collapseAll : messages.client.page.expandAll}
          </button>
        )}
      </h2>
      <Raw html={new Html(content)} />
    </section>
  )
}

/** A link to a URL of an OpenAPI document, or only its text without a URL or with one that could run a script. */
export function DocumentLink({ url, children }: { readonly url: string | undefined; readonly children: ComponentChildren }) {
  return url !== undefined && isAllowedUrl(url, 'link') ? <a href={url}>{children}</a> : children
}
