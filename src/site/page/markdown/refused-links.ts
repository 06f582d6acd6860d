import { lazy } from '../../../text/plain/lists.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { createRangeSearch, listCodeRanges } from '../../../text/plain/scan-markdown.ts'

/** What makes a link in Markdown and in its HTML, with the URL: the end of a label, an autolink, an attribute. What is escaped makes none. */
const links =
  /\](?<=(?<!\\)(?:\\\\)*\])(?:\(\s*|:[ \t]*)<?([^\s<>]+)|<(?<=(?<!\\)(?:\\\\)*<)([a-z][a-z0-9+.-]*:[^\s<>]*)>|\b(?:href|src|srcset|poster|action|data)\s*=\s*["']?([^"'>]*)/gi

/** Makes links that `isAllowedUrl` refuses to text. Descriptions of an OpenAPI document are in its Markdown files as they are written. */
export function withoutRefusedLinks(markdown: string): string {
  // Only these marks are code in all Markdown. Few texts have a link that is refused.
  const isCode = lazy(() =>
    createRangeSearch(listCodeRanges(markdown).filter(({ start }) => /[`~]/.test(markdown.charAt(start)))),
  )
  return markdown.replace(links, (whole, ...parts: unknown[]) => {
    const [target, address, value, offset] = parts
    if (isKept(String(target ?? address ?? value)) || isCode()(Number(offset))) return whole
    // A destination in angle brackets would be a link of its own.
    const text = whole.replace(/\\.|</gs, (mark) => (mark === '<' ? '&lt;' : mark))
    return value === undefined ? text.replace(']', '&#93;') : text.replace('=', '&#61;')
  })
}

/** As readers of Markdown see a URL: without backslashes before punctuation. Character references can be anything. */
function isKept(written: string): boolean {
  const url = written.replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return !/^[^/?#]*&/.test(url) && (isAllowedUrl(url, 'link') || isAllowedUrl(url, 'media'))
}
