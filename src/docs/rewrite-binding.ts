import { formatTarget } from './format-binding.ts'
import { parseBinding } from './parse-binding.ts'

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
