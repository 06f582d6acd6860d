import { toHeadingId } from '../search/packed-index.ts'

/** The most characters of a page that one call returns. */
const excerptLength = 20_000

interface PageExcerpt {
  readonly text: string
  /** Where the rest of the page begins; `undefined` at its end. */
  readonly next: number | undefined
}

/** Cuts a page at the end of a line. `offset` is in UTF-16 units. */
export function cutPage(markdown: string, offset: number, length = excerptLength): PageExcerpt {
  if (markdown.length - offset <= length) return { text: markdown.slice(offset), next: undefined }
  const line = markdown.lastIndexOf('\n', offset + length - 1)
  // A single line can be longer than an excerpt. Do not cut a pair of surrogates.
  const isPair = /[\ud800-\udbff]/.test(markdown[offset + length - 1] ?? '')
  const end = line > offset ? line + 1 : offset + length - (isPair ? 1 : 0)
  return { text: markdown.slice(offset, end), next: end }
}

/** Removes where all pages are listed, which the tools replace. The instructions of the authors stay. See `src/site/page/agent-note.ts`. */
export function withoutIndexNote(markdown: string): string {
  return markdown.replace(/^> ## Documentation Index\n> [^\n]*\n(?:>\n|\n)/, '')
}

/** Returns a section of a page with its subsections; `undefined` if no heading has this anchor. */
export function findSection(markdown: string, anchor: string): string | undefined {
  const lines = markdown.split('\n')
  let fence: string | undefined
  let start = -1
  let depth = 0
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const [, marks = '', heading = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? []
    if (marks === '') continue
    if (start !== -1 && marks.length <= depth) return lines.slice(start, index).join('\n')
    if (start === -1 && toAnchor(heading) === anchor) {
      start = index
      depth = marks.length
    }
  }
  return start === -1 ? undefined : lines.slice(start).join('\n')
}

function toAnchor(heading: string): string {
  const plain = heading.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return toHeadingId(plain.trim())
}
