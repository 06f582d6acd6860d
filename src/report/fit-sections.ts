import { formatCount } from '../diagnostic/diagnostic.ts'

/** A part of a text that can be shortened by leaving rows out. */
export interface Section {
  /** Lines before the rows; kept when the section is shown at all. */
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** How many rows there are beside these, which are not shown even where they would fit. */
  readonly moreRows: number
  /** Lines after the rows. */
  readonly tail: readonly string[]
  /** The line that says how many rows are not shown. */
  readonly rest: (hiddenCount: number) => string
}

/** Makes the rows of a section, of which there are at most `limit`; of thousands of values only so many are rendered. */
export function toRows<Value>(
  values: readonly Value[],
  limit: number,
  render: (value: Value) => string,
): Pick<Section, 'rows' | 'moreRows'> {
  return { rows: values.slice(0, limit).map(render), moreRows: Math.max(0, values.length - limit) }
}

/** A section that is shown whole or not at all. */
export function toSection(...lines: readonly string[]): Section {
  return { head: lines, rows: [], moreRows: 0, tail: [], rest: () => '' }
}

/**
 * Puts sections under each other so that the whole stays within a number of UTF-8 bytes.
 *
 * Rows are left out from the end of the later sections first, always whole, with a line that says how many; where even the heads
 * are too much, whole sections from the end, with a line that counts them. Bytes are counted, not characters: a limit that GitHub states
 * in characters is kept either way.
 */
export function fitSections(sections: readonly Section[], limitBytes: number): string {
  const fixed = sections.map(sizeOfFixed)
  let left = limitBytes - fixed.reduce((sum, size) => sum + size, 0)
  let shownCount = sections.length
  if (left < 0) left -= sizeOf([sayDropped(sections.length)]) + 1
  for (; left < 0 && shownCount > 0; shownCount--) left += fixed[shownCount - 1] ?? 0
  const parts = sections.slice(0, shownCount).map((section) => {
    const shown: string[] = []
    for (const row of section.rows) {
      const size = sizeOf([row])
      if (size > left) break
      left -= size
      shown.push(row)
    }
    const hidden = section.rows.length + section.moreRows - shown.length
    return [...section.head, ...shown, ...(hidden > 0 ? [section.rest(hidden)] : []), ...section.tail].join('\n')
  })
  if (shownCount < sections.length) parts.push(sayDropped(sections.length - shownCount))
  return parts.join('\n\n')
}

/** What a section needs without its rows, with the blank line after it. */
function sizeOfFixed({ head, tail, rows, moreRows, rest }: Section): number {
  const rowCount = rows.length + moreRows
  return sizeOf(head) + sizeOf(tail) + (rowCount === 0 ? 0 : sizeOf([rest(rowCount)])) + 1
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

function sayDropped(count: number): string {
  return `… and ${formatCount(count, 'more section')}, for which there is no room`
}
