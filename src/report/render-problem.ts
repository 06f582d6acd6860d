import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { toOneLine } from '../text/escape-text.ts'
import { isUrl } from '../text/relative-path.ts'
import type { Feedback } from './feedback.ts'
import { renderCode, renderLink, renderMessage, toBlobUrl } from './markdown.ts'

/** The place of a finding, as a link to its line at the commit; a document at an address has none. */
export function renderPlace(
  { file, range }: Pick<Diagnostic, 'file' | 'range'>,
  feedback: Pick<Feedback, 'webUrl' | 'headSha'>,
): string {
  const place = `${file}:${range.start.line}`
  return isUrl(file) ? renderCode(place) : renderLink(place, toBlobUrl(feedback.webUrl, feedback.headSha, file, range.start.line))
}

/** What is wrong, and what to do: `Unexpected field … Did you mean …?` */
export function renderProblem({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>): string {
  if (hint === undefined) return renderMessage(message)
  const way = toOneLine(hint)
  return `${renderMessage(message)}. ${renderMessage(way.charAt(0).toUpperCase() + way.slice(1))}`
}
