import type { SchemaView } from '../../reference/types.ts'
import { type Html, html } from '../html.ts'
import { Raw } from '../raw.tsx'
import type { ApiContext } from './api-context.ts'
import { renderDescription } from './description.tsx'
import { renderFacts } from './facts.tsx'
import { renderInside } from './schema-inside.tsx'
import { renderType } from './type-text.tsx'

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
export function renderRow(props: PropertyRowProps): Html {
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
export const deprecatedMark = html`<span class="tag dep">deprecated</span>`
const deprecatedClass = html` class="is-dep"`
