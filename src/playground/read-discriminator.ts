import { isObject } from '../text/is-object.ts'
import { readOwn } from './read-own.ts'

/** The key and value by which a server knows that a choice was made; absent where it has none. Source: OpenAPI 3.1.1, "Discriminator Object". */
export function readDiscriminator(
  discriminator: unknown,
  choice: unknown,
): { readonly key: string; readonly value: string } | undefined {
  const key = readOwn(discriminator, 'propertyName')
  const reference = readOwn(choice, '$ref')
  if (typeof key !== 'string' || typeof reference !== 'string') return undefined
  const name = referenceName(choice) ?? ''
  const mapping = readOwn(discriminator, 'mapping')
  const mapped = isObject(mapping)
    ? Object.keys(mapping).find((one) => mapping[one] === reference || mapping[one] === name)
    : undefined
  return { key, value: mapped ?? name }
}

/** What a reference is called by: its last step. */
export function referenceName(schema: unknown): string | undefined {
  const reference = readOwn(schema, '$ref')
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}
