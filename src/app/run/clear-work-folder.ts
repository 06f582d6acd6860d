import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** No run lives so long: what is older was left by a process that was killed. */
const oldMs = 2 * 3_600_000

/** Removes what runs that were killed have left in the folder of the archives. */
export async function clearWorkFolder(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > oldMs) await rm(path, { recursive: true, force: true })
  }
}
