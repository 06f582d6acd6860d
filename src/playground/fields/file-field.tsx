import { useContext } from 'preact/hooks'
import { FieldActs } from './field-acts.tsx'
import { Fault, faultProps, useFault } from './field-fault.tsx'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** A file of the reader's. */
export function FileField(props: FieldProps) {
  const { path, label, value } = props
  const { change } = useContext(FormContext)
  const fault = useFault(props)
  return (
    <>
      <input
        // Taken away, the browser's own input has to forget it as well.
        key={String(value === undefined)}
        id={idOf(path)}
        class="in"
        type="file"
        aria-label={label}
        {...faultProps(path, fault)}
        onChange={({ currentTarget }) => change(path, currentTarget.files?.[0])}
      />
      {value instanceof File && (
        <p class="p-desc">
          {value.name}, {value.size.toLocaleString('en')} bytes
        </p>
      )}
      <Fault path={path} fault={fault} />
      <FieldActs {...props} />
    </>
  )
}
