import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FollowReference } from '../../openapi/references/follow-reference.ts'
import { isObject } from '../../text/json/json-values.ts'
import { say, textLanguage } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import { referenceName, type Schema } from '../request/read-schema.ts'
import { findChoice, fromJsonText } from './check-value.ts'
import {
  FieldActions,
  FieldMessage,
  type FieldProps,
  FormContext,
  idOf,
  messageProps,
  useFieldMessage,
  useReportedMessage,
  useSchema,
} from './form-context.tsx'
import { chooseSchema, describeType, toFormSchema } from './form-schema.ts'
import { toNeededValue } from './form-values.ts'
import { ListField } from './item-fields.tsx'

export { MapRows } from './item-fields.tsx'

/** The less common fields, by kind. Loaded when the first one is rendered. */
export const moreFields = { choice: ChoiceField, file: FileField, array: ListField, json: JsonField } as const

/** A menu of schemas, and the field for the selected one. Each schema keeps its values, and keys that two schemas share keep theirs. */
function ChoiceField(props: FieldProps) {
  const { path, label, schema, value, required, isItem } = props
  const { schemas: checked, change, unselected, Field } = useContext(FormContext)
  const { follow } = checked
  const { choices } = useSchema(schema)
  const schemas = useMemo(() => choices.map((choice) => chooseSchema(schema, choice, follow)), [choices])
  const [chosen, setChosen] = useState(() => findChoice(value, schemas, checked))
  const reported = useReportedMessage(path)
  /** The last value, kept while the reader moves through the menu. */
  const last = useRef(value)
  if (value !== undefined) last.current = value
  // A value from an example determines the choice.
  const index = value === undefined ? -1 : chosen >= 0 ? chosen : Math.max(0, findChoice(value, schemas, checked))
  const choose = (next: number) => {
    setChosen(next)
    const id = idOf(path)
    const keptValues = unselected.get(id) ?? new Map<unknown, FieldValue>()
    unselected.set(id, keptValues)
    if (value !== undefined) keptValues.set(choices[index]?.value, value)
    const choice = choices[next]
    if (choice === undefined) return change(path, undefined)
    const begun =
      keptValues.get(choice.value) ??
      toNeededValue(schemas[next], follow) ??
      (toFormSchema(schemas[next], follow).types[0] === 'string' ? '' : null)
    change(path, isObject(begun) ? withShared(begun, last.current, schemas[next], follow) : begun)
  }
  return (
    <>
      <select
        class="in"
        id={`${idOf(path)}-choice`}
        aria-label={say('Type of {name}', label)}
        {...messageProps(path, reported)}
        value={String(index)}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      >
        {!isItem && <option value="-1">{required ? say('Choose') : say('Not sent')}</option>}
        {choices.map((choice, at) => (
          <option value={String(at)}>{nameOf(choice, follow)}</option>
        ))}
      </select>
      {index < 0 && <FieldMessage path={path} message={reported} />}
      {index >= 0 && (
        <div class="chosen">
          <Field {...props} key={index} schema={schemas[index]} required depth={(props.depth ?? 0) + 1} />
        </div>
      )}
    </>
  )
}

function nameOf(choice: Schema, follow: FollowReference): string {
  const merged = toFormSchema(choice, follow)
  return (
    merged.keywords.title ??
    referenceName(choice) ??
    (merged.enum
      ? merged.enum
          .map((one) => JSON.stringify(one))
          .join(', ')
          .slice(0, 60)
      : // Describe an unnamed object by its properties.
        merged.properties.size > 0
        ? `{ ${[...merged.properties.keys()].join(', ').slice(0, 60)} }`
        : describeType(merged))
  )
}

/** The initial value of a choice with the values of shared keys, except for those that it determines, such as its discriminator. */
function withShared(
  begun: Readonly<Record<string, unknown>>,
  before: FieldValue | undefined,
  schema: Schema,
  follow: FollowReference,
): FieldValue {
  const { properties } = toFormSchema(schema, follow)
  const isShared = (name: string) => properties.has(name) && toFormSchema(properties.get(name), follow).enum?.length !== 1
  const shared = isObject(before) ? Object.entries(before).filter(([name]) => isShared(name)) : []
  // Both are form values.
  return { ...begun, ...Object.fromEntries(shared) } as FieldValue
}

/** A file to upload, chosen or dropped. */
function FileField(props: FieldProps) {
  const { path, label, value } = props
  const { change } = useContext(FormContext)
  const message = useFieldMessage(props)
  const zone = useRef<HTMLLabelElement>(null)
  useEffect(() => {
    const dialog = zone.current?.closest('dialog')
    dialog?.addEventListener('dragover', ignoreFiles)
    dialog?.addEventListener('drop', ignoreFiles)
  }, [])
  return (
    <>
      <label
        ref={zone}
        class="in drop"
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0]
          if (file) change(path, file)
        }}
      >
        <input
          // Replace the input to clear a removed file.
          key={String(value === undefined)}
          id={idOf(path)}
          class="vh"
          type="file"
          aria-label={label}
          {...messageProps(path, message)}
          onChange={({ currentTarget }) => change(path, currentTarget.files?.[0] ?? value)}
        />
        {value instanceof File ? (
          <span>{say('{name}, {size} bytes', value.name, value.size.toLocaleString(textLanguage ?? 'en'))}</span>
        ) : (
          <span class="muted">{say('Choose a file or drop it here')}</span>
        )}
      </label>
      <FieldMessage path={path} message={message} />
      <FieldActions {...props} />
    </>
  )
}

/** A file that is dropped in the dialog must not replace the page. The field that it is dropped on receives it. */
function ignoreFiles(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
}

/** Any value as JSON. Text that is not JSON is a string. */
function JsonField(props: FieldProps) {
  const { path, label, value, required, isItem } = props
  const { change } = useContext(FormContext)
  const [draft, setDraft] = useState<string>()
  const message = useFieldMessage(props)
  const isDrafted = draft !== undefined && JSON.stringify(read(draft)) === JSON.stringify(value)
  const shown = isDrafted ? draft : value === undefined ? '' : JSON.stringify(value, null, 2)
  return (
    <>
      <textarea
        id={idOf(path)}
        class="in mono"
        rows={Math.min(12, shown.split('\n').length)}
        aria-label={`${label} (JSON)`}
        aria-required={required || undefined}
        placeholder={say('JSON, for example "text", 1 or {}')}
        spellcheck={false}
        {...messageProps(path, message)}
        value={shown}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value)
          change(path, read(currentTarget.value) ?? (isItem ? null : undefined))
        }}
      />
      <FieldMessage path={path} message={message} />
      <FieldActions {...props} />
    </>
  )
}

function read(text: string): FieldValue | undefined {
  const found = fromJsonText(text)
  return 'problem' in found ? text : found.value
}
