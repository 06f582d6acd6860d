import { toPlace } from '../../model/api.ts'
import { allowsNull, type Keywords } from '../../model/schema.ts'
import { type FollowReference, isReference, mapPlaces } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { say } from '../controls/playground-messages.ts'
import { isFile } from '../request/read-operation.ts'
import { type ReadSchema, readSchema, referenceName, type Schema } from '../request/read-schema.ts'

/** A schema as a form needs it. */
export interface FormSchema extends ReadSchema {
  readonly isNullable: boolean
  /** `enum`, `const`, and `oneOf` of constants; absent if any value is allowed. Never includes `null`. */
  readonly enum: readonly unknown[] | undefined
}

/** How a value is entered. `json` is for values that no form field can express. */
export type FieldKind = 'choice' | 'enum' | 'boolean' | 'text' | 'file' | 'array' | 'object' | 'json'

/** Reads a schema for the form. Memoized per schema. */
export function toFormSchema(schema: Schema, follow: FollowReference): FormSchema {
  const read = readSchema(schema, follow)
  const before = known.get(read)
  if (before) return before
  // Ends the recursion if a choice refers back to this schema.
  known.set(read, { ...read, isNullable: false, enum: undefined })
  const merged = withChoices(read, follow)
  known.set(read, merged)
  return merged
}

/**
 * The schema with one of its choices selected: its parts, without the `oneOf` or `anyOf` that lists the choice or another part, and with
 * the value of its discriminator. Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export function chooseSchema(schema: Schema, choice: Place, follow: FollowReference): Place {
  const { parts, keywords } = readSchema(schema, follow)
  const others: object[] = parts.map((part) => {
    const kept = Object.entries(part.keywords).flatMap(([key, value]) => {
      if (key === '$ref' || key === 'allOf') return []
      if (!Array.isArray(value) || !/^(?:one|any)Of$/.test(key)) return [[key, value]]
      return value.includes(choice.value)
        ? []
        : [[key, value.map((one: unknown) => (parts.some((each) => each.value === one) ? {} : one))]]
    })
    return Object.fromEntries(kept)
  })
  const { propertyName: property, mapping } = keywords.discriminator ?? {}
  const tag = referenceName(choice)
  if (typeof property === 'string' && isReference(choice.value)) {
    const written: unknown[] = [choice.value.$ref, tag]
    const mapped = mapPlaces(toPlace(mapping), undefined).find(({ place }) => written.includes(place.value))
    others.push({ properties: { [property]: { enum: [mapped?.name ?? tag] } }, required: [property] })
  }
  return toPlace({ allOf: [choice.value, ...others] })
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
  const format = keywords.format === undefined ? '' : ` · ${keywords.format}`
  const words = values ? ['enum'] : choices.length > 0 ? [say('one of several')] : types.length > 0 ? types : [say('any')]
  const or = ` ${say('or')} `
  return words.join(or) + format + (isNullable ? `${or}null` : '')
}

const known = new WeakMap<ReadSchema, FormSchema>()

function withChoices(schema: ReadSchema, follow: FollowReference): FormSchema {
  const { keywords, choices, hasNull } = schema
  const values = enumOf(keywords, choices, follow)
  const merged = {
    ...schema,
    isNullable: hasNull || allowsNull(keywords) || values?.includes(null) === true,
    enum: values?.filter((value) => value !== null),
    choices: values === undefined ? choices : [],
  }
  if (merged.choices.length === 0) return merged
  const branches = merged.choices.map((choice) => toFormSchema(choice, follow))
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

function isLimit({ keywords, enum: values, choices, properties }: FormSchema): boolean {
  return values === undefined && choices.length === 0 && keywords['type'] === undefined && properties.size === 0
}

function enumOf(keywords: Keywords, choices: readonly Place[], follow: FollowReference): readonly unknown[] | undefined {
  if (keywords['const'] !== undefined) return [keywords['const']]
  if (keywords.enum) return keywords.enum
  const constants = choices.flatMap((choice) => readSchema(choice, follow).keywords['const'] ?? [])
  return choices.length > 0 && constants.length === choices.length ? constants : undefined
}
