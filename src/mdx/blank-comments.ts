/** What begins a block of code, a span of code, or a comment of HTML. */
const opening = /^[ \t]*(`{3,}|~{3,})|`+|<!--/gm

/**
 * Blanks the comments of HTML that stand outside of code: MDX has none, and pages that came from Markdown have them. All else stays where it stands.
 *
 * Looks at each part of the text once, however little of it is closed.
 */
export function blankComments(text: string): string {
  if (!text.includes('<!--')) return text
  let blanked = ''
  let from = 0
  opening.lastIndex = 0
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const start = opening.lastIndex
    if (found[0] === '<!--') {
      const end = text.indexOf('-->', start)
      if (end === -1) break
      blanked += text.slice(from, found.index) + text.slice(found.index, end + 3).replace(/[^\r\n]/g, ' ')
      from = end + 3
      opening.lastIndex = from
    } else {
      const end = found[1] === undefined ? endOfSpan(text, start, found[0].length) : endOfBlock(text, start, found[1])
      if (end === undefined) break
      opening.lastIndex = end
    }
  }
  return blanked + text.slice(from)
}

/** Behind the same number of backticks; where there are others first, they may begin a span of their own. */
function endOfSpan(text: string, start: number, length: number): number {
  const next = text.indexOf('`', start)
  if (next === -1) return start
  let end = next
  while (text[end] === '`') end++
  return end - next === length ? end : start
}

/** A line that can close a block of code. */
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/gm

/** Behind the line that closes it; a block that is not closed ends with the page. */
function endOfBlock(text: string, start: number, fence: string): number | undefined {
  closing.lastIndex = start
  for (let found = closing.exec(text); found; found = closing.exec(text)) {
    if (found[1]?.startsWith(fence)) return closing.lastIndex
  }
  return undefined
}
