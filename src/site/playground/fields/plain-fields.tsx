import { useContext, useState } from 'preact/hooks'
import { toJsonText } from '../../request/media-type.ts'
import { mergeSchema } from '../form-schema.ts'
import { readText, toFieldValue } from '../form-values.ts'
import type { FieldValue } from '../types.ts'
import { Fault, FieldActs, type FieldProps, FormContext, faultProps, idOf, useFault } from './form-context.tsx'

/** Input types that keep exactly what is typed, by format. */
const inputTypes: Readonly<Record<string, 'date' | 'email' | 'url' | 'password' | undefined>> = {
  date: 'date',
  email: 'email',
  uri: 'url',
  url: 'url',
  password: 'password',
}

/** A string or a number. Text that is not a number is kept and sent as typed. */
export function TextField(props: FieldProps) {
  const { path, label, schema, value, required, isItem = false } = props
  const { resolve, change } = useContext(FormContext)
  const [draft, setDraft] = useState<string>()
  const fault = useFault(props)
  const { keywords, types } = mergeSchema(schema, resolve)
  const format = String(keywords['format'] ?? '')
  const shown =
    draft !== undefined && readText(draft, types) === value ? draft : value === undefined || value === null ? '' : String(value)
  const isMoment = format === 'date-time' && (shown === '' || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(shown))
  const isNumber = !types.includes('string')
  const type = isMoment
    ? 'datetime-local'
    : format === 'date' && !/^(\d{4}-\d\d-\d\d)?$/.test(shown)
      ? 'text'
      : inputTypes[format]
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    const raw = currentTarget.value
    const text = isMoment && raw !== '' ? `${raw.length === 16 ? `${raw}:00` : raw.slice(0, 19)}Z` : raw
    setDraft(text)
    change(path, readText(text, types) ?? (isItem ? '' : undefined))
  }
  const common = {
    id: idOf(path),
    class: 'in',
    'aria-label': isMoment ? `${label} (UTC)` : label,
    'aria-required': required || undefined,
    placeholder: toPlaceholder(keywords),
    ...faultProps(path, fault),
    onInput,
  }
  // Preact's types require a literal type here.
  const typed: object = { type: type ?? 'text' }
  const isParameter = path[0] === 'parameters' && path.length === 2
  const isFree = type === undefined && format === '' && !keywords['pattern'] && !(Number(keywords['maxLength']) <= 100)
  const isLong = isFree && !isNumber && !isParameter
  return (
    <>
      {isLong ? (
        <textarea {...common} rows={1} value={shown} />
      ) : (
        <input
          {...common}
          {...typed}
          inputMode={isNumber ? (types.includes('number') ? 'decimal' : 'numeric') : undefined}
          step={isMoment ? 1 : undefined}
          autocomplete="off"
          spellcheck={false}
          value={isMoment ? shown.slice(0, -1) : shown}
        />
      )}
      <Fault path={path} fault={fault} />
      <FieldActs {...props} hasText={type === undefined} />
    </>
  )
}

/** The default that the server uses, or an example. */
function toPlaceholder(keywords: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = Array.isArray(keywords['examples']) ? keywords['examples'] : []
  const { default: fallback, example = first } = keywords
  const text = (value: unknown) => (typeof value === 'object' ? '' : String(value).slice(0, 60))
  if (fallback !== undefined && fallback !== null) return `Default: ${text(fallback)}`
  return example === undefined || text(example) === '' ? undefined : `Such as ${text(example)}`
}

/** A choice of fixed values: `enum`, constants or a boolean. A value that is not on the list is shown as well. */
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
