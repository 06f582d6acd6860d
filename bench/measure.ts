import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program with its arguments, run as `node <args>`. */
export interface Command {
  readonly label: string
  /** A function if each run needs different arguments, such as a new output directory. */
  readonly args: readonly string[] | (() => readonly string[])
  /** Working directory. Defaults to the directory of the benchmark. */
  readonly folder?: string
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface Group {
  readonly name: string
  /** The results of the other commands are shown as multiples of `ours`. */
  readonly commands: readonly [ours: Command, ...others: Command[]]
}

export interface Measure {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly exitCode: number | null
  /** Output on stderr. */
  readonly stderr: string
}

/** Header of the table for the rows of `runGroup`. */
export const tableHead = [
  '| what | command | wall ms | CPU ms (lowest–highest) | peak MB | wall ÷ ours | CPU ÷ ours | MB ÷ ours | exit |',
  '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
]

/**
 * Times the commands of a group in turn, so that a change of the machine's load affects all of them. Returns a row of medians for each, and the
 * spread of the CPU time. With several runs, one more is a warm-up.
 */
export function runGroup(group: Group, { runs, work }: { readonly runs: number; readonly work: string }): string[] {
  const measures = new Map<Command, Measure[]>(group.commands.map((command) => [command, []]))
  for (let run = runs > 1 ? 0 : 1; run <= runs; run++) {
    for (const command of group.commands) {
      const result = measure(command, work)
      if (run > 0) measures.get(command)?.push(result)
    }
  }
  const [ours] = group.commands
  const of = (command: Command, field: 'wallMs' | 'cpuMs' | 'peakMb') =>
    median((measures.get(command) ?? []).map((result) => result[field]))
  return group.commands.map((command) => {
    const exits = [...new Set((measures.get(command) ?? []).map((result) => result.exitCode))].join('/')
    const fields = ['wallMs', 'cpuMs', 'peakMb'] as const
    const ratios = fields.map((field) => (command === ours ? '1' : (of(command, field) / of(ours, field)).toFixed(2)))
    const cpu = (measures.get(command) ?? []).map(({ cpuMs }) => cpuMs)
    const spread = `${Math.min(...cpu).toFixed(0)}–${Math.max(...cpu).toFixed(0)}`
    const [wall = '', cpuMs = '', peak = ''] = fields.map((field) => of(command, field).toFixed(0))
    const cells = [group.name, command.label, wall, `${cpuMs} (${spread})`, peak, ...ratios, exits]
    return `| ${cells.join(' | ')} |`
  })
}

/**
 * CPU time and memory that the processes measured at their end: the sum of the CPU times and the maximum of the memory. Other child processes
 * are included if the system reports their time.
 */
export function measure(command: Command, work: string): Measure {
  const usageFile = join(work, 'usage')
  const args = typeof command.args === 'function' ? command.args() : command.args
  rmSync(usageFile, { force: true })
  const before = childrenMs()
  const startedAt = process.hrtime.bigint()
  const result = spawnSync(process.execPath, ['--require', writeUsageHook(work, usageFile), ...args], {
    cwd: command.folder ?? work,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: {
      ...process.env,
      NO_COLOR: '1',
      NODE_OPTIONS: '',
      // Disable telemetry and update checks of other tools.
      DO_NOT_TRACK: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      NO_UPDATE_NOTIFIER: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
      ...command.environment,
    },
  })
  const wallMs = Number(process.hrtime.bigint() - startedAt) / 1e6
  const usage = readFileSync(usageFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
  const nodeMs = usage.reduce((sum, [cpu = 0]) => sum + cpu, 0) / 1e3
  // The system counts ticks of 10 ms, so the value of the process is more precise for small commands.
  const cpuMs = Math.max(nodeMs, childrenMs() - before - 20)
  const peakMb = Math.max(...usage.map(([, rss = 0]) => rss)) / 1024
  return { wallMs, cpuMs, peakMb, exitCode: result.status, stderr: result.stderr }
}

/** CPU time of all child processes that have ended, or 0 if the system does not report it. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  // Source: proc_pid_stat(5): `cutime` and `cstime` are the 16th and 17th field, in ticks of 10 ms.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function writeUsageHook(work: string, usageFile: string): string {
  const path = join(work, 'usage-hook.cjs')
  writeFileSync(
    path,
    `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
require('node:fs').appendFileSync(${JSON.stringify(usageFile)}, (userCPUTime + systemCPUTime) + ' ' + maxRSS + '\\n') })`,
  )
  return path
}

/** Returns NaN for an empty list. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
