import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Loaded into a process by `--import`: sends it SIGNAL when it is about to change a path that starts with SIGNAL_PATH, the first time or
// after SIGNAL_AT others.
const { SIGNAL, SIGNAL_AT, SIGNAL_PATH } = process.env
let left = Number(SIGNAL_AT)
const changing = [
  'chmodSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'rmdirSync',
  'rmSync',
  'unlinkSync',
  'writeFileSync',
]
for (const name of changing) {
  const change = fs[name]
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith(SIGNAL_PATH) && left-- === 0) {
      fs.writeSync(1, SIGNAL)
      process.kill(process.pid, SIGNAL)
      if (SIGNAL === 'SIGKILL') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
    return change(path, ...rest)
  }
}
syncBuiltinESMExports()
