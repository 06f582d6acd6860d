import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Loaded into a process by `--import`: the disk with the folder FULL_DISK has only FULL_DISK_BYTES left. Limiting a real disk needs root.
const folder = process.env.FULL_DISK
let left = Number(process.env.FULL_DISK_BYTES)
const { writeFileSync } = fs
fs.writeFileSync = (file, data, options) => {
  if (typeof file !== 'string' || !file.startsWith(folder)) return writeFileSync(file, data, options)
  const bytes = Buffer.from(data)
  // As on a real disk, what fits is written.
  writeFileSync(file, bytes.subarray(0, left), options)
  left -= bytes.length
  if (left >= 0) return
  const error = new Error('ENOSPC: no space left on device, write')
  throw Object.assign(error, { errno: -28, code: 'ENOSPC', syscall: 'write' })
}
syncBuiltinESMExports()
