import { useContext, useRef, useState } from 'preact/hooks'
import { Icon, IconButton, TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import { memberSchema } from '../request/read-schema.ts'
import {
  FieldActions,
  FieldMessage,
  type FieldPath,
  type FieldProps,
  FormContext,
  idOf,
  useFieldMessage,
  useFollow,
  useSchema,
} from './form-context.tsx'
import { type FieldKind, isWide, toFieldKind, toFormSchema } from './form-schema.ts'
import { toNeededValue } from './form-values.ts'

/** A list of items that readers can add, remove and move. In a tuple, each index has its own schema. */
export function ListField(props: FieldProps) {
  const { path, label, schema, value, isForm } = props
  const { change, unselected, Field } = useContext(FormContext)
  const follow = useFollow()
  const message = useFieldMessage(props)
  const list = useSchema(schema)
  const schemaAt = (index: number) => memberSchema(list, index)
  const items: readonly FieldValue[] = Array.isArray(value) ? value : []
  // A field keeps its state, such as the selected choice, when an item before it is removed or moved.
  const { current: keys } = useRef<number[]>([])
  while (keys.length < items.length) keys.push(Math.max(-1, ...keys) + 1)
  keys.length = items.length
  const add = () => {
    const next = schemaAt(items.length)
    const kind = toFieldKind(toFormSchema(next, follow), isForm)
    change(path, [...items, toNeededValue(next, follow) ?? emptyValue(kind)])
    focusLater(`${idOf([...path, items.length])}`)
  }
  const swap = (index: number) => {
    const [before, after] = [items[index - 1], items[index]]
    if (before === undefined || after === undefined) return
    keys.splice(index - 1, 2, ...keys.slice(index - 1, index + 1).reverse())
    moveUnselected(unselected, path, (at) => (at === index ? index - 1 : at === index - 1 ? index : at))
    change(path, items.toSpliced(index - 1, 2, after, before))
    // Let the reader move it further.
    focusLater(`${idOf([...path, index - 1])}${index > 1 ? '-up' : ''}`)
  }
  const remove = (index: number) => {
    keys.splice(index, 1)
    moveUnselected(unselected, path, (at) => (at === index ? undefined : at > index ? at - 1 : at))
    change([...path, index], undefined)
    // The reader may remove the next item too. Without one, the focus moves to the button that adds an item.
    focusLater(index < items.length - 1 ? `${idOf([...path, index])}-remove` : `${idOf(path)}-add`)
  }
  return (
    <>
      <ul class="items">
        {items.map((item, index) => {
          const name = say('{name}, item {number}', label, index + 1)
          const own = schemaAt(index)
          return (
            <li key={keys[index]} class={isWide(toFieldKind(toFormSchema(own, follow), isForm)) ? 'deep' : ''}>
              <div>
                <Field path={[...path, index]} label={name} schema={own} value={item} required isForm={isForm} isItem />
              </div>
              <span class="item-acts">
                {index > 0 && (
                  <IconButton
                    icon="up"
                    id={`${idOf([...path, index])}-up`}
                    label={say('Move {name} up', name)}
                    onClick={() => swap(index)}
                  />
                )}
                <IconButton
                  icon="x"
                  id={`${idOf([...path, index])}-remove`}
                  label={say('Remove {name}', name)}
                  onClick={() => remove(index)}
                />
              </span>
            </li>
          )
        })}
        <li key="add">
          {value && items.length === 0 && <div class="p-desc">{say('Sends an empty list.')}</div>}
          <button type="button" class="btn" id={`${idOf(path)}-add`} aria-label={say('Add item to {name}', label)} onClick={add}>
            <Icon name="plus" /> {say('Add item')}
          </button>
        </li>
      </ul>
      <FieldMessage path={path} message={message} />
      <FieldActions {...props} />
    </>
  )
}

/** Moves the values of choices that are not selected with the items of a list. `to` returns `undefined` for a removed item. */
function moveUnselected(unselected: FormContext['unselected'], path: FieldPath, to: (index: number) => number | undefined): void {
  const start = `${idOf(path)}.`
  const moved = [...unselected].flatMap(([id, values]) => {
    const [index = '', ...rest] = id.startsWith(start) ? id.slice(start.length).split('.') : []
    if (index === '') return [[id, values] as const]
    const next = to(Number(index))
    return next === undefined ? [] : [[`${start}${[next, ...rest].join('.')}`, values] as const]
  })
  unselected.clear()
  for (const [id, values] of moved) unselected.set(id, values)
}

/** The value of a new item or key if the schema suggests none. */
function emptyValue(kind: FieldKind): FieldValue {
  const empty: Partial<Record<FieldKind, FieldValue>> = { text: '', file: '', boolean: false, object: {}, array: [] }
  return empty[kind] ?? null
}

/** Focuses a new field after the next render and before the next keystroke. */
function focusLater(id: string): void {
  queueMicrotask(() => document.getElementById(id)?.focus())
}

export interface MapRowsProps extends Pick<FieldProps, 'path' | 'label' | 'schema' | 'isForm'> {
  /** The object that contains the keys. */
  readonly value: Readonly<Record<string, FieldValue>>
  /** The keys that the schema does not name. */
  readonly keys: readonly string[]
  readonly canAdd: boolean
}

/** Rows for custom keys and their values, which have one schema. */
export function MapRows({ path, label, value, keys, schema, canAdd, isForm }: MapRowsProps) {
  const { schemas, change, Field } = useContext(FormContext)
  const kind = toFieldKind(useSchema(schema), isForm)
  const rename = (from: string, to: string) =>
    change(path, Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, one])))
  const add = () => {
    let key = 'key'
    for (let number = 2; Object.hasOwn(value, key); number++) key = `key${number}`
    change([...path, key], toNeededValue(schema, schemas.follow) ?? emptyValue(kind))
    focusLater(`${idOf([...path, key])}-key`)
  }
  return (
    <ul class="items map">
      {keys.map((key) => (
        // Without a `key` attribute, the field keeps its state while its name is edited.
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
          <span class="item-acts">
            <IconButton
              icon="x"
              label={say('Remove {key} from {name}', key, label)}
              onClick={() => change([...path, key], undefined)}
            />
          </span>
        </li>
      ))}
      {canAdd && (
        <li>
          <button type="button" class="btn" aria-label={say('Add key to {name}', label)} onClick={add}>
            <Icon name="plus" /> {say('Add key')}
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

/** The name of a key, applied as soon as it is unique. */
function KeyInput({ id, name, label, isTaken, onRename }: KeyInputProps) {
  const [draft, setDraft] = useState(name)
  const isWrong = draft !== name && (draft === '' || isTaken(draft))
  return (
    <>
      <input
        id={id}
        class="in mono"
        aria-label={say('Key in {name}', label)}
        value={isWrong ? draft : name}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onInput={({ currentTarget: { value } }) => {
          setDraft(value)
          if (value !== '' && !isTaken(value)) onRename(name, value)
        }}
      />
      {isWrong && (
        <p class="err" id={`${id}-error`}>
          <TextWithCode
            text={
              draft === ''
                ? say('Enter a name for the key. It is sent as `{key}`.', name)
                : say('The key {name} already exists. It is sent as `{key}`.', draft, name)
            }
          />
        </p>
      )}
    </>
  )
}
