import { Component } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { isObject, numberOf, readOwn } from '../../text/json/json-values.ts'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { FieldText, Icon } from '../controls/pieces.tsx'
import { say, sayCount } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import { isReadOnly, type Schema } from '../request/read-schema.ts'
import {
  FieldActions,
  FieldMessage,
  type FieldPath,
  type FieldProps,
  FormContext,
  isEmpty,
  useFieldMessage,
  useFollow,
  useSchema,
} from './form-context.tsx'
import { describeType, type FieldKind, isWide, toFieldKind } from './form-schema.ts'
import { toNeededValue } from './form-values.ts'
import type { MapRowsProps } from './item-fields.tsx'
import { SelectField, TextField } from './plain-fields.tsx'

/** A row of a form. */
export interface FieldRow {
  readonly name: string
  /** The key of its value. */
  readonly key: string
  readonly schema: Schema
  readonly required: boolean
  readonly deprecated?: boolean
  /** Replaces the schema's description. */
  readonly description?: string | undefined
}

/** The field for a value, chosen by its schema. A value that does not fit the field is edited as JSON, so that a form can show any value. */
export function Field(props: FieldProps) {
  const { schema, value, isForm, depth = 0 } = props
  const kind = kindOf(toFieldKind(useSchema(schema), isForm), value)
  const Kind = components[kind === 'choice' && depth > maxDepth ? 'json' : kind]
  return <Kind {...props} />
}

/** The most nested choices. Limits circular ones. */
const maxDepth = 5

function kindOf(kind: FieldKind, value: FieldValue | undefined): FieldKind {
  if (value === undefined || value === null) return kind
  const isFile = value instanceof File
  const canShow: Partial<Record<FieldKind, boolean>> = {
    boolean: typeof value === 'boolean',
    text: typeof value === 'string' || numberOf(value) !== undefined,
    file: isFile,
    array: Array.isArray(value),
    object: isObject(value) && !isFile,
  }
  return canShow[kind] === false ? 'json' : kind
}

interface FieldRowsProps {
  readonly rows: readonly FieldRow[]
  readonly path: FieldPath
  /** The label of the object that contains them; `''` at the top level. */
  readonly label: string
  readonly values: Readonly<Record<string, FieldValue>>
  readonly isForm: boolean
}

/** More optional rows than this are collapsed. */
const maxRows = 12

/** The most optional rows that are shown. Readers find the others with the filter. */
const maxShown = 40

/** Rows of names and fields. Required and filled fields come first. If there are many optional fields, they are collapsed and have a filter. */
export function FieldRows({ rows, path, label, values, isForm }: FieldRowsProps) {
  // Computed once, so that a row does not move while it is edited.
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
    some.map((row) => (
      <MemoRow key={row.key} row={row} path={path} label={label} value={readOwn(values, row.key)} isForm={isForm} />
    ))
  const others = rows.filter(({ key }) => !first.has(key))
  const found = others.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <>
      {draw(rows.filter(({ key }) => first.has(key)))}
      {others.length > 0 && (
        <details class="more-rows" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>
            {first.size > 0
              ? sayCount(others.length, '{count} more optional field', '{count} more optional fields')
              : sayCount(others.length, '{count} optional field', '{count} optional fields')}
          </summary>
          {isOpen && (
            <>
              {others.length > maxRows && (
                <input
                  class="in"
                  type="search"
                  placeholder={say('Filter fields by name')}
                  aria-label={label === '' ? say('Filter fields') : say('Filter fields of {name}', label)}
                  value={filter}
                  onInput={({ currentTarget }) => setFilter(currentTarget.value)}
                />
              )}
              {draw(found.slice(0, maxShown))}
              {found.length !== others.length || found.length > maxShown ? (
                <p class="tools" role="status">
                  {say('Showing {count} of {total}', Math.min(found.length, maxShown), found.length)}
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

/** Renders again only if its own value changes, so that typing stays fast in a form with hundreds of fields. */
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
  const { name, key, schema, required } = row
  const merged = useSchema(schema)
  const kind = kindOf(toFieldKind(merged, isForm), value)
  const isDeprecated = row.deprecated || merged.keywords.deprecated
  const items = useSchema(merged.items)
  // An object that is not sent and an empty list have only a button.
  const isFilled = value !== undefined && !isEmpty(value)
  const wide = kind === 'choice' || (isFilled && isWide(kind === 'array' ? toFieldKind(items, isForm) : kind))
  return (
    <div class={wide ? 'row wide' : 'row'}>
      <div>
        <div class="p-head">
          {isDeprecated ? <s class="p-name">{name}</s> : <span class="p-name">{name}</span>} <i>{describeType(merged)}</i>{' '}
          {required && <em>{say('required')}</em>}
          {isDeprecated && <span class="tag dep">{say('deprecated')}</span>}
        </div>
        <FieldText text={row.description ?? merged.keywords.description} />
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

/** An object: a row for each property, and rows for custom keys if the schema allows them. An optional object has no rows until the reader adds it. */
function ObjectField(props: FieldProps) {
  const { path, label, schema, value, isForm } = props
  const { change } = useContext(FormContext)
  const follow = useFollow()
  const { properties, required, additional } = useSchema(schema)
  const message = useFieldMessage(props)
  // An optional body shows its fields immediately.
  const isWhole = path.length === 1 && value === undefined && properties.size > 0
  if (!isWhole && !isObject(value)) {
    return (
      <>
        <button
          type="button"
          class="btn add-object"
          aria-label={say('Add {name}', label)}
          onClick={() => change(path, toNeededValue(schema, follow) ?? {})}
        >
          <Icon name="plus" /> {say('Add')}
        </button>
        <FieldMessage path={path} message={message} />
        <FieldActions {...props} />
      </>
    )
  }
  // The members of a form value are form values.
  const held = (value ?? {}) as Readonly<Record<string, FieldValue>>
  const rows = [...properties].flatMap(([name, property]) =>
    isReadOnly(property, follow) && !Object.hasOwn(held, name)
      ? []
      : { name, key: name, schema: property, required: required.has(name) },
  )
  const keys = Object.keys(held).filter((key) => !properties.has(key))
  const canAdd = Boolean(additional?.value) || properties.size === 0
  return (
    <div class="nested">
      <FieldMessage path={path} message={message} />
      {rows.length > 0 && (
        <FieldRows rows={rows} path={path} label={path.length === 1 ? '' : label} values={held} isForm={isForm} />
      )}
      {(keys.length > 0 || canAdd) && (
        <LateMapRows path={path} label={label} value={held} keys={keys} schema={additional} canAdd={canAdd} isForm={isForm} />
      )}
      <FieldActions {...props} />
    </div>
  )
}

const getMoreFields = () => import('./more-fields.tsx')

/** A field of a kind whose script is loaded when it is first rendered. */
function toLateField(kind: 'choice' | 'file' | 'array' | 'json') {
  return function LateField(props: FieldProps) {
    const part = useLazyModule(getMoreFields)
    const More = part.module?.moreFields[kind]
    return More ? <More {...props} /> : <LoadingNote what={say('The {name} field', props.label)} part={part} />
  }
}

/** One component per kind, so that a field whose kind changes starts with fresh state. */
const components = {
  choice: toLateField('choice'),
  file: toLateField('file'),
  array: toLateField('array'),
  json: toLateField('json'),
  enum: SelectField,
  boolean: SelectField,
  text: TextField,
  object: ObjectField,
} as const

function LateMapRows(props: MapRowsProps) {
  const part = useLazyModule(getMoreFields)
  return part.module ? (
    <part.module.MapRows {...props} />
  ) : (
    <LoadingNote what={say('The keys of {name}', props.label)} part={part} />
  )
}
