import { useContext } from 'preact/hooks'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** What is wrong with a field, in a sentence: with its own value, which is sent all the same, or that it has none and needs one. */
export function useFault({ schema, value, path }: Pick<FieldProps, 'schema' | 'value' | 'path'>): string | undefined {
  const { check } = useContext(FormContext)
  const told = useTold(path)
  const fault = value === undefined ? undefined : check(value, schema)
  return fault === undefined ? told : `${fault}. It is sent as typed.`
}

/** What is told of the place itself. */
export function useTold(path: FieldProps['path']): string | undefined {
  return useContext(FormContext).told[idOf(path)]
}

/** Attributes that tie a field to its fault. */
export function faultProps(path: FieldProps['path'], fault: string | undefined) {
  return fault === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': `${idOf(path)}-fault` }
}

/** The words below a field. */
export function Fault({ path, fault }: { readonly path: FieldProps['path']; readonly fault: string | undefined }) {
  return fault === undefined ? null : (
    <p class="err" id={`${idOf(path)}-fault`}>
      {fault}
    </p>
  )
}
