/** A part of a text that can be shortened by leaving rows out. */
export interface Section {
  /** Lines before the rows; kept when the section is shown at all. */
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** Lines after the rows. */
  readonly tail: readonly string[]
  /** The line that says how many rows are not shown. */
  readonly rest: (hiddenCount: number) => string
  /** The most rows that are shown even where more would fit. */
  readonly rowLimit: number
}

/**
 * Puts sections under each other so that the whole stays within a number of UTF-8 bytes.
 *
 * Rows are left out from the end of the later sections first, always whole, with a line that says how many. Bytes are counted, not
 * characters: a limit that GitHub states in characters is kept either way.
 */
export function fitSections(sections: readonly Section[], limitBytes: number): string {
  const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const fixed = sections.map((section) => {
    return sizeOf(section.head) + sizeOf(section.tail) + sizeOf([section.rest(section.rows.length)]) + 1
  })
  let left = limitBytes - fixed.reduce((sum, size) => sum + size, 0)
  const parts = sections.map((section) => {
    const shown: string[] = []
    for (const row of section.rows.slice(0, section.rowLimit)) {
      const size = Buffer.byteLength(row) + 1
      if (size > left) break
      left -= size
      shown.push(row)
    }
    const hidden = section.rows.length - shown.length
    return [...section.head, ...shown, ...(hidden > 0 ? [section.rest(hidden)] : []), ...section.tail].join('\n')
  })
  return parts.join('\n\n')
}
