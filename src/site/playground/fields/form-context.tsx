import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { mergeSchema } from '../form-schema.ts'
import type { FieldValue, JsonSchema } from '../types.ts'

/** The place of a value: keys of objects and indexes of lists. The first step is `parameters` or `body`. */
export type FieldPath = readonly (string | number)[]

/** What every field of a form needs. The same object as long as no problem is reported, so that a row renders only for its own changes. */
export interface FormContext {
  readonly resolve: (schema: unknown) => JsonSchema
  /** Sets the value at a path; `undefined` removes it. */
  readonly change: (path: FieldPath, value: FieldValue | undefined) => void
  /** A problem with the value itself, in a few words. `undefined` until the check is loaded. */
  readonly check: (value: FieldValue, schema: unknown) => string | undefined
  /** Why the request cannot be sent as it is: sentences by the ID of their field. */
  readonly told: Readonly<Record<string, string>>
  /** The field for any value, for the fields that contain others. */
  readonly Field: ComponentType<FieldProps>
}

export const FormContext = createContext<FormContext>({
  resolve: () => ({}),
  change: () => {},
  check: () => undefined,
  told: {},
  Field: () => null,
})

/** The props of every kind of field. */
export interface FieldProps {
  readonly path: FieldPath
  /** The accessible name, including the names of the objects around it. */
  readonly label: string
  readonly schema: unknown
  /** `undefined`: not sent. */
  readonly value: FieldValue | undefined
  readonly required: boolean
  /** Whether raw bytes can be sent. */
  readonly isForm: boolean
  /** An item of a list, which always has a value. */
  readonly isItem?: boolean
  /** The number of choices made at the same place. */
  readonly depth?: number
}

/** The ID of a field's element. */
export function idOf(path: FieldPath): string {
  return `play-${path.map((step) => encodeURIComponent(step)).join('.')}`
}

/** A problem with a field, as a sentence: a value that does not fit (it is sent anyway), or a missing one. */
export function useFault({ schema, value, path }: Pick<FieldProps, 'schema' | 'value' | 'path'>): string | undefined {
  const { check } = useContext(FormContext)
  const told = useTold(path)
  const fault = value === undefined ? undefined : check(value, schema)
  return fault === undefined ? told : `${fault}. It is sent as typed.`
}

/** A problem that was reported for the path. */
export function useTold(path: FieldProps['path']): string | undefined {
  return useContext(FormContext).told[idOf(path)]
}

/** ARIA attributes that link a field to its problem. */
export function faultProps(path: FieldProps['path'], fault: string | undefined) {
  return fault === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': `${idOf(path)}-fault` }
}

/** The problem below a field. */
export function Fault({ path, fault }: { readonly path: FieldProps['path']; readonly fault: string | undefined }) {
  return fault === undefined ? null : (
    <p class="err" id={`${idOf(path)}-fault`}>
      {fault}
    </p>
  )
}

interface FieldActsProps extends FieldProps {
  /** Whether an empty string differs from no value. */
  readonly hasText?: boolean
}

/** Actions of a field besides typing: send `null`, an empty string or nothing. Shown while the field has focus, or to explain what is sent. */
export function FieldActs({ path, label, schema, value, required, isItem, hasText }: FieldActsProps) {
  const { resolve, change } = useContext(FormContext)
  const merged = mergeSchema(schema, resolve)
  // Values that look like an empty field.
  const isSaid = value === null || (value === '' && !isItem) || typeof value === 'object'
  const acts: [string, FieldProps['value']][] = []
  if (hasText && value === undefined && merged.types.includes('string')) acts.push(['Send empty text', ''])
  if (value !== null && merged.isNullable) acts.push(['Send null', null])
  if (isSaid && !isItem && (!required || value === null || value === '')) acts.push(['Do not send', undefined])
  if (acts.length === 0) return null
  return (
    <p class={isSaid ? 'acts said' : 'acts'}>
      {value === null && (
        <span>
          <code>null</code> is sent.
        </span>
      )}
      {value === '' && isSaid && <span>Empty text is sent.</span>}
      {acts.map(([act, next]) => (
        <button type="button" class="act" aria-label={`${act}: ${label}`} onClick={() => change(path, next)}>
          {act}
        </button>
      ))}
    </p>
  )
}
