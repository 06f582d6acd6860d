import { escapeHtml } from '../html.ts'
import type { CodeToken } from './highlight.ts'

/**
 * The HTML of coloured lines, written without components: a page has hundreds of pieces of code, which are most of what it is made of. Lines from 1 in `marked` stand out.
 */
export function renderLines(
  lines: readonly (readonly CodeToken[])[],
  marked: ReadonlySet<number> | undefined,
  hasNumbers: boolean,
): string {
  let html = ''
  for (const [index, line] of lines.entries()) {
    if (index > 0) html += '\n'
    const isMarked = marked?.has(index + 1) === true
    if (isMarked || hasNumbers) html += `<span class="${isMarked ? 'hl' : 'nl'}">`
    for (const { text, kind } of line) {
      // A kind is a word of our own.
      html += kind === undefined ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`
    }
    if (isMarked || hasNumbers) html += '</span>'
  }
  return html
}
