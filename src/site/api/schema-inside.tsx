import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { ChoiceView, OtherKeyView, SchemaView, TypePart } from '../../reference/types.ts'
import { renderDescription } from '../content/markdown-text.tsx'
import { type Html, html, noHtml } from '../html.ts'
import { renderIcon } from '../icons/page-icons.tsx'
import { toAnchor } from '../part-ids.ts'
import { Raw } from '../raw.tsx'
import { toAssetHref } from '../site-context.ts'
import { type ApiContext, toSlicePath } from './api-context.ts'

interface SchemaInsideProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** The address of what the schema belongs to; those inside begin with it. */
  readonly id: string
  /** Levels of rows around it; what is deeper than one opens on demand. */
  readonly depth: number
}

/** What opens under a row: properties, elements, choices. Nothing for a schema that says all in its row. */
export function SchemaInside(props: SchemaInsideProps) {
  return <Raw html={renderInside(props)} />
}

/** As `SchemaInside`. */
function renderInside({ schema, api, id, depth }: SchemaInsideProps): Html {
  const shown = throughItems(schema)
  if (shown.isCut !== false) return renderCut(shown, api)
  const { choices, not } = shown
  const isOnly = shown.isClosed && shown.properties.length > 0
  const rows = renderRows(shown, { api, id, depth })
  const options = choices.map((choice, index) =>
    renderChoice(choice, { api, id: choices.length === 1 ? id : toAnchor(id, index + 1), depth }),
  )
  const refused = not && html`<div class="p-desc">Not: ${renderType(not.type, api)}${renderFacts(not, api)}</div>`
  return html`${rows}${isOnly && depth === 0 && onlyTheseKeys}${options}${refused}`
}

function renderRows(schema: SchemaView, { api, id, depth }: Omit<SchemaInsideProps, 'schema'>): Html {
  const rows = rowsOf(schema)
  if (rows.length === 0) return noHtml
  const inside = rows.map((row) => renderRow({ api, id: toAnchor(id, row.name), depth: depth + 1, ...row }))
  const list = html`<ul class="props">${inside}</ul>`
  if (depth === 0) return list
  const more = html`<span class="more">Show ${rows.length} ${rows.length === 1 ? 'attribute' : 'attributes'}</span>`
  const summary = html`<summary>${turningIcon} ${more}<span class="less">Hide attributes</span></summary>`
  const isOnly = schema.isClosed && schema.properties.length > 0
  return html`<details class="nest">${summary}${list}${isOnly && onlyTheseKeys}</details>`
}

const turningIcon = renderIcon('chev', 'turn')

const onlyTheseKeys = html`<p class="facts">No other keys</p>`

/** The elements of a list are shown in place of the list: its row says that it is one. */
function throughItems(schema: SchemaView): SchemaView {
  let shown = schema
  for (let depth = 0; shown.items && shown.properties.length === 0 && shown.choices.length === 0 && depth < 5; depth++)
    shown = shown.items
  return shown
}

interface Row {
  readonly name: string
  readonly required: boolean
  readonly schema: SchemaView
  readonly note: string | undefined
}

/** The rows of a schema: each property, and what its other keys and elements are. */
function rowsOf(schema: SchemaView): Row[] {
  return [
    ...schema.properties.map(({ name, required, schema: one }) => ({ name, required, schema: one, note: undefined })),
    ...schema.otherKeys.filter(isWorthRow).map(({ label, pattern, schema: one }) => ({
      name: label,
      required: false,
      schema: one,
      note: pattern === undefined ? undefined : `keys match ${pattern}`,
    })),
    ...schema.prefixItems.map((one, index) => ({ name: `[${index}]`, required: false, schema: one, note: undefined })),
    ...schema.conditions.map(({ label, schema: one }) => ({ name: label, required: false, schema: one, note: undefined })),
  ]
}

/** The type of a map says what its keys have, where that is all. */
function isWorthRow({ schema, pattern }: OtherKeyView, _: number, all: readonly OtherKeyView[]): boolean {
  const { description, facts, enum: values, properties, choices, items, isCut } = schema
  const isPlain = description === undefined && facts.length === 0 && values.length === 0
  const isFlat = properties.length === 0 && choices.length === 0 && !items && isCut === false
  return !isPlain || !isFlat || pattern !== undefined || all.length > 1
}

function renderCut(schema: SchemaView, api: ApiContext): Html {
  const href = schema.target && api.schemaHref(schema.target)
  if (schema.isCut === 'recursive') {
    const name = schema.target?.name ?? 'the schema around it'
    return html`<p class="facts">${renderIcon('redo')} Repeats ${href === undefined ? name : html`<a href="${href}">${name}</a>`}</p>`
  }
  if (schema.target && href !== undefined) return html`<p class="facts"><a href="${href}">All of ${schema.target.name}</a></p>`
  const { kind } = api.page.subject
  if (kind !== 'operation' && kind !== 'webhook') return html`<p class="facts">What is deeper is in the OpenAPI document</p>`
  const slice = toAssetHref(api.site, toSlicePath(api.page))
  return html`<p class="facts"><a href="${slice}">What is deeper is in its OpenAPI</a></p>`
}

/** Names of groups of radio buttons, unique on the page: made from the address of the choice. */
function renderChoice({ kind, discriminator, options }: ChoiceView, { api, id, depth }: Omit<SchemaInsideProps, 'schema'>): Html {
  const words = kind === 'oneOf' ? 'one of' : 'any of'
  const [only] = options
  const group = api.claim(`${id}-choice`)
  if (options.length === 1 && only) return renderInside({ schema: only.schema, api, id, depth })
  const legend = html`<legend class="vh">${discriminator === undefined ? words : `${words}, by ${discriminator}`}</legend>`
  const labels = options.map(
    ({ label }, index) => html`<label><input type="radio" name="${group}"${index === 0 && checked}/> ${label}</label>`,
  )
  const insides = options.map(({ label, schema }, index) => {
    const type = html`<p class="p-desc">${renderType(schema.type, api)}${schema.deprecated && deprecatedMark}</p>`
    const text = html`${renderDescription(schema.description, api)}${renderFacts(schema, api)}`
    const inside = renderInside({ schema, api, id: toAnchor(id, label === '' ? index : label), depth: 0 })
    return html`<div>${type}${text}${inside}</div>`
  })
  return html`<div class="choice"><div class="tabs seg"><fieldset>${legend}${labels}</fieldset>${insides}</div></div>`
}

const checked = html` checked`

interface PropertyRowProps {
  readonly api: ApiContext
  /** Its own address on the page. */
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly deprecated?: boolean
  /** Instead of the schema's own. */
  readonly description?: string | undefined
  readonly schema: SchemaView
  /** After the type: `· query`. */
  readonly note?: string | undefined
  /** Levels of rows around it. */
  readonly depth: number
}

/** One row: name with a permanent link, type, marks; then text; then one quiet line of limits; then what is inside. */
export function PropertyRow(props: PropertyRowProps) {
  return <Raw html={renderRow(props)} />
}

/** As `PropertyRow`. */
function renderRow(props: PropertyRowProps): Html {
  const { api, name, required, schema, note, depth } = props
  const id = api.claim(props.id)
  const isDeprecated = props.deprecated === true || schema.deprecated
  const type = html`<span class="p-type">${renderType(schema.type, api)}${note !== undefined && ` · ${note}`}</span>`
  const marks = html`${required && requiredMark}${schema.readOnly && readOnlyMark}${schema.writeOnly && writeOnlyMark}${
    isDeprecated && deprecatedMark
  }`
  const head = html`<div class="p-head"><a class="p-name h" href="#${id}">${name}</a> ${type}${marks}</div>`
  const text = renderDescription(props.description ?? schema.description, api)
  const inside = html`${renderFacts(schema, api)}${renderInside({ schema, api, id, depth })}`
  return html`<li id="${id}"${isDeprecated && deprecatedClass}>${head}${text}${inside}</li>`
}

const requiredMark = html`<span class="req">required</span>`

const readOnlyMark = html`<span class="tag">read-only</span>`

const writeOnlyMark = html`<span class="tag">write-only</span>`

/** Beside what is deprecated. */
const deprecatedMark = html`<span class="tag dep">deprecated</span>`

const deprecatedClass = html` class="is-dep"`

/** Choices of `enum` that stand in one line; more, or ones with words of their own, are a list. */
const inlineLimit = 12

/** Limits, default, examples, and the values that are allowed. */
export function Facts({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  return <Raw html={renderFacts(schema, api)} />
}

/** As `Facts`. */
function renderFacts(schema: SchemaView, api: ApiContext): Html {
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

interface TypeTextProps {
  readonly type: readonly TypePart[]
  readonly api: ApiContext
}

/** A type in words; named schemas link to their pages. */
export function TypeText({ type, api }: TypeTextProps) {
  return <Raw html={renderType(type, api)} />
}

/** As `TypeText`. */
function renderType(type: readonly TypePart[], api: ApiContext): Html {
  return html`${type.map(({ text, target }) => {
    const href = target && api.schemaHref(target)
    return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`
  })}`
}
