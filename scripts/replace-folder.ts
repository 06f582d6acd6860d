import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes a folder equal to another one. Equal files are not touched and the others are replaced atomically, so that a concurrent
 * reader, such as a test of the last build, never sees a partial file.
 */
export function replaceFolder(from: string, to: string): void {
  const wanted = listFiles(from)
  for (const name of wanted) {
    const [source, target] = [join(from, name), join(to, name)]
    if (existsSync(target) && readFileSync(source).equals(readFileSync(target))) continue
    mkdirSync(dirname(target), { recursive: true })
    // Beside the target, because a rename does not work across disks.
    const waiting = `${target}.${process.pid}.new`
    copyFileSync(source, waiting)
    renameSync(waiting, target)
  }
  for (const name of listFiles(to).filter((candidate) => !wanted.includes(candidate))) rmSync(join(to, name), { force: true })
}

/** The paths of all files in a folder. */
export function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
}
