import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isContainer, readOwn } from '../../text/json/json-values.ts'
import { encodeUrlPart } from '../../text/plain/paths.ts'
import { TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { FieldValue } from '../controls/types.ts'
import type { Schema } from '../request/read-schema.ts'
import type { CheckedSchemas } from './check-value.ts'
import { type FormSchema, toFormSchema } from './form-schema.ts'

/** The path of a value: keys of objects and indexes of lists. The first step is `parameters` or `body`. */
export type FieldPath = readonly (string | number)[]

/** The values and functions that every field of a form needs. */
export interface FormContext {
  readonly schemas: CheckedSchemas
  /** Sets the value at a path; `undefined` removes it. */
  readonly change: (path: FieldPath, value: FieldValue | undefined) => void
  /**
   * Returns a short message if the value does not match its schema. `undefined` until the validation is loaded, and for an empty value before the
   * reader has tried to send.
   */
  readonly check: (value: FieldValue, schema: Schema) => string | undefined
  /** Messages about values that prevent sending or are missing, by field ID. */
  readonly messages: Readonly<Record<string, string>>
  /** Values of choices that are not selected, by the field's ID and the choice. */
  readonly unselected: Map<string, Map<unknown, FieldValue>>
  /** The component for any value, used by fields that contain other fields. */
  readonly Field: ComponentType<FieldProps>
}

// The dialog always provides it.
export const FormContext = createContext({} as FormContext)

/** Loads the checks, with the interpreter of schemas. */
export const getCheck = () => import('./check-value.ts')

/** Follows references of the schemas of the form. */
export const useFollow = () => useContext(FormContext).schemas.follow

/** The props of every kind of field. */
export interface FieldProps {
  readonly path: FieldPath
  /** The accessible name, including the names of the objects that contain the field. */
  readonly label: string
  readonly schema: Schema
  /** `undefined`: not sent. */
  readonly value: FieldValue | undefined
  readonly required: boolean
  /** Whether the field can hold a file. */
  readonly isForm: boolean
  /** An item of a list, which always has a value. */
  readonly isItem?: boolean
  /** The number of choices that contain the field at the same path. */
  readonly depth?: number
}

/** The schema of a field. */
export function useSchema(schema: Schema): FormSchema {
  return toFormSchema(schema, useContext(FormContext).schemas.follow)
}

/** The ID of a field's element. */
export function idOf(path: FieldPath): string {
  return `play-${path.map((step) => encodeUrlPart(String(step))).join('.')}`
}

/** The message for a field: its value does not match the schema (it is sent anyway), or it is missing. An empty value has none before the reader sends. */
export function useFieldMessage({ schema, value, path }: Pick<FieldProps, 'schema' | 'value' | 'path'>): string | undefined {
  const { check } = useContext(FormContext)
  const reported = useReportedMessage(path)
  const message = value === undefined ? undefined : check(value, schema)
  return message === undefined ? reported : say('{problem}. The value is sent anyway.', message)
}

/** Whether a value is an empty string or list, such as the initial value of a required list. */
export function isEmpty(value: FieldValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** The message that was reported for the path. */
export function useReportedMessage(path: FieldProps['path']): string | undefined {
  return readOwn(useContext(FormContext).messages, idOf(path))
}

/** ARIA attributes that link a field to its message. */
export function messageProps(path: FieldProps['path'], message: string | undefined) {
  return message === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': `${idOf(path)}-error` }
}

/** The message below a field. */
export function FieldMessage({ path, message }: { readonly path: FieldProps['path']; readonly message: string | undefined }) {
  return message === undefined ? null : (
    <p class="err" id={`${idOf(path)}-error`}>
      {message}
    </p>
  )
}

interface FieldActionsProps extends FieldProps {
  /** Whether an empty string differs from no value. */
  readonly hasText?: boolean
}

/** Actions of a field: send `null`, an empty string or nothing. Shown while the field has focus, or to explain what is sent. */
export function FieldActions({ path, label, schema, value, required, isItem, hasText }: FieldActionsProps) {
  const { change } = useContext(FormContext)
  const merged = useSchema(schema)
  // An empty field can represent these values.
  const isExplained = value === null || (value === '' && !isItem) || isContainer(value)
  const acts: [string, FieldProps['value']][] = []
  if (hasText && value === undefined && merged.types.includes('string')) acts.push([say('Send an empty string'), ''])
  if (value !== null && merged.isNullable) acts.push([say('Send null'), null])
  if (isExplained && !isItem && (!required || value === null || value === '')) acts.push([say('Do not send'), undefined])
  if (acts.length === 0) return null
  return (
    <p class={isExplained ? 'acts shown' : 'acts'}>
      {value === null && (
        <span>
          <TextWithCode text={say('Sends `null`.')} />
        </span>
      )}
      {value === '' && isExplained && <span>{say('Sends an empty string.')}</span>}
      {acts.map(([act, next]) => (
        <button type="button" class="act" aria-label={`${act}: ${label}`} onClick={() => change(path, next)}>
          {act}
        </button>
      ))}
    </p>
  )
}
