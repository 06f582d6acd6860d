import { Component } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { isObject } from '../../text/is-object.ts'
import { describeType, type FieldKind, isWide, mergeSchema, readOwn, toFieldKind } from '../form-schema.ts'
import { toValue } from '../form-values.ts'
import { PartNote, usePart } from '../loading.tsx'
import { FieldText, Icon } from '../pieces.tsx'
import type { FieldValue } from '../types.ts'
import { Fault, FieldActs, type FieldPath, type FieldProps, FormContext, useFault } from './form-context.tsx'
import type { MapRowsProps } from './item-fields.tsx'
import { SelectField, TextField } from './plain-fields.tsx'

/** The field for a value, by its schema; what does not fit it is shown as JSON, so that a form holds everything. */
export function Field(props: FieldProps) {
  const { resolve } = useContext(FormContext)
  const { schema, value, isForm, depth = 0 } = props
  const kind = kindOf(toFieldKind(mergeSchema(schema, resolve), isForm), value)
  const Kind = components[kind === 'choice' && depth > maxDepth ? 'json' : kind]
  return <Kind {...props} />
}

/** Choices among choices that lead on; of a circle there would be no end. */
const maxDepth = 5

const getMoreFields = () => import('./more-fields.tsx')

/** One component for each kind: a field of another kind begins anew. */
const lateFields = {
  choice: toLateField('choice'),
  file: toLateField('file'),
  array: toLateField('array'),
  json: toLateField('json'),
} as const

/** More optional rows than this wait until they are asked for. */
const maxRows = 12

/** Draws itself again only when its own value is another one: a form of hundreds stays quick to type into. */
class MemoRow extends Component<MemoRowProps> {
  override shouldComponentUpdate({ value, row, path, label }: MemoRowProps): boolean {
    const { props } = this
    return (
      value !== props.value ||
      row.schema !== props.row.schema ||
      row.required !== props.row.required ||
      label !== props.label ||
      path.join('/') !== props.path.join('/')
    )
  }

  override render() {
    return <Row {...this.props} />
  }
}

/** Rows that are drawn at a time of those; the rest is found by its name. */
const maxShown = 40

const components = {
  ...lateFields,
  enum: SelectField,
  boolean: SelectField,
  text: TextField,
  object: ObjectField,
} as const

/** The kind of field that can show a value. */
function kindOf(kind: FieldKind, value: FieldValue | undefined): FieldKind {
  if (value === undefined || value === null) return kind
  const isList = Array.isArray(value)
  const isFile = value instanceof File
  const canShow: Record<FieldKind, boolean> = {
    choice: true,
    enum: true,
    boolean: typeof value === 'boolean',
    text: typeof value === 'string' || typeof value === 'number',
    file: isFile,
    array: isList,
    object: isObject(value) && !isFile,
    json: true,
  }
  return canShow[kind] ? kind : 'json'
}

/** An object: a row for each property, and rows with keys of one's own where the schema lets these in. Nothing of it is drawn before it is wanted. */
function ObjectField(props: FieldProps) {
  const { path, label, schema, value, isForm } = props
  const { resolve, change } = useContext(FormContext)
  const { properties, required, keywords } = mergeSchema(schema, resolve)
  const fault = useFault(props)
  /** Made once: a form of hundreds is drawn again with every key. */
  const known = useMemo(
    () =>
      [...properties].map(([name, property]) => ({
        row: { name, key: name, schema: property, required: required.has(name) },
        isReadOnly: readOwn(resolve(property), 'readOnly') === true,
      })),
    [properties, required],
  )
  // A body that is optional is there to be typed into all the same.
  const isWhole = path.length === 1 && value === undefined && properties.size > 0
  if (!isWhole && !isObject(value)) {
    return (
      <>
        <button
          type="button"
          class="btn"
          aria-label={`Add ${label}`}
          onClick={() => change(path, toValue(schema, { resolve, as: 'needed' }) ?? {})}
        >
          <Icon name="plus" /> Add
        </button>
        <Fault path={path} fault={fault} />
        <FieldActs {...props} />
      </>
    )
  }
  // An object of the form holds values of the form.
  const held = (value ?? {}) as Readonly<Record<string, FieldValue>>
  const rows = known.flatMap(({ row, isReadOnly }) => (isReadOnly && !Object.hasOwn(held, row.key) ? [] : row))
  const { additionalProperties: additional } = keywords
  const keys = Object.keys(held).filter((key) => !properties.has(key))
  const canAdd = additional === true || isObject(additional) || properties.size === 0
  return (
    <div class="nested">
      <Fault path={path} fault={fault} />
      {rows.length > 0 && (
        <FieldRows rows={rows} path={path} label={path.length === 1 ? '' : label} values={held} isForm={isForm} />
      )}
      {(keys.length > 0 || canAdd) && (
        <LateMapRows
          path={path}
          label={label}
          value={held}
          keys={keys}
          schema={isObject(additional) ? additional : undefined}
          canAdd={canAdd}
          isForm={isForm}
        />
      )}
      <FieldActs {...props} />
    </div>
  )
}

/** A name that a value can be given. */
export interface FieldRow {
  readonly name: string
  /** Of its value. */
  readonly key: string
  readonly schema: unknown
  readonly required: boolean
  readonly deprecated?: boolean
  /** Instead of the schema's. */
  readonly description?: string | undefined
}

interface FieldRowsProps {
  readonly rows: readonly FieldRow[]
  readonly path: FieldPath
  /** What they are in; `''` at the top. */
  readonly label: string
  readonly values: Readonly<Record<string, FieldValue>>
  readonly isForm: boolean
}

/** Rows of names and fields: what is required or set first, many others behind a fold with a filter. */
export function FieldRows({ rows, path, label, values, isForm }: FieldRowsProps) {
  // Decided once: a row does not leave while it is typed into.
  const [first] = useState(
    () =>
      new Set(
        (rows.length <= maxRows ? rows : rows.filter(({ key, required }) => required || Object.hasOwn(values, key))).map(
          ({ key }) => key,
        ),
      ),
  )
  const [isOpen, setOpen] = useState(false)
  const [filter, setFilter] = useState('')
  const draw = (some: readonly FieldRow[]) =>
    some.map((row) => <MemoRow key={row.key} row={row} path={path} label={label} value={values[row.key]} isForm={isForm} />)
  const others = rows.filter(({ key }) => !first.has(key))
  const found = others.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <>
      {draw(rows.filter(({ key }) => first.has(key)))}
      {others.length > 0 && (
        <details class="more-rows" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>
            {others.length} {first.size > 0 && 'more '}optional fields
          </summary>
          {isOpen && (
            <>
              {others.length > maxRows && (
                <input
                  class="in"
                  type="search"
                  placeholder="Find a field by its name"
                  aria-label={`Find a field${label === '' ? '' : ` of ${label}`}`}
                  value={filter}
                  onInput={({ currentTarget }) => setFilter(currentTarget.value)}
                />
              )}
              {draw(found.slice(0, maxShown))}
              {found.length !== others.length || found.length > maxShown ? (
                <p class="tools" role="status">
                  {Math.min(found.length, maxShown)} of {found.length} shown
                </p>
              ) : null}
            </>
          )}
        </details>
      )}
    </>
  )
}

interface MemoRowProps extends Pick<FieldRowsProps, 'path' | 'label' | 'isForm'> {
  readonly row: FieldRow
  readonly value: FieldValue | undefined
}

function Row({ row, path, label, value, isForm }: MemoRowProps) {
  const { resolve } = useContext(FormContext)
  const { name, key, schema, required } = row
  const merged = mergeSchema(schema, resolve)
  const kind = kindOf(toFieldKind(merged, isForm), value)
  const isDeprecated = row.deprecated || merged.keywords['deprecated'] === true
  const items = mergeSchema(merged.keywords['items'], resolve)
  const wide = isWide(kind) || (kind === 'array' && isWide(toFieldKind(items, isForm)))
  return (
    <div class={wide ? 'row wide' : 'row'}>
      <div>
        <div class="p-head">
          {isDeprecated ? <s class="p-name">{name}</s> : <span class="p-name">{name}</span>}{' '}
          <span class="p-type">{describeType(merged)}</span> {required && <span class="req">required</span>}
          {isDeprecated && <span class="tag dep">deprecated</span>}
        </div>
        <FieldText text={row.description ?? merged.keywords['description']} />
      </div>
      <div>
        <Field
          path={[...path, key]}
          label={label === '' ? name : `${label}, ${name}`}
          schema={schema}
          value={value}
          required={required}
          isForm={isForm}
        />
      </div>
    </div>
  )
}

/** A field of the kinds that are loaded when they are drawn. */
function toLateField(kind: 'choice' | 'file' | 'array' | 'json') {
  return function LateField(props: FieldProps) {
    const part = usePart(getMoreFields)
    const More = part.module?.moreFields[kind]
    return More ? <More {...props} /> : <PartNote what={`The field ${props.label}`} part={part} />
  }
}

function LateMapRows(props: MapRowsProps) {
  const part = usePart(getMoreFields)
  return part.module ? <part.module.MapRows {...props} /> : <PartNote what={`Keys of ${props.label}`} part={part} />
}
