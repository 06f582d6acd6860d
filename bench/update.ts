import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { type Group, runGroup, tableHead } from './measure.ts'

// Times `update` on repositories with many pages: nothing to do, from nothing, every operation renamed, and names that collide.

const help = `npm run bench -- update [--runs N] [--only WORD]

  --runs N     counted runs of each command (default 5, after one warm-up)
  --only WORD  only groups with WORD in their name

Prints a Markdown table. Ratios compare with the first command of each group.`

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

const bin = join(import.meta.dirname, '../bin/openapi-pages.cjs')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
const docsJson = `${JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }, undefined, 2)}\n`

/** A docs directory with a document, before its first update. */
function makeRoot(name: string, document: string): string {
  mkdirSync(join(work, name))
  writeFileSync(join(work, name, 'docs.json'), docsJson)
  writeFileSync(join(work, name, 'openapi.json'), document)
  return name
}

/** A second docs directory in the state after the update. */
function makeUpdated(from: string): string {
  const name = `${from}-updated`
  cpSync(join(work, from), join(work, name), { recursive: true })
  update(name)
  return name
}

function update(name: string): void {
  const { status, stdout } = spawnSync(process.execPath, [bin, 'update', name], { cwd: work, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot update ${name}: ${stdout.slice(-500)}`)
}

let copies = 0
/** Copies the directory for each run, because an update changes it. */
function copyOf(name: string, change?: (folder: string) => void): string {
  const copy = `${name}-${copies++}`
  cpSync(join(work, name), join(work, copy), { recursive: true })
  change?.(join(work, copy))
  return copy
}

/** Operations with unique summaries and tags, or all with the same. */
function makeDocument(count: number, isSame: boolean): string {
  const responses = { 200: { description: 'Fine' } }
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const names = isSame
        ? { summary: 'List', tags: ['Things'] }
        : { summary: `List of ${index}`, tags: [`Things ${index % 47}`] }
      return [`/things-${index}`, { get: { ...names, responses } }]
    }),
  )
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Bench', version: '1' }, paths })
}

/** Moves every operation to a new path without `operationId`, so that only similarity identifies it. */
function renameAll(folder: string): void {
  const path = join(folder, 'openapi.json')
  const document = JSON.parse(readFileSync(path, 'utf8'))
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([name, item]) => [`/v2${name}`, item]))
  const text = JSON.stringify(document).replace(/"operationId":"[^"]*",?/g, '')
  writeFileSync(path, text)
}

try {
  const real = installPackages('real', realPackages)
  const github = makeRoot('github', readFileSync(join(real, '@octokit/openapi/generated/api.github.com.json'), 'utf8'))
  const updated = makeUpdated(github)
  const sizes = [1, 4, 16].map((factor) => {
    const root = makeRoot(`times-${factor}`, makeDocument(1_223 * factor, false))
    return { label: `${factor} × 1,223 pages`, root, updated: makeUpdated(root) }
  })
  const same = [2_500, 10_000].map((count) => {
    const root = makeRoot(`same-${count}`, makeDocument(count, true))
    return { label: `${count.toLocaleString('en-US')} names that collide`, root, updated: makeUpdated(root) }
  })
  const loseLock = (folder: string) => {
    rmSync(join(folder, 'openapi-pages.lock.json'))
    writeFileSync(join(folder, 'docs.json'), docsJson)
  }
  const toCommands = (
    list: typeof sizes,
    argsOf: (entry: (typeof sizes)[number]) => () => readonly string[],
  ): Group['commands'] => {
    const [first, ...others] = list.map((entry) => ({ label: entry.label, args: argsOf(entry) }))
    if (!first) throw new Error('Missing commands')
    return [first, ...others]
  }
  const groups: Group[] = [
    {
      name: 'GitHub 13 MB, 1,223 pages',
      commands: [
        { label: '`check openapi.json`', args: [bin, 'check', join(updated, 'openapi.json')] },
        { label: '`update`, nothing to do', args: [bin, 'update', updated] },
        { label: '`update` from nothing', args: () => [bin, 'update', copyOf(github)] },
        { label: '`update`, every operation renamed', args: () => [bin, 'update', copyOf(updated, renameAll)] },
      ],
    },
    {
      name: 'update, from nothing',
      commands: toCommands(sizes, ({ root }) => () => [bin, 'update', copyOf(root)]),
    },
    { name: 'update, nothing to do', commands: toCommands(sizes, (entry) => () => [bin, 'update', entry.updated]) },
    {
      name: 'update, every operation renamed',
      commands: toCommands(sizes, (entry) => () => [bin, 'update', copyOf(entry.updated, renameAll)]),
    },
    {
      name: 'collisions, from nothing',
      commands: toCommands(same, ({ root }) => () => [bin, 'update', copyOf(root)]),
    },
    { name: 'collisions, nothing to do', commands: toCommands(same, (entry) => () => [bin, 'update', entry.updated]) },
    {
      name: 'collisions, lock file lost',
      commands: toCommands(same, (entry) => () => [bin, 'update', copyOf(entry.updated, loseLock)]),
    },
  ]
  for (const line of tableHead) console.log(line)
  for (const group of groups.filter(({ name }) => !values.only || name.includes(values.only)))
    for (const row of runGroup(group, { runs: Number(values.runs), work })) console.log(row)
} finally {
  rmSync(work, { recursive: true, force: true })
}
