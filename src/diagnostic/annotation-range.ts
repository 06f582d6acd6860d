import type { Range } from '../text/position.ts'

/** Lines, and columns where GitHub takes them. */
export interface AnnotationRange {
  readonly startLine: number
  readonly endLine: number
  readonly columns: { readonly start: number; readonly end: number } | undefined
}

/**
 * A range as GitHub shows one beside a file. Columns are given only where it begins and ends on one line: GitHub refuses them, or drops the
 * annotation, otherwise. An end at the first column of a line belongs to the line before, as ends are exclusive.
 *
 * Source: GitHub REST, "Create a check run", `annotations`.
 */
export function toAnnotationRange({ start, end }: Range): AnnotationRange {
  const endLine = Math.max(start.line, end.column <= 1 ? end.line - 1 : end.line)
  const isOneLine = endLine === start.line && end.line === start.line
  return {
    startLine: start.line,
    endLine,
    columns: isOneLine ? { start: start.column, end: Math.max(start.column, end.column) } : undefined,
  }
}
