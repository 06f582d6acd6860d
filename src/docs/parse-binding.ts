import { isUrl, normalizePath } from '../text/relative-path.ts'
import type { OperationBinding, SchemaBinding } from './types.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/**
 * Reads `[file] METHOD /path` or `[file] webhook name`, as it stands in a page's `openapi` and in `pages` of `docs.json`.
 *
 * The method and the word `webhook` in any case; a method that OpenAPI does not name (3.2, `additionalOperations`) in upper case only.
 * A file may have blanks in its name. Returns `undefined` for any other text.
 */
export function parseBinding(text: string): OperationBinding | undefined {
  const trimmed = text.trim()
  // The first word that a path follows. What comes before it is the file.
  const operation = /(?<!\S)([A-Za-z][A-Za-z-]*)\s+(\/.*)$/s.exec(trimmed)
  if (operation) {
    const [, method = '', pathTemplate = ''] = operation
    const file = trimmed.slice(0, operation.index)
    const lower = method.toLowerCase()
    if (methods.has(lower)) return { kind: 'operation', file: toFile(file), method: lower, pathTemplate }
    if (method === method.toUpperCase() && lower !== 'webhook')
      return { kind: 'operation', file: toFile(file), method, pathTemplate }
  }
  const webhook = /(?<!\S)webhook\s+(.+)$/is.exec(trimmed)
  if (webhook) return { kind: 'webhook', file: toFile(trimmed.slice(0, webhook.index)), name: webhook[1] ?? '' }
  return undefined
}

/** Reads `[file] Name` of a page's `openapi-schema`. */
export function parseSchemaBinding(text: string): SchemaBinding | undefined {
  const trimmed = text.trim()
  const name = /(?<!\S)\S+$/.exec(trimmed)
  return name ? { kind: 'schema', file: toFile(trimmed.slice(0, name.index)), name: name[0] } : undefined
}

function toFile(before: string): string | undefined {
  const file = before.trimEnd()
  if (file === '') return undefined
  return isUrl(file) ? file : normalizePath(file)
}
