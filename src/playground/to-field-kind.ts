import type { MergedSchema } from './merge-schema.ts'

/** How a value is typed in. `json` is for what no form can say. */
export type FieldKind = 'choice' | 'enum' | 'boolean' | 'text' | 'file' | 'array' | 'object' | 'json'

/** The kind of field that a schema asks for. `isForm`: bytes can be sent as they are, in a body of parts or as the whole of it. */
export function toFieldKind({ choices, enum: values, types, keywords }: MergedSchema, isForm: boolean): FieldKind {
  if (choices.length > 1) return 'choice'
  if (values) return 'enum'
  if (isForm && isFile(types, keywords)) return 'file'
  const [type] = types
  if (types.length === 1 && (type === 'boolean' || type === 'array' || type === 'object')) return type
  return type !== undefined && types.every((one) => /^(?:string|number|integer)$/.test(one)) ? 'text' : 'json'
}

/** 3.0 says `format: binary`; since 3.1 a media type without an encoding in text says so. Source: OpenAPI 3.1.1, "Considerations for File Uploads". */
function isFile(types: readonly string[], keywords: MergedSchema['keywords']): boolean {
  if (types.length > 0 && types[0] !== 'string') return false
  return (
    keywords['format'] === 'binary' || (keywords['contentMediaType'] !== undefined && keywords['contentEncoding'] === undefined)
  )
}
