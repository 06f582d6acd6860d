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
  const operation = /^(?:(.*?)\s+)??([A-Za-z][A-Za-z-]*)\s+(\/.*)$/s.exec(trimmed)
  if (operation) {
    const [, file, method = '', pathTemplate = ''] = operation
    const lower = method.toLowerCase()
    if (methods.has(lower)) return { kind: 'operation', file: toFile(file), method: lower, pathTemplate }
    if (method === method.toUpperCase() && lower !== 'webhook')
      return { kind: 'operation', file: toFile(file), method, pathTemplate }
  }
  const webhook = /^(?:(.*?)\s+)??webhook\s+(.+)$/is.exec(trimmed)
  if (webhook) return { kind: 'webhook', file: toFile(webhook[1]), name: webhook[2] ?? '' }
  return undefined
}

/** Reads `[file] Name` of a page's `openapi-schema`. */
export function parseSchemaBinding(text: string): SchemaBinding | undefined {
  const match = /^(?:(.*)\s+)?(\S+)$/s.exec(text.trim())
  return match ? { kind: 'schema', file: toFile(match[1]), name: match[2] ?? '' } : undefined
}

function toFile(file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined
  return isUrl(file) ? file : normalizePath(file)
}
