import { lstatSync } from 'node:fs'

/** Two changes that come closer than this may have one time. */
const settledMs = 20

/**
 * What tells, without reading it, that nobody has written a file since: its size, when it was written and changed, and which file it is. No
 * program can set the time of the change. Absent for what is no file, where a change could not be told: on disks that keep whole seconds only,
 * and for a file that has just been written.
 */
export function readStamp(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ctimeMs, ino, dev } = stats
  if (ctimeNs % 1_000_000_000n === 0n || Date.now() - Number(ctimeMs) < settledMs) return undefined
  return [size, mtimeNs, ctimeNs, ino, dev].join('-')
}
