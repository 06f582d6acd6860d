import { stringify } from 'yaml'
import { locateFrontmatterValue } from './locate-frontmatter-value.ts'

/**
 * Gives a top-level key of a page's frontmatter another text of one line. Everything else of the page keeps its bytes, comments too.
 *
 * Returns `undefined` when the page does not have the key, or no value for it.
 */
export function editFrontmatterValue(text: string, key: string, value: string): string | undefined {
  const offsets = locateFrontmatterValue(text, key)
  if (!offsets || offsets.start === offsets.end) return undefined
  return text.slice(0, offsets.start) + stringify(value, { lineWidth: 0 }).trimEnd() + text.slice(offsets.end)
}
