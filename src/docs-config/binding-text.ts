import { isUrl, normalizePath } from '../source/relative-path.ts'
import type { OperationBinding, PageBinding, SchemaBinding } from './types.ts'

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

/** Writes a binding as it stands in frontmatter: `openapi.yaml GET /pets`, `openapi.yaml webhook orderShipped`, `openapi.yaml Pet`. */
export function formatBinding(binding: PageBinding): string {
  return binding.file === undefined ? formatTarget(binding) : `${binding.file} ${formatTarget(binding)}`
}

/** A binding without its file: `GET /pets`, `webhook orderShipped`, `Pet`. Names an operation inside one document. */
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

/** The key of frontmatter that a binding stands under. */
export function bindingKey({ kind }: PageBinding): 'openapi' | 'openapi-schema' {
  return kind === 'schema' ? 'openapi-schema' : 'openapi'
}

/**
 * Writes another operation or webhook into a binding as somebody wrote it: the document keeps its spelling, or stays away, and the method its case.
 *
 * `target` is a binding without its document: `GET /pets`, `webhook orderShipped`.
 */
export function rewriteBinding(written: string, target: string): string {
  const { document, isLower } = readSpelling(written)
  const binding = parseBinding(target)
  const words = binding === undefined ? target : formatTarget(binding)
  const spelled = isLower && binding?.kind === 'operation' ? words.replace(/^\S+/, (method) => method.toLowerCase()) : words
  return document === undefined ? spelled : `${document} ${spelled}`
}

/** The parts of a binding that say the same however they are written. */
export function readSpelling(written: string): { readonly document: string | undefined; readonly isLower: boolean } {
  const trimmed = written.trim()
  const binding = parseBinding(trimmed)
  if (!binding) return { document: undefined, isLower: false }
  const match = /(?<!\S)(\S+)\s+\//.exec(trimmed) ?? /(?<!\S)(webhook)\s/i.exec(trimmed)
  const method = match?.[1] ?? ''
  const document = trimmed.slice(0, match?.index ?? 0).trimEnd()
  return { document: document === '' ? undefined : document, isLower: method !== '' && method === method.toLowerCase() }
}
