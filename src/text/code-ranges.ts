import type { OffsetRange } from './position.ts'

/** The start of a line, before the fence of a code block. */
export const beforeFence = /^[ \t>]*(?:[-+*][ \t]+|\d+[.)][ \t]+)?$/

const marks = /`+|~{3,}|\${2,}|<!--|\{\/\*/g

/** Lists code blocks, code spans, blocks with a formula and comments in the order of the text. Reads the text once, without parsing it. */
export function listCodeRanges(text: string): OffsetRange[] {
  const ranges: OffsetRange[] = []
  marks.lastIndex = 0
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found
    const start = found.index
    const end = findMarkEnd(text, start, mark)
    if (end === undefined) return [...ranges, { start, end: text.length }]
    if (end > start + mark.length) ranges.push({ start, end })
    marks.lastIndex = end
  }
  return ranges
}

/** Returns a function that finds whether an offset is in one of the ranges. Offsets must not decrease. */
export function createRangeSearch(ranges: readonly OffsetRange[]): (offset: number) => boolean {
  let index = 0
  return (offset) => {
    while ((ranges[index]?.end ?? Number.POSITIVE_INFINITY) <= offset) index++
    return (ranges[index]?.start ?? Number.POSITIVE_INFINITY) <= offset
  }
}

/** The end of what a mark opens, or of the mark itself if it opens nothing; `undefined` if it is open until the end of the text. */
function findMarkEnd(text: string, start: number, mark: string): number | undefined {
  const end = start + mark.length
  if (mark === '<!--' || mark === '{/*') {
    const close = mark === '<!--' ? '-->' : '*/'
    const at = text.indexOf(close, end)
    return at === -1 ? undefined : at + close.length
  }
  const isFence =
    (mark.length >= 3 || mark === '$$') && beforeFence.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))
  if (isFence) {
    const close = findFenceEnd(text, end, mark)
    if (close === undefined || close > end) return close
  }
  return mark.startsWith('`') ? findSpanEnd(text, end, mark) : end
}

/** Finds the end of a block of code or a formula. */
export function findFenceEnd(text: string, start: number, fence: string): number | undefined {
  const lineEnd = text.indexOf('\n', start)
  const rest = text.slice(start, lineEnd === -1 ? text.length : lineEnd)
  // Code or a formula within a line.
  if (!fence.startsWith('~') && rest.includes(fence.charAt(0))) return start
  const closing = /^[ \t>]*(`{3,}|~{3,}|\${2,})[ \t]*\r?$/gm
  closing.lastIndex = start
  for (let found = closing.exec(text); found; found = closing.exec(text)) {
    if (found[1]?.startsWith(fence)) return closing.lastIndex
  }
  return undefined
}

/** Finds the end of a code span, which is in the same paragraph. The code can contain more or fewer backticks. */
export function findSpanEnd(text: string, start: number, ticks: string): number {
  let from = start
  for (let next = text.indexOf('`', from); next !== -1; next = text.indexOf('`', from)) {
    if (/\n[ \t\r]*\n/.test(text.slice(from, next))) break
    from = next
    while (text[from] === '`') from++
    if (from - next === ticks.length) return from
  }
  return start
}

/**
 * Whether a text certainly contains a formula with single dollars: one with a command or a power. In most texts, a dollar is a
 * currency or a shell variable. Hosts read every pair of dollars as a formula, so pages with formulas already escape currency as
 * `\$5`.
 */
export function hasDollarFormula(text: string): boolean {
  // A lookahead stops at the next dollar, so each character is read once.
  for (const [, inside = ''] of text.matchAll(/(?<![\\$])\$(?![\s$])(?=([^$\n]+)\$(?!\$))/g)) {
    if (/\\[A-Za-z]|\^/.test(inside)) return true
  }
  return false
}
