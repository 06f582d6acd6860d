import { useContext, useState } from 'preact/hooks'
import type { Keywords } from '../../model/schema.ts'
import { isContainer, readOwn } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import { toJsonText } from '../request/read-operation.ts'
import {
  FieldActions,
  FieldMessage,
  type FieldProps,
  FormContext,
  idOf,
  messageProps,
  useFieldMessage,
  useSchema,
} from './form-context.tsx'
import { readText } from './form-values.ts'

/** Input types by format. These types do not change what the reader enters. */
const inputTypes: Readonly<Record<string, 'date' | 'email' | 'url' | 'password' | undefined>> = {
  date: 'date',
  email: 'email',
  uri: 'url',
  url: 'url',
  password: 'password',
}

/** A string or a number. Text in a number field that is not a number is sent unchanged. A string has a field that grows with it. */
export function TextField(props: FieldProps) {
  const { path, label, schema, value, required, isItem = false } = props
  const { change } = useContext(FormContext)
  const [draft, setDraft] = useState<string>()
  const message = useFieldMessage(props)
  const { keywords, types } = useSchema(schema)
  const { format = '' } = keywords
  const shown =
    draft !== undefined && readText(draft, types) === value ? draft : value === undefined || value === null ? '' : String(value)
  const isMoment = format === 'date-time' && (shown === '' || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(shown))
  const isNumber = !types.includes('string')
  const type = isMoment
    ? 'datetime-local'
    : format === 'date' && !/^(\d{4}-\d\d-\d\d)?$/.test(shown)
      ? 'text'
      : readOwn(inputTypes, format)
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
    ...messageProps(path, message),
    onInput,
  }
  // Preact's types require a literal here.
  const typed: object = { type: type ?? 'text' }
  const isParameter = path[0] === 'parameters'
  const isFree = type === undefined && format === '' && !keywords.pattern && !(Number(keywords.maxLength) <= 100)
  return (
    <>
      {isFree && !isNumber ? (
        <textarea
          {...common}
          rows={countRows(shown)}
          spellcheck={!isParameter}
          value={shown}
          onKeyDown={(event) => {
            // A line break in a parameter is almost always a mistake.
            if (isParameter && event.key === 'Enter' && !event.isComposing) event.preventDefault()
          }}
        />
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
      <FieldMessage path={path} message={message} />
      <FieldActions {...props} hasText={type === undefined && !/^path /.test(String(path[1]))} />
    </>
  )
}

/** The height of a text for browsers without `field-sizing`, if about 40 characters fit in a line. */
function countRows(text: string): number {
  return text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / 40)), 0)
}

/** The default value or an example. */
function toPlaceholder({ default: fallback, examples = [], example = examples[0] }: Keywords): string | undefined {
  const text = (value: unknown) => (isContainer(value) ? '' : String(value).slice(0, 60))
  if (fallback !== undefined && fallback !== null) return say('Default: {value}', text(fallback))
  return example === undefined || text(example) === '' ? undefined : say('Example: {value}', text(example))
}

/** A menu of fixed values: `enum`, constants or a boolean. Also lists the current value if it is not one of them. */
export function SelectField(props: FieldProps) {
  const { path, label, schema, value, required, isItem } = props
  const { change } = useContext(FormContext)
  const message = useFieldMessage(props)
  const { enum: listed = [true, false], isNullable, keywords } = useSchema(schema)
  const values = [...listed] as FieldValue[]
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
        {...messageProps(path, message)}
        value={String(values.findIndex(isSame))}
        onChange={({ currentTarget }) => change(path, values[Number(currentTarget.value)])}
      >
        {!(isItem && value !== undefined) && (
          <option value="-1">
            {required ? say('Choose') : say('Not sent')}
            {fallback !== undefined && fallback !== null && ` ${say('(default: {value})', toJsonText(fallback))}`}
          </option>
        )}
        {values.map((one, index) => (
          <option value={String(index)}>{one === '' ? say('"" (empty string)') : toJsonText(one)}</option>
        ))}
      </select>
      <FieldMessage path={path} message={message} />
    </>
  )
}
