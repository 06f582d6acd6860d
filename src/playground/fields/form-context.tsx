import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { mergeSchema } from '../form-schema.ts'
import type { FieldValue, JsonSchema } from '../types.ts'

/** Where a value stands: keys of objects, indexes of lists. The first names what the form is of. */
export type FieldPath = readonly (string | number)[]

/** What every field of a form needs; the same object while nothing is told, so that a row draws itself again only for what is its own. */
export interface FormContext {
  readonly resolve: (schema: unknown) => JsonSchema
  /** Puts a value in its place; `undefined` takes it away. */
  readonly change: (path: FieldPath, value: FieldValue | undefined) => void
  /** What is wrong with a value itself, in a few words; it is told once the check is loaded. */
  readonly check: (value: FieldValue, schema: unknown) => string | undefined
  /** Why the request cannot be sent as it is, in sentences by the addresses of the fields that they are about. */
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

/** What each kind of field is given. */
export interface FieldProps {
  readonly path: FieldPath
  /** What it is called for those who do not see it: the name, with what is around it. */
  readonly label: string
  readonly schema: unknown
  /** `undefined`: not sent. */
  readonly value: FieldValue | undefined
  readonly required: boolean
  /** Bytes can be sent as they are. */
  readonly isForm: boolean
  /** Of a list, which has no places without a value. */
  readonly isItem?: boolean
  /** Choices that were made on the way to it, at the same place. */
  readonly depth?: number
}

/** The address of a field on the page. */
export function idOf(path: FieldPath): string {
  return `play-${path.map((step) => encodeURIComponent(step)).join('.')}`
}

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

interface FieldActsProps extends FieldProps {
  /** An empty text can be told from none. */
  readonly hasText?: boolean
}

/** What can be done with a field besides typing: send `null` or an empty text, or nothing. Shown while the field is used, and where it says what is sent. */
export function FieldActs({ path, label, schema, value, required, isItem, hasText }: FieldActsProps) {
  const { resolve, change } = useContext(FormContext)
  const merged = mergeSchema(schema, resolve)
  // What an empty field does not show.
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
