import type { MergedSchema } from './merge-schema.ts'

/** A schema's type in a few words, as it stands beside a name. */
export function describeType({ types, enum: values, keywords, choices, isNullable }: MergedSchema): string {
  const format = typeof keywords['format'] === 'string' ? ` (${keywords['format']})` : ''
  const words = values ? ['enum'] : choices.length > 0 ? ['one of'] : types.length > 0 ? [...types] : ['any']
  return `${[...words, ...(isNullable ? ['null'] : [])].join(' or ')}${format}`
}
