import { useContext } from 'preact/hooks'
import { Icon } from '../icon.tsx'
import { mergeSchema } from '../merge-schema.ts'
import { type FieldKind, toFieldKind } from '../to-field-kind.ts'
import { toValue } from '../to-value.ts'
import type { FieldValue } from '../types.ts'
import { Field, isWide } from './field.tsx'
import { FieldActs } from './field-acts.tsx'
import { Fault, useFault } from './field-fault.tsx'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** A list: its items can be added, taken away and moved. Of a tuple each place has a schema of its own. */
export function ListField(props: FieldProps) {
  const { path, label, schema, value, isForm } = props
  const { resolve, change } = useContext(FormContext)
  const fault = useFault(props)
  const { keywords } = mergeSchema(schema, resolve)
  const tuple = Array.isArray(keywords['prefixItems']) ? keywords['prefixItems'] : []
  const schemaAt = (index: number): unknown => tuple[index] ?? keywords['items']
  const items: readonly FieldValue[] = Array.isArray(value) ? value : []
  const add = () => {
    const next = schemaAt(items.length)
    const kind = toFieldKind(mergeSchema(next, resolve), isForm)
    change(path, [...items, toValue(next, { resolve, as: 'needed' }) ?? emptyValue(kind)])
    focusLater(`${idOf([...path, items.length])}`)
  }
  const swap = (index: number) => {
    const [before, after] = [items[index - 1], items[index]]
    if (before === undefined || after === undefined) return
    change(path, items.toSpliced(index - 1, 2, after, before))
    // It can go on from there.
    focusLater(`${idOf([...path, index - 1])}${index > 1 ? '-up' : ''}`)
  }
  return (
    <>
      <ul class="items">
        {items.map((item, index) => {
          const name = `${label}, item ${index + 1}`
          const own = schemaAt(index)
          return (
            <li class={isWide(toFieldKind(mergeSchema(own, resolve), isForm)) ? 'deep' : ''}>
              <div>
                <Field path={[...path, index]} label={name} schema={own} value={item} required isForm={isForm} isItem />
              </div>
              {index > 0 && (
                <button
                  type="button"
                  class="btn quiet icon"
                  id={`${idOf([...path, index])}-up`}
                  aria-label={`Move ${name} up`}
                  onClick={() => swap(index)}
                >
                  <Icon name="up" />
                </button>
              )}
              <button
                type="button"
                class="btn quiet icon"
                aria-label={`Remove ${name}`}
                onClick={() => change([...path, index], undefined)}
              >
                <Icon name="x" />
              </button>
            </li>
          )
        })}
        <li>
          <button type="button" class="btn" aria-label={`Add an item to ${label}`} onClick={add}>
            <Icon name="plus" /> Add an item
          </button>
        </li>
      </ul>
      {items.length === 0 && value !== undefined && value !== null && <p class="p-desc">An empty list is sent.</p>}
      <Fault path={path} fault={fault} />
      <FieldActs {...props} />
    </>
  )
}

/** What a new place of a list or a map holds where its schema suggests nothing. */
export function emptyValue(kind: FieldKind): FieldValue {
  return kind === 'text' || kind === 'file'
    ? ''
    : kind === 'boolean'
      ? false
      : kind === 'object'
        ? {}
        : kind === 'array'
          ? []
          : null
}

/** What was added can be typed into at once: before the next key comes, and after the form was drawn again. */
export function focusLater(id: string): void {
  queueMicrotask(() => document.getElementById(id)?.focus())
}
