import { structuredPatch } from 'diff'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { UpdateFormatOptions } from './format-update.ts'

/** The tree lists every file, but only this many diffs are shown. */
const shownDiffs = 20

/** Formats the planned file changes as a tree and one diff per file. Empty without changes. */
export function formatPlan(
  changes: readonly FileChange[],
  { palette, toShown, all }: Omit<UpdateFormatOptions, 'isWritten'>,
): string {
  if (changes.length === 0) return ''
  const tree = formatTree(
    changes.map(({ path, kind }) => ({ path: toShown(path), kind })),
    palette,
  )
  // Modified files are more interesting than new ones if not all diffs fit.
  const order = { modify: 0, delete: 1, add: 2 } as const
  const inOrder = changes.toSorted((a, b) => order[a.kind] - order[b.kind])
  const shown = all ? inOrder : inOrder.slice(0, shownDiffs)
  const diffs = shown.map((change) => `\n${formatDiff(change, toShown(change.path), palette)}`)
  const left = inOrder.length - shown.length
  if (left > 0) diffs.push(palette.dim(`\n… and diffs of ${formatCount(left, 'more file')} (use --all to show them)\n`))
  return `${tree}${diffs.join('')}\n`
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { readonly name: string; readonly kind: FileChange['kind'] }[]
}

const signs = { add: '+', modify: '~', delete: '−' } as const

/** Formats changed files as a tree, folders first. Paths use `/`. */
export function formatTree(
  changes: readonly { readonly path: string; readonly kind: FileChange['kind'] }[],
  palette: Palette,
): string {
  const top: Folder = { folders: new Map(), files: [] }
  for (const { path, kind } of changes) {
    const steps = path.split('/')
    const name = steps.pop() ?? ''
    let folder = top
    for (const step of steps) folder = getOrMake<string, Folder>(folder.folders, step, () => ({ folders: new Map(), files: [] }))
    folder.files.push({ name, kind })
  }
  return formatFolder(top, '', palette).join('')
}

function formatFolder({ folders, files }: Folder, indent: string, palette: Palette): string[] {
  const colors = { add: palette.success, modify: palette.warning, delete: palette.error }
  const count = folders.size + files.length
  const branch = (index: number) => palette.dim(`${indent}${index === count - 1 ? '└─ ' : '├─ '}`)
  const inner = (index: number) => `${indent}${index === count - 1 ? '   ' : '│  '}`
  const lines: string[] = []
  let index = 0
  for (const [name, folder] of folders) {
    lines.push(`${branch(index)}${escapeText(name)}/\n`, ...formatFolder(folder, inner(index), palette))
    index++
  }
  for (const { name, kind } of files) {
    lines.push(`${branch(index)}${colors[kind](`${signs[kind]} ${escapeText(name)}`)}\n`)
    index++
  }
  return lines
}

/** Formats the change of a file as a unified diff named `path`. Escapes every line of the file. */
export function formatDiff(change: FileChange, path: string, palette: Palette): string {
  const before = change.kind === 'add' ? '' : change.before
  const after = change.kind === 'delete' ? '' : change.content
  const name = escapeText(path)
  // Without a limit, the diff of two long and different texts takes minutes.
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context: 3, maxEditLength: 3_000 })
  const header = [
    palette.strong(`--- ${change.kind === 'add' ? '/dev/null' : `a/${name}`}`),
    palette.strong(`+++ ${change.kind === 'delete' ? '/dev/null' : `b/${name}`}`),
  ]
  if (!patch) {
    const lines = (text: string) => formatCount(text.split('\n').length - 1, 'line')
    return `${[...header, `too many differences to show: ${lines(before)} before, ${lines(after)} after`].join('\n')}\n`
  }
  const hunks = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    palette.info(`@@ -${toStart(oldStart, oldLines)},${oldLines} +${toStart(newStart, newLines)},${newLines} @@`),
    ...lines.map((line) => formatLine(line, palette)),
  ])
  return `${[...header, ...hunks].join('\n')}\n`
}

/** The header of a hunk without lines on one side names the line before it. */
function toStart(start: number, lines: number): number {
  return lines === 0 ? start - 1 : start
}

function formatLine(line: string, palette: Palette): string {
  const sign = line.slice(0, 1)
  const text = `${sign}${escapeText(line.slice(1).replace(/\r$/, '').replaceAll('\t', '    '))}`
  return sign === '+' ? palette.success(text) : sign === '-' ? palette.error(text) : text
}
