import { escapeHtml } from '../html.ts'
import { isJson } from './color-json.ts'
import { findColored, highlight } from './highlight.ts'
import { renderLines } from './render-lines.ts'

/** The HTML of a code in its colours. Lines from 1 in `marked` stand out. */
export function renderCode(
  code: string,
  language: string | undefined,
  marked: ReadonlySet<number> | undefined,
  hasNumbers: boolean,
): string {
  const isWhole = !hasNumbers && (marked === undefined || marked.size === 0)
  const isQuick = isWhole && findColored(code, language) === 'json' && isJson(code)
  return isQuick ? renderJson(code) : renderLines(highlight(code, language), marked, hasNumbers)
}

/** The HTML of JSON without marked lines, as `renderLines` has it: half of what the pages of a reference are made of. */
export function renderJson(code: string): string {
  // What stands between these are blanks and marks that are nothing in HTML.
  return code.replace(
    /((?<!\\)"(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g,
    (text, quoted: string | undefined, colon: string | undefined) => {
      if (quoted === undefined) return `<span class="${/^[-\d]/.test(text) ? 'n' : 'k'}">${text}</span>`
      const inside = escapeHtml(quoted)
      return colon === undefined ? `<span class="s">${inside}</span>` : `<span class="f">${inside}</span>${colon}`
    },
  )
}
