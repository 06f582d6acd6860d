import type { Label } from '../../../openapi/labels.ts'
import { isAllowedUrl } from '../../content/allowed-html.ts'
import type { ChoiceView, ExampleView, OtherKeyView, SchemaView, TypePart } from '../../reference/types.ts'
import { toJsonText } from '../../request/media-type.ts'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import { extraId, toForeignFieldId } from '../foreign-links/field-anchors.ts'
import { Icon } from '../icons/page-icons.tsx'
import { LabelMarks } from '../shell/marks.tsx'
import { toAssetHref } from '../site-context.ts'
import { type ApiContext, toSlicePath } from './api-context.ts'

interface SchemaContentProps {
  readonly schema: SchemaView
  readonly api: ApiContext
  /** The element ID of the schema's owner, used as a prefix for nested IDs. */
  readonly id: string
  /** The number of rows that contain it. Deeper levels are collapsed. */
  readonly depth: number
}

/** The content below a row: properties, items and choices. Empty for plain types. */
export function SchemaContent({ schema, api, id, depth }: SchemaContentProps) {
  const shown = unwrapLists(schema)
  if (shown.isCut !== false) return <TruncatedNote schema={shown} api={api} />
  const { choices, not } = shown
  const isOnly = shown.isClosed && shown.properties.length > 0
  return (
    <>
      <Rows schema={shown} api={api} id={id} depth={depth} />
      {isOnly && depth === 0 && <p class="facts">No additional properties</p>}
      {choices.map((choice, index) => (
        <Choice choice={choice} api={api} id={choices.length === 1 ? id : toElementId(id, index + 1)} depth={depth} />
      ))}
      {not && (
        <div class="p-desc">
          Not: <TypeText type={not.type} api={api} />
          <Facts schema={not} api={api} />
        </div>
      )}
    </>
  )
}

function Rows({ schema, api, id, depth }: SchemaContentProps) {
  const rows = rowsOf(schema)
  if (rows.length === 0) return null
  const list = (
    <ul class="props">
      {rows.map((row) => (
        <PropertyRow api={api} id={toElementId(id, row.name)} depth={depth + 1} {...row} />
      ))}
    </ul>
  )
  if (depth === 0) return list
  const isOnly = schema.isClosed && schema.properties.length > 0
  return (
    <details class="nest">
      <summary>
        <Icon name="chev" class="turn" />{' '}
        <span class="more">
          Show {rows.length} {rows.length === 1 ? 'attribute' : 'attributes'}
        </span>
        <span class="less">Hide attributes</span>
      </summary>
      {list}
      {isOnly && <p class="facts">No additional properties</p>}
    </details>
  )
}

/** The item schema of a list, however nested. The row already shows that it is a list. */
function unwrapLists(schema: SchemaView): SchemaView {
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

/** The rows of a schema: properties, additional keys, tuple items and conditions. */
function rowsOf(schema: SchemaView): Row[] {
  return [
    ...schema.properties.map(({ name, required, schema: one }) => ({ name, required, schema: one, note: undefined })),
    ...schema.otherKeys.filter(needsRow).map(({ label, pattern, schema: one }) => ({
      name: label,
      required: false,
      schema: one,
      note: pattern === undefined ? undefined : `keys match ${pattern}`,
    })),
    ...schema.prefixItems.map((one, index) => ({ name: `[${index}]`, required: false, schema: one, note: undefined })),
    ...schema.conditions.map(({ label, schema: one }) => ({ name: label, required: false, schema: one, note: undefined })),
  ]
}

/** Whether additional keys need a row. The type of a map already shows plain value types. */
function needsRow({ schema, pattern }: OtherKeyView, _: number, all: readonly OtherKeyView[]): boolean {
  const { description, facts, enum: values, properties, choices, items, isCut } = schema
  const isPlain = description === undefined && facts.length === 0 && values.length === 0
  const isFlat = properties.length === 0 && choices.length === 0 && !items && isCut === false
  return !isPlain || !isFlat || pattern !== undefined || all.length > 1
}

function TruncatedNote({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const href = schema.target && api.schemaHref(schema.target)
  if (schema.isCut === 'recursive') {
    const name = schema.target?.name ?? 'the enclosing schema'
    return (
      <p class="facts">
        <Icon name="redo" /> Recursive: {href === undefined ? name : <a href={href}>{name}</a>}
      </p>
    )
  }
  if (schema.target && href !== undefined)
    return (
      <p class="facts">
        <a href={href}>See {schema.target.name}</a>
      </p>
    )
  const { kind } = api.page.subject
  if (kind !== 'operation' && kind !== 'webhook') return <p class="facts">See the OpenAPI document for deeper levels</p>
  return (
    <p class="facts">
      <a href={toAssetHref(api.site, toSlicePath(api.page))}>See the OpenAPI document for deeper levels</a>
    </p>
  )
}

/** A choice between schemas, as tabs. The name of the radio group is unique on the page. */
function Choice({ choice, api, id, depth }: Omit<SchemaContentProps, 'schema'> & { readonly choice: ChoiceView }) {
  const { kind, discriminator, options } = choice
  const label = kind === 'oneOf' ? 'one of' : 'any of'
  const [only] = options
  const group = api.claim(`${id}-choice`)
  if (options.length === 1 && only) return <SchemaContent schema={only.schema} api={api} id={id} depth={depth} />
  return (
    <div class="choice">
      <div class="tabs seg">
        <fieldset>
          <legend class="vh">{discriminator === undefined ? label : `${label}, by ${discriminator}`}</legend>
          {options.map(({ label }, index) => (
            <label>
              <input type="radio" name={group} checked={index === 0} /> {label}
            </label>
          ))}
        </fieldset>
        {options.map(({ label, schema }, index) => (
          <div {...extraId(api.hasForeignIds ? toOptionId(id, index) : undefined, api.site)}>
            <p class="p-desc">
              <TypeText type={schema.type} api={api} />
              {schema.deprecated && deprecatedMark}
            </p>
            <Description text={schema.description} api={api} />
            <Facts schema={schema} api={api} />
            <SchemaContent schema={schema} api={api} id={toElementId(id, label === '' ? index : label)} depth={0} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** The depth of response rows that also have the IDs of other tools. In deeper rows, they would add much to large pages. */
const maxForeignDepth = 2

/** The ID that Mintlify gives to an option of `oneOf` or `anyOf`, such as `body-metadata-one-of-0`. */
function toOptionId(id: string, index: number): string | undefined {
  const foreign = toForeignFieldId(id) ?? (/^body(?:-|$)/.test(id) ? id : undefined)
  return foreign && `${foreign}-one-of-${index}`
}

interface PropertyRowProps {
  readonly api: ApiContext
  /** The element ID. */
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly deprecated?: boolean
  /** In addition to those of the schema. */
  readonly labels?: readonly Label[]
  /** Replaces the schema's description. */
  readonly description?: string | undefined
  readonly schema: SchemaView
  /** Examples of the parameter or header. They replace those of the schema. */
  readonly examples?: readonly ExampleView[]
  /** Shown after the type, such as `· query`. */
  readonly note?: string | undefined
  /** The number of rows that contain it. */
  readonly depth: number
}

/** A row: name with a permalink, type and marks, then the description, the constraints and the nested schema. */
export function PropertyRow(props: PropertyRowProps) {
  const { api, name, required, note, depth } = props
  const schema = withExamples(props.schema, props.examples)
  const id = api.claim(props.id)
  const isDeprecated = props.deprecated === true || schema.deprecated
  const labels = [...(props.labels ?? []), ...schema.labels]
  const isNear = depth <= maxForeignDepth || !id.startsWith('r')
  const foreign = api.hasForeignIds && isNear ? toForeignFieldId(id) : undefined
  return (
    <li id={id} class={isDeprecated ? 'is-dep' : undefined}>
      <div class="p-head" {...extraId(foreign, api.site)}>
        <LabelMarks labels={labels} at="before" />
        <a class="p-name h" href={`#${id}`}>
          {name}
        </a>{' '}
        <span class="p-type">
          <TypeText type={schema.type} api={api} />
          {note !== undefined && ` · ${note}`}
        </span>
        {required && <RequiredMark />}
        {schema.readOnly && <span class="tag">read-only</span>}
        {schema.writeOnly && <span class="tag">write-only</span>}
        {isDeprecated && deprecatedMark}
        <LabelMarks labels={labels} at="after" />
      </div>
      <Description text={props.description ?? schema.description} api={api} />
      <Facts schema={schema} api={api} />
      <SchemaContent schema={schema} api={api} id={id} depth={depth} />
    </li>
  )
}

/** The most examples of a parameter in its row, and the most characters of one. */
const maxExamples = 3
const maxExampleLength = 200

/** The schema, with the examples of its parameter or header instead of those of the schema. */
function withExamples(schema: SchemaView, examples: readonly ExampleView[] | undefined): SchemaView {
  const shown = (examples ?? []).filter(({ value }) => value !== undefined).slice(0, maxExamples)
  if (shown.length === 0) return schema
  const facts = shown.map(({ value }) => {
    const text = toJsonText(value)
    const isLong = text.length > maxExampleLength
    return { kind: 'value' as const, label: 'Example', value: isLong ? `${text.slice(0, maxExampleLength)}…` : text }
  })
  const others = schema.facts.filter((fact) => fact.kind !== 'value' || fact.label !== 'Example')
  return { ...schema, facts: [...others, ...facts] }
}

/** Marks required fields and sections. */
export function RequiredMark() {
  return <span class="req">required</span>
}

const deprecatedMark = <span class="tag dep">deprecated</span>

/** The most `enum` values in one line. Longer lists, and values with descriptions, are shown as a list. */
const inlineLimit = 12

/** Constraints, default, examples and allowed values. */
export function Facts({ schema, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const { facts, enum: values, externalDocs } = schema
  if (facts.length === 0 && values.length === 0 && !externalDocs) return null
  const isList = values.length > inlineLimit || values.some(({ description }) => description !== undefined)
  const hasLine = facts.length > 0 || (values.length > 0 && !isList)
  return (
    <>
      {hasLine && (
        <ul class="facts">
          {!isList && values.length > 0 && (
            <li>
              {values.length === 1 ? 'Always ' : 'One of '}
              {values.map(({ value }, index) => (
                <>
                  {index > 0 && ' '}
                  <code>{showEmpty(value)}</code>
                </>
              ))}
            </li>
          )}
          {facts.map((fact) =>
            fact.kind === 'words' ? (
              <li>{fact.text}</li>
            ) : (
              <li>
                {fact.label} <code>{showEmpty(fact.value)}</code>
              </li>
            ),
          )}
        </ul>
      )}
      {isList && <ValueList schema={schema} api={api} />}
      {externalDocs && (
        <p class="p-desc">
          <a href={isAllowedUrl(externalDocs.url, 'link') ? externalDocs.url : '#'}>
            {externalDocs.description ?? externalDocs.url}
          </a>
        </p>
      )}
    </>
  )
}

function ValueList({ schema: { enum: values }, api }: { readonly schema: SchemaView; readonly api: ApiContext }) {
  const list = (
    <dl class="enum">
      {values.map(({ value, description }) => (
        <>
          <dt>
            <code>{showEmpty(value)}</code>
          </dt>
          <dd>
            <Description text={description} api={api} class="" />
          </dd>
        </>
      ))}
    </dl>
  )
  if (values.length <= inlineLimit) return list
  return (
    <details class="nest">
      <summary>
        <span class="more">Show {values.length} values</span>
        <span class="less">Hide values</span>
      </summary>
      {list}
    </details>
  )
}

/** Makes an empty string visible. */
function showEmpty(value: string): string {
  return value === '' ? '""' : value
}

interface TypeTextProps {
  readonly type: readonly TypePart[]
  readonly api: ApiContext
}

/** A type, with links to the pages of named schemas. */
export function TypeText({ type, api }: TypeTextProps) {
  return (
    <>
      {type.map(({ text, target }) => {
        const href = target && api.schemaHref(target)
        return href === undefined ? text : <a href={href}>{text}</a>
      })}
    </>
  )
}
