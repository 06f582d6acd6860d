import { Component } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { describeType } from '../describe-type.ts'
import { mergeSchema } from '../merge-schema.ts'
import { toFieldKind } from '../to-field-kind.ts'
import type { FieldValue } from '../types.ts'
import { Field, isWide, kindOf } from './field.tsx'
import { FieldText } from './field-text.tsx'
import { type FieldPath, FormContext } from './form-context.ts'

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

/** More optional rows than this wait until they are asked for. */
const maxRows = 12
/** Rows that are drawn at a time of those; the rest is found by its name. */
const maxShown = 40

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
