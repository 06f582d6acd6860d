import { structuredPatch } from 'diff'
import { formatCount } from '../diagnostic/diagnostic.ts'
import type { Palette } from '../diagnostic/format-text.ts'
import { escapeText } from '../text/escape-text.ts'
import type { FileChange } from '../text/file-change.ts'

/** A change of one file as a diff that people know, with `path` as its name. Every line of the file is escaped. */
export function formatDiff(change: FileChange, path: string, palette: Palette): string {
  const before = change.kind === 'add' ? '' : change.before
  const after = change.kind === 'delete' ? '' : change.content
  const name = escapeText(path)
  // Bounded, as the best diff of two long texts that share little takes minutes.
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context: 3, maxEditLength: 3_000 })
  const header = [
    palette.strong(`--- ${change.kind === 'add' ? '/dev/null' : `a/${name}`}`),
    palette.strong(`+++ ${change.kind === 'delete' ? '/dev/null' : `b/${name}`}`),
  ]
  if (!patch) {
    const lines = (text: string) => formatCount(text.split('\n').length - 1, 'line')
    return `${[...header, `too different to show: ${lines(before)} become ${lines(after)}`].join('\n')}\n`
  }
  const hunks = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    palette.info(`@@ -${toStart(oldStart, oldLines)},${oldLines} +${toStart(newStart, newLines)},${newLines} @@`),
    ...lines.map((line) => formatLine(line, palette)),
  ])
  return `${[...header, ...hunks].join('\n')}\n`
}

/** A hunk without lines on one side names the line before it there. */
function toStart(start: number, lines: number): number {
  return lines === 0 ? start - 1 : start
}

function formatLine(line: string, palette: Palette): string {
  const sign = line.slice(0, 1)
  const text = `${sign}${escapeText(line.slice(1).replace(/\r$/, '').replaceAll('\t', '    '))}`
  return sign === '+' ? palette.success(text) : sign === '-' ? palette.error(text) : text
}
