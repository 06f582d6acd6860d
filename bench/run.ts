import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'

// Times our command line against its peers and against the least that any program on Node could take, interleaved, as whole processes.

const help = `npm run bench -- [--runs N] [--all] [--only WORD]

  --runs N     counted runs of each command (default 7; one more warms up)
  --all        also \`mint openapi-check\`, which installs 1 GB into the cache
  --only WORD  only the groups whose name has WORD in it

Prints a Markdown table. Peers are installed into a cache outside the tree, pinned.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    all: { type: 'boolean' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const runs = Number(values.runs)

interface Command {
  readonly label: string
  readonly args: readonly string[] | (() => readonly string[])
}

interface Measure {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly exitCode: number | null
}

interface Group {
  readonly name: string
  /** The others are shown as a multiple of `ours`. */
  readonly commands: readonly [ours: Command, ...others: Command[]]
}

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin/openapi-pages.js')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
const usageFile = join(work, 'usage')
const usageHook = join(work, 'usage-hook.cjs')
writeFileSync(
  usageHook,
  `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
require('node:fs').appendFileSync(${JSON.stringify(usageFile)}, (userCPUTime + systemCPUTime) + ' ' + maxRSS + '\\n') })`,
)

/** CPU time and memory as the processes themselves saw them at their end: children of a command add up, the largest memory counts. */
function measure(command: Command): Measure {
  const args = typeof command.args === 'function' ? command.args() : command.args
  rmSync(usageFile, { force: true })
  const startedAt = process.hrtime.bigint()
  const result = spawnSync(process.execPath, ['--require', usageHook, ...args], {
    cwd: work,
    stdio: 'ignore',
    env: { ...process.env, DO_NOT_TRACK: '1', NO_COLOR: '1', NODE_OPTIONS: '' },
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

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

function runGroup(group: Group): string[] {
  const measures = new Map<Command, Measure[]>(group.commands.map((command) => [command, []]))
  for (let run = 0; run <= runs; run++) {
    for (const command of group.commands) {
      const result = measure(command)
      if (run > 0) measures.get(command)?.push(result)
    }
  }
  const [ours] = group.commands
  const of = (command: Command, field: 'wallMs' | 'cpuMs' | 'peakMb') =>
    median((measures.get(command) ?? []).map((result) => result[field]))
  return group.commands.map((command) => {
    const exits = [...new Set((measures.get(command) ?? []).map((result) => result.exitCode))].join('/')
    const ratio = (field: 'wallMs' | 'cpuMs') => (command === ours ? '1' : (of(command, field) / of(ours, field)).toFixed(2))
    const cells = [
      group.name,
      command.label,
      of(command, 'wallMs').toFixed(0),
      of(command, 'cpuMs').toFixed(0),
      of(command, 'peakMb').toFixed(0),
    ]
    return `| ${[...cells, ratio('wallMs'), ratio('cpuMs'), exits].join(' | ')} |`
  })
}

try {
  const real = installPackages('real', realPackages)
  const peers = installPackages('bench', { '@mintlify/scraping': '4.0.1053' })
  const github = join(real, '@octokit/openapi/generated/api.github.com.json')
  const small = join(work, 'small.json')
  writeFileSync(small, readFileSync(join(real, '@readme/oas-examples/3.0/json/petstore-simple.json')))
  const scrape = join(peers, '@mintlify/scraping/bin/cli.js')
  // A folder of its own for each run: to write where many files have just been deleted is slow on some disks, for whoever comes next.
  let folders = 0
  const intoNewFolder = () => `out-${folders++}`
  // The original joins an absolute path to the working directory, so the documents lie beside the output.
  writeFileSync(join(work, 'github.json'), readFileSync(github))
  const floor = (path: string): Command => ({
    label: 'floor: node + read + `JSON.parse`',
    args: ['-e', `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`],
  })
  const checkGithub: Command = { label: '**ours** `openapi-check`', args: [bin, 'openapi-check', 'github.json'] }
  const groups: Group[] = [
    { name: 'check, GitHub 13 MB', commands: [checkGithub, floor(github)] },
    {
      name: 'check, small',
      commands: [
        { label: '**ours** `openapi-check`', args: [bin, 'openapi-check', 'small.json'] },
        { label: '`node -e 0`', args: ['-e', '0'] },
      ],
    },
    {
      name: 'openapi-file, small',
      commands: [
        {
          label: '**ours** `openapi-file`',
          args: () => [bin, 'openapi-file', 'small.json', '-o', intoNewFolder()],
        },
        {
          label: '`@mintlify/scraping` 4.0.1053',
          args: () => [scrape, 'openapi-file', 'small.json', '-o', intoNewFolder()],
        },
      ],
    },
    {
      name: 'openapi-file, GitHub 13 MB, 1,223 pages',
      commands: [
        { label: '**ours** `openapi-file`', args: () => [bin, 'openapi-file', 'github.json', '-o', intoNewFolder()] },
        {
          label: '`@mintlify/scraping` 4.0.1053',
          args: () => [scrape, 'openapi-file', 'github.json', '-o', intoNewFolder()],
        },
      ],
    },
  ]
  if (values.all) {
    const mint = join(installPackages('bench-mint', { mint: '4.2.941' }), 'mint/index.js')
    groups.push({
      name: 'check, GitHub 13 MB, `mint`',
      commands: [checkGithub, { label: '`mint` 4.2.941', args: [mint, 'openapi-check', 'github.json'] }],
    })
  }
  const { only } = values
  console.log(`Node ${process.versions.node}, ${cpus().length} cores, medians of ${runs} interleaved runs.\n`)
  console.log('| what | command | wall ms | CPU ms | peak MB | wall ÷ ours | CPU ÷ ours | exit |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const group of groups.filter(({ name }) => !only || name.includes(only)))
    for (const row of runGroup(group)) console.log(row)
} finally {
  rmSync(work, { recursive: true, force: true })
}
