import { allowsNull } from '../../openapi/schema/json-schema.ts'
import { listOf, readOwn } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import { isFile } from '../request/read-operation.ts'
import { type JsonSchema, type ReadSchema, type Resolve, readSchema } from '../request/read-schema.ts'

/** A schema as a form needs it. */
export interface FormSchema extends ReadSchema {
  readonly isNullable: boolean
  /** `enum`, `const`, and `oneOf` of constants; absent if any value is allowed. Never includes `null`. */
  readonly enum: readonly unknown[] | undefined
}

/** How a value is entered. `json` is for values that no form field can express. */
export type FieldKind = 'choice' | 'enum' | 'boolean' | 'text' | 'file' | 'array' | 'object' | 'json'

/** Reads a schema for the form. Memoized per schema. */
export function toFormSchema(schema: unknown, resolve: Resolve): FormSchema {
  const resolved = resolve(schema)
  const before = known.get(resolved)
  if (before) return before
  // Ends the recursion if a choice refers back to this schema.
  known.set(resolved, { ...readSchema({ type: 'object' }, resolve), isNullable: false, enum: undefined })
  const merged = withChoices(readSchema(schema, resolve), resolve)
  known.set(resolved, merged)
  return merged
}

/** The schema with one of its choices selected, and without the `oneOf` or `anyOf` that lists the choice. */
export function chooseSchema(schema: unknown, choice: unknown, resolve: Resolve): JsonSchema {
  const seen = new Set<unknown>()
  const withoutChoices = (part: unknown): JsonSchema => {
    const resolved = resolve(part)
    if (seen.has(resolved)) return resolved
    seen.add(resolved)
    const changed = ['oneOf', 'anyOf', 'allOf'].flatMap((key) => {
      const parts = listOf(readOwn(resolved, key))
      return parts.length > 0 ? [[key, parts.includes(choice) ? undefined : parts.map(withoutChoices)]] : []
    })
    return changed.length > 0 ? { ...resolved, ...Object.fromEntries(changed) } : resolved
  }
  return { allOf: [choice, withoutChoices(schema)] }
}

/** The kind of field for a schema. With `isForm`, the field can hold a file. */
export function toFieldKind({ choices, enum: values, types, keywords }: FormSchema, isForm: boolean): FieldKind {
  if (choices.length > 1) return 'choice'
  if (values) return 'enum'
  if (isForm && isFile({ keywords, types })) return 'file'
  const [type] = types
  if (types.length === 1 && (type === 'boolean' || type === 'array' || type === 'object')) return type
  return type !== undefined && types.every(isPlainType) ? 'text' : 'json'
}

/** Whether a field takes the full width because it contains rows. */
export function isWide(kind: FieldKind): boolean {
  return kind === 'choice' || kind === 'object'
}

/** A short description of a schema's type, shown beside the name. */
export function describeType({ types, enum: values, keywords, choices, isNullable }: FormSchema): string {
  const format = typeof keywords['format'] === 'string' ? ` · ${keywords['format']}` : ''
  const words = values ? ['enum'] : choices.length > 0 ? [say('one of several')] : types.length > 0 ? types : [say('any')]
  const or = ` ${say('or')} `
  return words.join(or) + format + (isNullable ? `${or}null` : '')
}

const known = new WeakMap<object, FormSchema>()

function withChoices(schema: ReadSchema, resolve: Resolve): FormSchema {
  const { keywords, choices, hasNull } = schema
  const values = enumOf(keywords, choices, resolve)
  const merged = {
    ...schema,
    isNullable: hasNull || allowsNull(keywords) || values?.includes(null) === true,
    enum: values?.filter((value) => value !== null),
    choices: values === undefined ? choices : [],
  }
  if (merged.choices.length === 0) return merged
  const branches = merged.choices.map((choice) => toFormSchema(choice, resolve))
  // A choice of strings and numbers is one text field. Choices that only add limits are not shown.
  if (branches.every(isPlain)) {
    const all = branches.flatMap((branch) => branch.types)
    return { ...merged, types: merged.types.length > 0 ? merged.types : [...new Set(all)], choices: [] }
  }
  if (branches.every(isLimit)) return { ...merged, choices: [] }
  return merged
}

function isPlainType(type: string): boolean {
  return /^(?:string|number|integer)$/.test(type)
}

function isPlain({ types, enum: values, choices }: FormSchema): boolean {
  return values === undefined && choices.length === 0 && types.length > 0 && types.every(isPlainType)
}

function isLimit({ types, enum: values, choices, properties }: FormSchema): boolean {
  return values === undefined && choices.length === 0 && types.length === 0 && properties.size === 0
}

function enumOf(keywords: JsonSchema, choices: readonly unknown[], resolve: Resolve): readonly unknown[] | undefined {
  if (Object.hasOwn(keywords, 'const')) return [keywords['const']]
  if (Array.isArray(keywords['enum'])) return keywords['enum']
  const constants = choices.map((choice) => resolve(choice)).filter((choice) => Object.hasOwn(choice, 'const'))
  return choices.length > 0 && constants.length === choices.length ? constants.map((choice) => choice['const']) : undefined
}
