import type { OffsetRange } from './position.ts'

/** Replaces a part of a text; an empty range inserts. */
export interface TextEdit {
  readonly offsets: OffsetRange
  readonly newText: string
}

/** Applies edits whose ranges do not overlap. All offsets are those of the given text. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let next = ''
  let from = 0
  for (const { offsets, newText } of edits.toSorted(
    (a, b) => a.offsets.start - b.offsets.start || a.offsets.end - b.offsets.end,
  )) {
    next += text.slice(from, offsets.start) + newText
    from = offsets.end
  }
  return next + text.slice(from)
}
