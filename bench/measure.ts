import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One program with its arguments, as `node <args>`. */
export interface Command {
  readonly label: string
  /** A function where each run has its own, such as a new folder to write to. */
  readonly args: readonly string[] | (() => readonly string[])
}

export interface Group {
  readonly name: string
  /** The others are shown as a multiple of `ours`. */
  readonly commands: readonly [ours: Command, ...others: Command[]]
}

interface Measure {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly exitCode: number | null
}

/** The head of the table that the rows of `runGroup` belong to. */
export const tableHead = [
  '| what | command | wall ms | CPU ms | peak MB | wall ÷ ours | CPU ÷ ours | MB ÷ ours | exit |',
  '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
]

/** Times the commands of a group in turn, so that a change of the machine's load meets all of them; one row each, medians. */
export function runGroup(group: Group, { runs, work }: { readonly runs: number; readonly work: string }): string[] {
  const measures = new Map<Command, Measure[]>(group.commands.map((command) => [command, []]))
  for (let run = 0; run <= runs; run++) {
    for (const command of group.commands) {
      const result = measure(command, work)
      // The first warms up.
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
    const cells = [group.name, command.label, ...fields.map((field) => of(command, field).toFixed(0)), ...ratios, exits]
    return `| ${cells.join(' | ')} |`
  })
}

/** CPU time and memory as the processes themselves saw them at their end: children of a command add up, the largest memory counts. */
function measure(command: Command, work: string): Measure {
  const usageFile = join(work, 'usage')
  const args = typeof command.args === 'function' ? command.args() : command.args
  rmSync(usageFile, { force: true })
  const startedAt = process.hrtime.bigint()
  const result = spawnSync(process.execPath, ['--require', writeUsageHook(work, usageFile), ...args], {
    cwd: work,
    stdio: 'ignore',
    env: {
      ...process.env,
      NO_COLOR: '1',
      NODE_OPTIONS: '',
      // No peer reports home or looks for a newer one of itself.
      DO_NOT_TRACK: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      NO_UPDATE_NOTIFIER: '1',
    },
  })
  const wallMs = Number(process.hrtime.bigint() - startedAt) / 1e6
  const usage = readFileSync(usageFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
  const cpuMs = usage.reduce((sum, [cpu = 0]) => sum + cpu, 0) / 1e3
  const peakMb = Math.max(...usage.map(([, rss = 0]) => rss)) / 1024
  return { wallMs, cpuMs, peakMb, exitCode: result.status }
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

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
