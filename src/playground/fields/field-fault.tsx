import { useContext } from 'preact/hooks'
import { checkValue } from '../check-value.ts'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** What is wrong with a field's own value, in words; it is sent all the same. */
export function useFault({ schema, value }: Pick<FieldProps, 'schema' | 'value'>): string | undefined {
  const { resolve } = useContext(FormContext)
  return value === undefined ? undefined : checkValue(value, schema, { resolve, isShallow: true })[0]?.message
}

/** Attributes that tie a field to its fault. */
export function faultProps(path: FieldProps['path'], fault: string | undefined) {
  return fault === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': `${idOf(path)}-fault` }
}

/** The words below a field. */
export function Fault({ path, fault }: { readonly path: FieldProps['path']; readonly fault: string | undefined }) {
  return fault === undefined ? null : (
    <p class="err" id={`${idOf(path)}-fault`}>
      {fault}. It is sent as typed.
    </p>
  )
}
