import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { SchemaView } from '../../reference/types.ts'
import { type Html, html, noHtml } from '../html.ts'
import { Raw } from '../raw.tsx'
import type { ApiContext } from './api-context.ts'
import { renderDescription } from './description.tsx'

/** Choices of `enum` that stand in one line; more, or ones with words of their own, are a list. */
const inlineLimit = 12

/** Limits, default, examples, and the values that are allowed. */
export function Facts({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  return <Raw html={renderFacts(schema, api)} />
}

/** As `Facts`. */
export function renderFacts(schema: SchemaView, api: ApiContext): Html {
  const { facts, enum: values, externalDocs } = schema
  if (facts.length === 0 && values.length === 0 && !externalDocs) return noHtml
  const isList = values.length > inlineLimit || values.some(({ description }) => description !== undefined)
  const hasLine = facts.length > 0 || (values.length > 0 && !isList)
  return html`${hasLine && html`<ul class="facts">${!isList && renderInline(values)}${facts.map(renderFact)}</ul>`}${
    isList && renderList(schema, api)
  }${
    externalDocs &&
    html`<p class="p-desc"><a href="${isAllowedUrl(externalDocs.url, 'link') ? externalDocs.url : '#'}">${
      externalDocs.description ?? externalDocs.url
    }</a></p>`
  }`
}

function renderInline(values: SchemaView['enum']): Html {
  if (values.length === 0) return noHtml
  const codes = values.map(({ value }, index) => html`${index > 0 && ' '}<code>${toShown(value)}</code>`)
  return html`<li>${values.length === 1 ? 'Always ' : 'One of '}${codes}</li>`
}

function renderFact(fact: SchemaView['facts'][number]): Html {
  return fact.kind === 'words' ? html`<li>${fact.text}</li>` : html`<li>${fact.label} <code>${toShown(fact.value)}</code></li>`
}

function renderList({ enum: values }: SchemaView, api: ApiContext): Html {
  const items = values.map(
    ({ value, description }) => html`<dt><code>${toShown(value)}</code></dt><dd>${renderDescription(description, api, '')}</dd>`,
  )
  const list = html`<dl class="enum">${items}</dl>`
  if (values.length <= inlineLimit) return list
  const summary = html`<summary><span class="more">Show ${values.length} values</span><span class="less">Hide values</span></summary>`
  return html`<details class="nest">${summary}${list}</details>`
}

/** An empty text would not be seen. */
function toShown(value: string): string {
  return value === '' ? '""' : value
}
