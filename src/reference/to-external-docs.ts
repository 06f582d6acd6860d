import { readText } from './read-fields.ts'
import type { ExternalDocsView } from './types.ts'

/** An External Documentation Object; absent where it has no address. */
export function toExternalDocs(value: unknown): ExternalDocsView | undefined {
  const url = readText(value, 'url')
  return url === undefined ? undefined : { url, description: readText(value, 'description') }
}
