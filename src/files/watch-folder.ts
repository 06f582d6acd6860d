import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

interface FolderWatch {
  close(): void
}

/** Folders with very many files and no documentation. */
const ignoredFolders = new Set(['.git', 'node_modules'])

/** How long to wait for further changes before reporting: editors write a file in several steps. */
const quietMs = 40

/**
 * Reports changed paths below an absolute folder (relative to it, with `/`), some milliseconds after the last change. May report
 * a path that did not change. Changes that cannot be watched are not reported.
 *
 * Uses one watch per folder on Linux, where Node's recursive watch needs one per file. Does not follow links.
 */
export function watchFolder(root: string, onChange: (paths: readonly string[]) => void): FolderWatch {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const note = (path: string) => {
    const inside = relative(root, path).split(sep)
    if (inside.some((name) => ignoredFolders.has(name))) return
    changed.add(inside.join('/'))
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...changed].sort()
      changed.clear()
      onChange(paths)
    }, quietMs)
  }
  const isRecursive = process.platform === 'darwin' || process.platform === 'win32'
  const watches = isRecursive ? watchRecursively(root, note) : watchEachFolder(root, note)
  return {
    close() {
      clearTimeout(timer)
      watches.close()
    },
  }
}

function watchRecursively(root: string, note: (path: string) => void): FolderWatch {
  const watcher = watch(root, { recursive: true }, (_event, name) => note(join(root, name ?? '')))
  watcher.on('error', ignore)
  return watcher
}

function watchEachFolder(root: string, note: (path: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const add = (folder: string, isNew: boolean) => {
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
      return // The system has no more watches available.
    }
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) {
        // It may have been written before the watch began.
        if (isNew) note(path)
      } else if (!ignoredFolders.has(entry.name)) add(path, isNew)
    }
  }
  /** Renews the watch of a folder that was created, removed or replaced: a watch does not survive its folder. */
  const renew = (path: string) => {
    for (const [folder, watcher] of watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue
      watcher.close()
      watchers.delete(folder)
    }
    if (path !== root && !ignoredFolders.has(basename(path))) add(path, true)
  }
  add(root, false)
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
