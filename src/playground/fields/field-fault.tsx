import { useContext } from 'preact/hooks'
import { checkValue } from '../check-value.ts'
import { type FieldProps, FormContext, idOf } from './form-context.ts'

/** What is wrong with a field, in a sentence: with its own value, which is sent all the same, or that it has none and needs one. */
export function useFault({ schema, value, path }: Pick<FieldProps, 'schema' | 'value' | 'path'>): string | undefined {
  const { resolve } = useContext(FormContext)
  const told = useTold(path)
  const fault = value === undefined ? undefined : checkValue(value, schema, { resolve, isShallow: true })[0]?.message
  return fault === undefined ? told : `${fault}. It is sent as typed.`
}

/** What is told of the place itself: `parameters` and a key, or `body`. */
export function useTold([part, key, ...inside]: FieldProps['path']): string | undefined {
  const { told } = useContext(FormContext)
  if (inside.length > 0) return undefined
  return part === 'body' ? (key === undefined ? told['body'] : undefined) : told[String(key)]
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
