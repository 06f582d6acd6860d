import { useContext, useMemo } from 'preact/hooks'
import { isObject } from '../../text/is-object.ts'
import { Icon } from '../icon.tsx'
import { mergeSchema } from '../merge-schema.ts'
import { readOwn } from '../read-own.ts'
import { toValue } from '../to-value.ts'
import type { FieldValue } from '../types.ts'
import { FieldActs } from './field-acts.tsx'
import { Fault, useFault } from './field-fault.tsx'
import { FieldRows } from './field-rows.tsx'
import { type FieldProps, FormContext } from './form-context.ts'
import { LateMapRows } from './late-field.tsx'

/** An object: a row for each property, and rows with keys of one's own where the schema lets these in. Nothing of it is drawn before it is wanted. */
export function ObjectField(props: FieldProps) {
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
