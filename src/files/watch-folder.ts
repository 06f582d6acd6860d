import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

export interface FolderWatch {
  close(): void
}

/** Folders that hold no part of a documentation and very many files. */
const foldersLeftOut = new Set(['.git', 'node_modules'])

/** How long nothing more has to happen before changes are told: editors write a file in several steps. */
const quietMs = 40

/**
 * Tells which paths below an absolute folder change (relative to it, with `/`), some milliseconds after the last of them did. A path
 * may be told
 * that did not change, and one whose change could not be watched for is told by nobody.
 *
 * One watch for each folder on Linux: the recursive one of Node makes one for each file there. Links are not followed.
 */
export function watchFolder(root: string, onChange: (paths: readonly string[]) => void): FolderWatch {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const note = (path: string) => {
    const inside = relative(root, path).split(sep)
    if (inside.some((name) => foldersLeftOut.has(name))) return
    changed.add(inside.join('/'))
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changed].sort()
      changed.clear()
      onChange(paths)
    }, quietMs)
  }
  const isRecursive = process.platform === 'darwin' || process.platform === 'win32'
  const watches = isRecursive ? watchAtOnce(root, note) : watchEachFolder(root, note)
  return {
    close() {
      clearTimeout(timer)
      watches.close()
    },
  }
}

function watchAtOnce(root: string, note: (path: string) => void): FolderWatch {
  const watcher = watch(root, { recursive: true }, (_event, name) => note(join(root, name ?? '')))
  watcher.on('error', ignore)
  return watcher
}

function watchEachFolder(root: string, note: (path: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const add = (folder: string) => {
    if (!isFolder(folder)) return
    try {
      const watcher = watch(folder, (event, name) => {
        const path = join(folder, name ?? '')
        if (event === 'rename') renew(path)
        note(path)
      })
      watcher.on('error', ignore)
      watchers.set(folder, watcher)
    } catch {
      return // The system has no more watches to give.
    }
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !foldersLeftOut.has(entry.name)) add(join(folder, entry.name))
  }
  /** A folder that came, went, or went and came: the watch of one that is gone hears nothing of its successor. */
  const renew = (path: string) => {
    for (const [folder, watcher] of watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue
      watcher.close()
      watchers.delete(folder)
    }
    if (path !== root && !foldersLeftOut.has(basename(path))) add(path)
  }
  add(root)
  return {
    close() {
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function ignore(): void {}
