import { toVisibleText } from '../../status/update-record.ts'

/** Prints rows in columns; the first row is the head. Text of strangers cannot move the cursor. */
export function printRows(rows: readonly (readonly string[])[]): void {
  const shown = rows.map((row) => row.map(toVisibleText))
  const widths = (shown[0] ?? []).map((_cell, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)))
  for (const row of shown)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
