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

interface SwitchProps {
  /** The accessible name of the switch. */
  readonly legend: string
  /** The name of the radio group, unique on the page. */
  readonly group: string
  readonly options: readonly {
    readonly label: string
    /** Attributes of the element of its content. */
    readonly attributes?: { readonly id?: string }
    readonly content: ComponentChildren
  }[]
}

/** Labels with more characters together do not fit into one line of a phone. */
const maxSwitchLength = 36

/** Alternatives, of which one is shown: media types, and the schemas of a choice. Long labels are in columns. */
export function Switch({ legend, group, options }: SwitchProps) {
  const isLong = options.map(({ label }) => label).join('').length > maxSwitchLength
  return (
    <div class="tabs seg">
      <fieldset class={isLong ? 'columns' : undefined}>
        <legend class="vh">{legend}</legend>
        {options.map(({ label }, index) => (
          <label>
            <input type="radio" name={group} checked={index === 0} /> {label}
          </label>
        ))}
      </fieldset>
      {options.map(({ attributes, content }) => (
        <div {...attributes}>{content}</div>
      ))}
    </div>
  )
}

/** Values, scopes and variables with what each means. */
export function Terms({
  terms,
}: {
  readonly terms: readonly { readonly name: ComponentChildren; readonly text: ComponentChildren }[]
}) {
  if (terms.length === 0) return null
  return (
    <dl class="enum">
      {terms.map(({ name, text }) => (
        <>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  )
}

/** A link to a URL of an OpenAPI document, or only its text without a URL or with one that could run a script. */
export function DocumentLink({ url, children }: { readonly url: string | undefined; readonly children: ComponentChildren }) {
  return url !== undefined && isAllowedUrl(url, 'link') ? <a href={url}>{children}</a> : children
}
