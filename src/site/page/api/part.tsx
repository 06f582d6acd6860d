import { type ComponentChildren, Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SchemaSide } from '../../reference/types.ts'
import { toBreakable } from '../breakable.tsx'
import { Html, Raw } from '../html.tsx'
import { Icon } from '../icons/page-icons.tsx'

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
        {content.indexOf('<details class="nest"') !== content.lastIndexOf('<details class="nest"') && (
          <button type="button" class="expand needs-js" data-expand="" title="+ / -">
            {isWhole ? messages.client.page.collapseAll : messages.client.page.expandAll}
          </button>
        )}
      </h2>
      <Raw html={new Html(content)} />
    </section>
  )
}

interface SwitchProps {
  readonly messages: Messages
  /** The accessible name of the switch. */
  readonly legend: string
  /** The name of the radio group, unique on the page. */
  readonly group: string
  readonly options: readonly {
    readonly label: string
    /** Follows the label in a list of many. */
    readonly note?: string | undefined
    /** Attributes of the element of its content. */
    readonly attributes?: { readonly id?: string }
    readonly content: ComponentChildren
  }[]
}

/** Labels with more characters together do not fit into one line of a phone. */
const maxSwitchLength = 36

/** More alternatives are a list that opens, so that the first of them is near. */
const maxButtons = 6

/**
 * Alternatives, of which one is shown: media types, and the schemas of a choice. Long labels are in columns. Of many, only the chosen one is
 * visible, as a button of the list, which opens without scripts.
 */
export function Switch({ messages, legend, group, options }: SwitchProps) {
  const isMany = options.length > maxButtons
  const isLong = options.map(({ label }) => label).join('').length > maxSwitchLength
  return (
    <div class={isMany ? 'tabs seg many' : 'tabs seg'}>
      <fieldset class={isLong && !isMany ? 'columns' : undefined} {...(isMany && { id: group, popover: 'auto' })}>
        <legend class="vh">{legend}</legend>
        {isMany && <FilterField messages={messages} />}
        {isMany && <output class="vh" aria-live="polite" />}
        {options.map(({ label, note }, index) => (
          <label>
            <input type="radio" name={group} checked={index === 0} /> {isLong ? <span>{toBreakable(label)}</span> : label}
            {isMany && note !== undefined && <small>{toBreakable(note)}</small>}
          </label>
        ))}
      </fieldset>
      {options.map(({ label, attributes, content }, index) => (
        <div {...attributes}>
          {isMany && (
            <button type="button" class="btn" popovertarget={group}>
              <span>
                <span class="vh">{legend}: </span>
                {toBreakable(label)}
              </span>
              <small>
                {index + 1} / {options.length}
              </small>
              <Icon name="down" />
            </button>
          )}
          {content}
        </div>
      ))}
    </div>
  )
}

/** A field for words, which hides what does not contain them. It needs scripts, which say how many are left. */
function FilterField({ messages: { reference: texts } }: Pick<SwitchProps, 'messages'>) {
  return <input type="search" class="needs-js" data-filter="" aria-label={texts.filter} placeholder={texts.filter} />
}

/** The filter of a long list of rows, which follows it. */
export function RowFilter({ messages, hasRequired }: Pick<SwitchProps, 'messages'> & { readonly hasRequired: boolean }) {
  return (
    <div class="row-filter needs-js">
      <FilterField messages={messages} />
      {hasRequired && (
        <label>
          <input type="checkbox" data-filter="" autocomplete="off" /> {messages.reference.requiredOnly}
        </label>
      )}
      <output aria-live="polite" />
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

/** A sentence with names in backticks. */
export function Message({ text }: { text: string }) {
  const parts = text.split('`')
  // With an odd number of backticks, a name contains one, so names and text cannot be distinguished.
  if (parts.length % 2 === 0) return <>{text}</>
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
