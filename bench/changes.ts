import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { makeLargeDocument } from './large-document.ts'
import { type Command, type Group, runGroup, tableHead } from './measure.ts'

// Compares `changes` with `check` of the new version, and with reading both versions, which is the least that a comparison needs.

const help = `npm run bench -- changes [--runs N] [--only WORD]

  --runs N     counted runs of each command (default 9, after one warm-up)
  --only WORD  only groups with WORD in their name

Prints a Markdown table. Ratios compare with the first command of each group.`

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

/** The version before that of `realPackages`, with 638 changes. */
const previousPackages = { '@octokit/openapi': '22.0.0' } as const

const bin = join(import.meta.dirname, '../bin/openapi-pages.cjs')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))

function toGroup(name: string, base: string, revision: string): Group {
  const files = JSON.stringify([base, revision])
  const commands: [Command, ...Command[]] = [
    { label: '`check`', args: [bin, 'check', revision] },
    { label: '`changes`', args: [bin, 'changes', base, revision, '--format', 'json'] },
    {
      label: 'node + read + `JSON.parse`, both',
      args: ['-e', `globalThis.all = ${files}.map((file) => JSON.parse(require('node:fs').readFileSync(file, 'utf8')))`],
    },
  ]
  return { name, commands }
}

function write(name: string, text: string): string {
  writeFileSync(join(work, name), text)
  return name
}

function copyGithub(name: string, modules: string): string {
  return write(name, readFileSync(join(modules, '@octokit/openapi/generated/api.github.com.json'), 'utf8'))
}

try {
  const small = makeLargeDocument(3)
  const groups = [
    toGroup(
      'GitHub, 638 changes',
      copyGithub('previous.json', installPackages('changes', previousPackages)),
      copyGithub('current.json', installPackages('real', realPackages)),
    ),
    toGroup(
      '3 operations, 3 changes',
      write('small-base.json', small),
      write('small.json', small.replaceAll('"draft"', '"new"')),
    ),
  ]
  for (const line of tableHead) console.log(line)
  for (const group of groups.filter(({ name }) => !values.only || name.includes(values.only)))
    for (const row of runGroup(group, { runs: Number(values.runs), work })) console.log(row)
} finally {
  rmSync(work, { recursive: true, force: true })
}
