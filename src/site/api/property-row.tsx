import type { ComponentChildren } from 'preact'
import type { SchemaView } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'
import { Description } from './description.tsx'
import { Facts } from './facts.tsx'
import { SchemaInside } from './schema-inside.tsx'
import { TypeText } from './type-text.tsx'

export interface PropertyRowProps {
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
  readonly children?: ComponentChildren
}

/** One row: name with a permanent link, type, marks; then text; then one quiet line of limits; then what is inside. */
export function PropertyRow(props: PropertyRowProps) {
  const { api, name, required, schema, note, depth, children } = props
  const id = api.claim(props.id)
  const isDeprecated = props.deprecated === true || schema.deprecated
  return (
    <li id={id} class={isDeprecated ? 'is-dep' : undefined}>
      <div class="p-head">
        <a class="p-name h" href={`#${id}`}>
          {name}
        </a>{' '}
        <span class="p-type">
          <TypeText type={schema.type} api={api} />
          {note !== undefined && ` · ${note}`}
        </span>
        {required && <span class="req">required</span>}
        {schema.readOnly && <span class="tag">read-only</span>}
        {schema.writeOnly && <span class="tag">write-only</span>}
        {isDeprecated && <span class="tag dep">deprecated</span>}
      </div>
      <Description text={props.description ?? schema.description} api={api} />
      <Facts schema={schema} api={api} />
      {children}
      <SchemaInside schema={schema} api={api} id={id} depth={depth} />
    </li>
  )
}
