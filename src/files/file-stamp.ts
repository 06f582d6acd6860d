import { lstatSync } from 'node:fs'

/** Two changes within this time may have the same timestamp. */
const settledMs = 20

/**
 * A stamp that changes whenever a file is written: its size, times and inode (no program can set the time of the inode's change).
 *
 * Undefined if a change could go unnoticed: for anything but a file, on disks with times in whole seconds, and for a file that
 * was just written.
 */
export function readStamp(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ctimeMs, ino, dev } = stats
  if (ctimeNs % 1_000_000_000n === 0n || Date.now() - Number(ctimeMs) < settledMs) return undefined
  return [size, mtimeNs, ctimeNs, ino, dev].join('-')
}
