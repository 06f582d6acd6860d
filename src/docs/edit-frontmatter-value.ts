import { formatYamlText } from './format-yaml-text.ts'
import { locateFrontmatterValue } from './locate-frontmatter-value.ts'

/**
 * Gives a top-level key of a page's frontmatter another text, in the quotes that the old one has. Everything else of the page keeps its bytes,
 * comments too.
 *
 * Returns `undefined` when the page does not have the key, or no value for it.
 */
export function editFrontmatterValue(text: string, key: string, value: string): string | undefined {
  const offsets = locateFrontmatterValue(text, key)
  if (!offsets || offsets.start === offsets.end) return undefined
  const first = text.charAt(offsets.start)
  const written = formatYamlText(value, first === '"' || first === "'" ? first : '')
  const lineEnd = text.startsWith('---\r\n') ? '\r\n' : '\n'
  return text.slice(0, offsets.start) + written.replaceAll('\n', lineEnd) + text.slice(offsets.end)
}
