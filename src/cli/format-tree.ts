import type { Palette } from '../diagnostic/format-text.ts'
import { escapeText } from '../text/escape-text.ts'
import type { FileChange } from '../text/file-change.ts'

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { readonly name: string; readonly kind: FileChange['kind'] }[]
}

const signs = { add: '+', modify: '~', delete: '−' } as const

/** Shows the files of some changes as a tree of folders; paths have `/`. Folders stand before files. */
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
