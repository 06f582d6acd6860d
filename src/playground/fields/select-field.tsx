import { useContext } from 'preact/hooks'
import { toJsonText } from '../../request/media-type.ts'
import { mergeSchema } from '../merge-schema.ts'
import { toFieldValue } from '../to-value.ts'
import type { FieldValue } from '../types.ts'
import { Fault, faultProps, useFault } from './field-fault.tsx'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** A value out of a list: `enum`, constants, true or false. A value that is not on the list is shown, too. */
export function SelectField(props: FieldProps) {
  const { path, label, schema, value, required, isItem } = props
  const { resolve, change } = useContext(FormContext)
  const fault = useFault(props)
  const { enum: listed = [true, false], isNullable, keywords } = mergeSchema(schema, resolve)
  const values: FieldValue[] = listed.map(toFieldValue)
  if (isNullable) values.push(null)
  const isSame = (one: FieldValue) => JSON.stringify(one) === JSON.stringify(value)
  if (value !== undefined && !values.some(isSame)) values.push(value)
  const { default: fallback } = keywords
  return (
    <>
      <select
        id={idOf(path)}
        class="in"
        aria-label={label}
        aria-required={required || undefined}
        {...faultProps(path, fault)}
        value={String(values.findIndex(isSame))}
        onChange={({ currentTarget }) => change(path, values[Number(currentTarget.value)])}
      >
        {!(isItem && value !== undefined) && (
          <option value="-1">
            {required ? 'Choose' : 'Not sent'}
            {fallback !== undefined && fallback !== null && ` (default: ${toJsonText(fallback)})`}
          </option>
        )}
        {values.map((one, index) => (
          <option value={String(index)}>{one === '' ? '"" (empty text)' : toJsonText(one)}</option>
        ))}
      </select>
      <Fault path={path} fault={fault} />
    </>
  )
}
