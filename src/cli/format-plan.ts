import { structuredPatch } from 'diff'
import { formatCount } from '../diagnostics/diagnostic.ts'
import type { Palette } from '../diagnostics/format-text.ts'
import { escapeText } from '../source/escape-text.ts'
import type { FileChange } from '../source/file-change.ts'
import type { UpdateFormatOptions } from './format-update.ts'

/** Diffs of more files than this are left out; the tree has them all. */
const shownDiffs = 20

/** Shows the files that an update would change: as a tree, and as a diff of each. `''` when there is none. */
export function formatPlan(
  changes: readonly FileChange[],
  { palette, toShown, all }: Omit<UpdateFormatOptions, 'isWritten'>,
): string {
  if (changes.length === 0) return ''
  const tree = formatTree(
    changes.map(({ path, kind }) => ({ path: toShown(path), kind })),
    palette,
  )
  // What is changed says more than what is new, so it comes first where not all is shown.
  const order = { modify: 0, delete: 1, add: 2 } as const
  const inOrder = changes.toSorted((a, b) => order[a.kind] - order[b.kind])
  const shown = all ? inOrder : inOrder.slice(0, shownDiffs)
  const diffs = shown.map((change) => `\n${formatDiff(change, toShown(change.path), palette)}`)
  const left = inOrder.length - shown.length
  if (left > 0) diffs.push(palette.dim(`\n… and the diff of ${formatCount(left, 'more file')} (--all shows them)\n`))
  return `${tree}${diffs.join('')}\n`
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { readonly name: string; readonly kind: FileChange['kind'] }[]
}

const signs = { add: '+', modify: '~', delete: '−' } as const

/** Shows changed files as a tree, folders first. Paths are separated by `/`. */
export function formatTree(
  changes: readonly { readonly path: string; readonly kind: FileChange['kind'] }[],
  palette: Palette,
): string {
  const top: Folder = { folders: new Map(), files: [] }
  for (const { path, kind } of changes) {
    const steps = path.split('/')
    const name = steps.pop() ?? ''
    let folder = top
    for (const step of steps) {
      let next = folder.folders.get(step)
      if (!next) {
        next = { folders: new Map(), files: [] }
        folder.folders.set(step, next)
      }
      folder = next
    }
    folder.files.push({ name, kind })
  }
  return formatFolder(top, '', palette).join('')
}

function formatFolder({ folders, files }: Folder, indent: string, palette: Palette): string[] {
  const colours = { add: palette.success, modify: palette.warning, delete: palette.error }
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
    lines.push(`${branch(index)}${colours[kind](`${signs[kind]} ${escapeText(name)}`)}\n`)
    index++
  }
  return lines
}

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
