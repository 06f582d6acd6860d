import { useContext, useState } from 'preact/hooks'
import { fromJsonText } from '../from-json-text.ts'
import type { FieldValue } from '../types.ts'
import { FieldActs } from './field-acts.tsx'
import { Fault, faultProps, useFault } from './field-fault.tsx'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** A value of any kind, as JSON; what is no JSON is a text. */
export function JsonField(props: FieldProps) {
  const { path, label, value, required, isItem } = props
  const { change } = useContext(FormContext)
  const [draft, setDraft] = useState<string>()
  const fault = useFault(props)
  const isDrafted = draft !== undefined && JSON.stringify(read(draft)) === JSON.stringify(value)
  const shown = isDrafted ? draft : value === undefined ? '' : JSON.stringify(value, null, 2)
  return (
    <>
      <textarea
        id={idOf(path)}
        class="in mono"
        rows={Math.min(12, shown.split('\n').length)}
        aria-label={`${label}, as JSON`}
        aria-required={required || undefined}
        placeholder={'JSON, such as "text", 1 or {}'}
        spellcheck={false}
        {...faultProps(path, fault)}
        value={shown}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value)
          change(path, read(currentTarget.value) ?? (isItem ? null : undefined))
        }}
      />
      <Fault path={path} fault={fault} />
      <FieldActs {...props} />
    </>
  )
}

function read(text: string): FieldValue | undefined {
  const found = fromJsonText(text)
  return 'fault' in found ? text : found.value
}
