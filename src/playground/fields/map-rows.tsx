import { useContext, useState } from 'preact/hooks'
import { Icon } from '../icon.tsx'
import { mergeSchema } from '../merge-schema.ts'
import { toFieldKind } from '../to-field-kind.ts'
import { toValue } from '../to-value.ts'
import type { FieldValue } from '../types.ts'
import { Field } from './field.tsx'
import { type FieldProps, FormContext, idOf } from './form-context.ts'
import { emptyValue, focusLater } from './list-field.tsx'

export interface MapRowsProps extends Pick<FieldProps, 'path' | 'label' | 'isForm'> {
  /** The whole object. */
  readonly value: Readonly<Record<string, FieldValue>>
  /** Those that the schema does not name. */
  readonly keys: readonly string[]
  /** Of their values. */
  readonly schema: unknown
  readonly canAdd: boolean
}

/** Keys of the reader's own, each with its value. */
export function MapRows({ path, label, value, keys, schema, canAdd, isForm }: MapRowsProps) {
  const { resolve, change } = useContext(FormContext)
  const rename = (from: string, to: string) =>
    change(path, Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, one])))
  const add = () => {
    let key = 'key'
    for (let number = 2; Object.hasOwn(value, key); number++) key = `key${number}`
    const kind = toFieldKind(mergeSchema(schema, resolve), isForm)
    change([...path, key], toValue(schema, { resolve, as: 'needed' }) ?? emptyValue(kind))
    focusLater(`${idOf([...path, key])}-key`)
  }
  return (
    <ul class="items map">
      {keys.map((key) => (
        // By its place, so that the field of a key that is being typed stays.
        <li class="deep">
          <div>
            <KeyInput
              id={`${idOf([...path, key])}-key`}
              name={key}
              label={label}
              isTaken={(name) => Object.hasOwn(value, name)}
              onRename={rename}
            />
            <Field
              path={[...path, key]}
              label={`${label}, ${key}`}
              schema={schema}
              value={value[key]}
              required
              isForm={isForm}
              isItem
            />
          </div>
          <button
            type="button"
            class="btn quiet icon"
            aria-label={`Remove ${key} from ${label}`}
            onClick={() => change([...path, key], undefined)}
          >
            <Icon name="x" />
          </button>
        </li>
      ))}
      {canAdd && (
        <li>
          <button type="button" class="btn" aria-label={`Add a key to ${label}`} onClick={add}>
            <Icon name="plus" /> Add a key
          </button>
        </li>
      )}
    </ul>
  )
}

interface KeyInputProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly isTaken: (name: string) => boolean
  readonly onRename: (from: string, to: string) => void
}

/** A key takes its new name as soon as no other has it. */
function KeyInput({ id, name, label, isTaken, onRename }: KeyInputProps) {
  const [draft, setDraft] = useState(name)
  const isWrong = draft !== name && (draft === '' || isTaken(draft))
  return (
    <>
      <input
        id={id}
        class="in mono"
        aria-label={`Key in ${label}`}
        value={isWrong ? draft : name}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-fault` : undefined}
        onInput={({ currentTarget: { value } }) => {
          setDraft(value)
          if (value !== '' && !isTaken(value)) onRename(name, value)
        }}
      />
      {isWrong && (
        <p class="err" id={`${id}-fault`}>
          {draft === '' ? 'A key needs a name' : `Another key is called ${draft}`}. <code>{name}</code> is sent.
        </p>
      )}
    </>
  )
}
