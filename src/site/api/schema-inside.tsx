import type { ChoiceView, OtherKeyView, SchemaView } from '../../reference/types.ts'
import { type Html, html, noHtml } from '../html.ts'
import { renderIcon } from '../icons/icon.tsx'
import { Raw } from '../raw.tsx'
import { toAssetHref } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'
import { renderDescription } from './description.tsx'
import { renderFacts } from './facts.tsx'
import { deprecatedMark, renderRow } from './property-row.tsx'
import { toAnchor } from './to-anchor.ts'
import { toSlicePath } from './to-slice-path.ts'
import { renderType } from './type-text.tsx'

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
export function renderInside({ schema, api, id, depth }: SchemaInsideProps): Html {
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
