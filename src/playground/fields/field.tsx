import { useContext } from 'preact/hooks'
import { isObject } from '../../text/is-object.ts'
import { mergeSchema } from '../merge-schema.ts'
import { type FieldKind, toFieldKind } from '../to-field-kind.ts'
import type { FieldValue } from '../types.ts'
import { type FieldProps, FormContext } from './form-context.ts'
import { lateFields } from './late-field.tsx'
import { ObjectField } from './object-field.tsx'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'

/** The field for a value, by its schema; what does not fit it is shown as JSON, so that a form holds everything. */
export function Field(props: FieldProps) {
  const { resolve } = useContext(FormContext)
  const { schema, value, isForm, depth = 0 } = props
  const kind = kindOf(toFieldKind(mergeSchema(schema, resolve), isForm), value)
  const Kind = components[kind === 'choice' && depth > maxDepth ? 'json' : kind]
  return <Kind {...props} />
}

/** Choices among choices that lead on; of a circle there would be no end. */
const maxDepth = 5

const components = {
  ...lateFields,
  enum: SelectField,
  boolean: SelectField,
  text: TextField,
  object: ObjectField,
} as const

/** Whether a field takes the whole width, with rows of its own in it. */
export function isWide(kind: FieldKind): boolean {
  return kind === 'choice' || kind === 'object'
}

/** The kind of field that can show a value. */
export function kindOf(kind: FieldKind, value: FieldValue | undefined): FieldKind {
  if (value === undefined || value === null) return kind
  const isList = Array.isArray(value)
  const isFile = value instanceof File
  const canShow: Record<FieldKind, boolean> = {
    choice: true,
    enum: true,
    boolean: typeof value === 'boolean',
    text: typeof value === 'string' || typeof value === 'number',
    file: isFile,
    array: isList,
    object: isObject(value) && !isFile,
    json: true,
  }
  return canShow[kind] ? kind : 'json'
}
