import type { ChoiceView, OtherKeyView, SchemaView } from '../../reference/types.ts'
import { Icon } from '../icons/icon.tsx'
import { toAssetHref } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'
import { Description } from './description.tsx'
import { Facts } from './facts.tsx'
import { PropertyRow } from './property-row.tsx'
import { toAnchor } from './to-anchor.ts'
import { toSlicePath } from './to-slice-path.ts'
import { TypeText } from './type-text.tsx'

export interface SchemaInsideProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** The address of what the schema belongs to; those inside begin with it. */
  readonly id: string
  /** Levels of rows around it; what is deeper than one opens on demand. */
  readonly depth: number
}

/** What opens under a row: properties, elements, choices. Nothing for a schema that says all in its row. */
export function SchemaInside({ schema, api, id, depth }: SchemaInsideProps) {
  const shown = throughItems(schema)
  if (shown.isCut !== false) return <CutNote schema={shown} api={api} />
  const rows = rowsOf(shown)
  const { choices } = shown
  const isOnly = shown.isClosed && shown.properties.length > 0
  return (
    <>
      {rows.length > 0 &&
        (depth === 0 ? (
          <ul class="props">
            <Rows rows={rows} api={api} id={id} depth={depth} />
          </ul>
        ) : (
          <details class="nest">
            <summary>
              <Icon name="chev" class="turn" />{' '}
              <span class="more">
                Show {rows.length} {rows.length === 1 ? 'attribute' : 'attributes'}
              </span>
              <span class="less">Hide attributes</span>
            </summary>
            <ul class="props">
              <Rows rows={rows} api={api} id={id} depth={depth} />
            </ul>
            {isOnly && <OnlyTheseKeys />}
          </details>
        ))}
      {isOnly && depth === 0 && <OnlyTheseKeys />}
      {choices.map((choice, index) => (
        <Choice choice={choice} api={api} id={choices.length === 1 ? id : toAnchor(id, index + 1)} depth={depth} />
      ))}
      {shown.not && (
        <div class="p-desc">
          Not: <TypeText type={shown.not.type} api={api} />
          <Facts schema={shown.not} api={api} />
        </div>
      )}
    </>
  )
}

function OnlyTheseKeys() {
  return <p class="facts">No other keys</p>
}

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

function Rows({ rows, api, id, depth }: { readonly rows: readonly Row[] } & Omit<SchemaInsideProps, 'schema'>) {
  return (
    <>
      {rows.map(({ name, required, schema, note }) => (
        <PropertyRow
          api={api}
          id={toAnchor(id, name)}
          name={name}
          required={required}
          schema={schema}
          note={note}
          depth={depth + 1}
        />
      ))}
    </>
  )
}

function CutNote({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const href = schema.target && api.schemaHref(schema.target)
  if (schema.isCut === 'recursive') {
    const name = schema.target?.name ?? 'the schema around it'
    return (
      <p class="facts">
        <Icon name="redo" /> Repeats {href === undefined ? name : <a href={href}>{name}</a>}
      </p>
    )
  }
  if (schema.target && href !== undefined) {
    return (
      <p class="facts">
        <a href={href}>All of {schema.target.name}</a>
      </p>
    )
  }
  const { kind } = api.page.subject
  if (kind !== 'operation' && kind !== 'webhook') return <p class="facts">What is deeper is in the OpenAPI document</p>
  return (
    <p class="facts">
      <a href={toAssetHref(api.site, toSlicePath(api.page))}>What is deeper is in its OpenAPI</a>
    </p>
  )
}

/** Names of groups of radio buttons, unique on the page: made from the address of the choice. */
function Choice({ choice, api, id, depth }: { readonly choice: ChoiceView } & Omit<SchemaInsideProps, 'schema'>) {
  const { kind, discriminator, options } = choice
  const words = kind === 'oneOf' ? 'one of' : 'any of'
  const [only] = options
  const group = api.claim(`${id}-choice`)
  if (options.length === 1 && only) return <SchemaInside schema={only.schema} api={api} id={id} depth={depth} />
  return (
    <div class="choice">
      <div class="tabs seg">
        <fieldset>
          <legend class="vh">{discriminator === undefined ? words : `${words}, by ${discriminator}`}</legend>
          {options.map(({ label }, index) => (
            <label>
              <input type="radio" name={group} checked={index === 0} /> {label}
            </label>
          ))}
        </fieldset>
        {options.map(({ label, schema }, index) => (
          <div>
            <p class="p-desc">
              <TypeText type={schema.type} api={api} />
              {schema.deprecated && <span class="tag dep">deprecated</span>}
            </p>
            <Description text={schema.description} api={api} />
            <Facts schema={schema} api={api} />
            <SchemaInside schema={schema} api={api} id={toAnchor(id, label === '' ? index : label)} depth={0} />
          </div>
        ))}
      </div>
    </div>
  )
}
