import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { type Command, type Group, runGroup, tableHead } from './measure.ts'
import { validatorGroups } from './validators.ts'

// Compares the command line with other tools and with a minimal Node.js program. Whole processes take turns.

const help = `npm run bench -- validation [--runs N] [--all] [--only WORD] [--documents FOLDER]

  --runs N     counted runs of each command, after one warm-up (default 7)
  --all        include \`mint openapi-check\`. This installs 1 GB into the cache
  --only WORD  only groups with WORD in their name
  --documents FOLDER
               include documents from this directory, if they exist: stripe.yaml, stripe.json, box.json, and
               digitalocean/DigitalOcean-public.v2.yaml with its files

Prints a Markdown table. Other tools are pinned and installed into a cache.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    all: { type: 'boolean' },
    only: { type: 'string' },
    documents: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const runs = Number(values.runs)
const { only, documents } = values

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin/openapi-pages.cjs')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
try {
  const real = installPackages('real', realPackages)
  const peers = installPackages('bench', { '@mintlify/scraping': '4.0.1053' })
  const github = join(real, '@octokit/openapi/generated/api.github.com.json')
  const small = join(work, 'small.json')
  writeFileSync(small, readFileSync(join(real, '@readme/oas-examples/3.0/json/petstore-simple.json')))
  const scrape = join(peers, '@mintlify/scraping/bin/cli.js')
  // Use a new directory for each run: writing where many files were just deleted is slow on some disks.
  let folders = 0
  const intoNewFolder = () => `out-${folders++}`
  // The original command resolves absolute paths below the working directory, so put the documents next to the output.
  writeFileSync(join(work, 'github.json'), readFileSync(github))
  const checkGithub: Command = { label: '**ours** `openapi-check`', args: [bin, 'openapi-check', 'github.json'] }
  const groups: Group[] = [
    ...validatorGroups({ work, bin, github: join(work, 'github.json'), small, documents: documents && resolve(documents) }),
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
  console.log(`Node ${process.versions.node}, ${cpus().length} cores, medians of ${runs} interleaved runs.\n`)
  for (const line of tableHead) console.log(line)
  for (const group of groups.filter(({ name }) => !only || name.includes(only)))
    for (const row of runGroup(group, { runs, work })) console.log(row)
} finally {
  rmSync(work, { recursive: true, force: true })
}
