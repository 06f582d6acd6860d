import { createContext } from 'preact'
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
}

export const FormContext = createContext<FormContext>({ resolve: () => ({}), change: () => {}, check: () => undefined, told: {} })

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
