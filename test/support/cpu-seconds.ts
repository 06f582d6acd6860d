import { readFileSync } from 'node:fs'

/** CPU time of this worker, which runs one file after the other. On Linux, that of the programs that have ended is included. */
export function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + readChildSeconds()
}

function readChildSeconds(): number {
  if (process.platform !== 'linux') return 0
  // Source: proc_pid_stat(5): `cutime` and `cstime` are the 16th and 17th field, in ticks of 10 ms.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
