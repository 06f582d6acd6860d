import { isUrl, normalizePath } from '../../text/plain/paths.ts'
import type { OperationBinding, PageBinding, SchemaBinding } from './docs-config.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/**
 * Parses `[file] METHOD /path` or `[file] webhook name`, the syntax of a page's `openapi` key and of entries in `pages`.
 *
 * Standard methods and the word `webhook` are case-insensitive. Other methods (OpenAPI 3.2, `additionalOperations`) must be
 * uppercase. File names may contain spaces. Returns `undefined` if the text is not a binding.
 */
export function parseBinding(text: string): OperationBinding | undefined {
  const trimmed = text.trim()
  // Everything before the first word that is followed by a path is the file.
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

/** Parses `[file] Name`, the syntax of a page's `openapi-schema` key. */
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

/** Formats a binding for frontmatter: `openapi.yaml GET /pets`, `openapi.yaml webhook orderShipped`, `openapi.yaml Pet`. */
export function formatBinding(binding: PageBinding): string {
  return binding.file === undefined ? formatTarget(binding) : `${binding.file} ${formatTarget(binding)}`
}

/** Formats a binding without its file: `GET /pets`, `webhook orderShipped`, `Pet`. Identifies an operation within one document. */
export function formatTarget(binding: PageBinding): string {
  switch (binding.kind) {
    case 'operation':
      return `${binding.method.toUpperCase()} ${binding.pathTemplate}`
    case 'webhook':
      return `webhook ${binding.name}`
    case 'schema':
      return binding.name
  }
}

/** Returns the frontmatter key for a binding. */
export function bindingKey({ kind }: PageBinding): 'openapi' | 'openapi-schema' {
  return kind === 'schema' ? 'openapi-schema' : 'openapi'
}

/**
 * Replaces the operation or webhook in a binding, keeping the spelling of the document (or its absence) and the case of the
 * method.
 *
 * `target` is a binding without a document: `GET /pets`, `webhook orderShipped`.
 */
export function rewriteBinding(written: string, target: string): string {
  const { document, isLower } = readSpelling(written)
  const binding = parseBinding(target)
  const formatted = binding === undefined ? target : formatTarget(binding)
  const spelled =
    isLower && binding?.kind === 'operation' ? formatted.replace(/^\S+/, (method) => method.toLowerCase()) : formatted
  return document === undefined ? spelled : `${document} ${spelled}`
}

/** Reads the parts of a binding that vary in spelling only: how the document is written, and whether the method is lowercase. */
export function readSpelling(written: string): { readonly document: string | undefined; readonly isLower: boolean } {
  const trimmed = written.trim()
  const binding = parseBinding(trimmed)
  if (!binding) return { document: undefined, isLower: false }
  const match = /(?<!\S)(\S+)\s+\//.exec(trimmed) ?? /(?<!\S)(webhook)\s/i.exec(trimmed)
  const method = match?.[1] ?? ''
  const document = trimmed.slice(0, match?.index ?? 0).trimEnd()
  return { document: document === '' ? undefined : document, isLower: method !== '' && method === method.toLowerCase() }
}
