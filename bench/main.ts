import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from '../scripts/build-stamp.ts'

// Runs one benchmark of this folder after a build: `npm run bench -- NAME [options]`.

/** Each benchmark is the program of the same name. `all` needs the bundle of the Action or of the app too. */
const benchmarks: Readonly<Record<string, { readonly purpose: string; readonly needs?: 'all' }>> = {
  quick: { purpose: 'one figure for each performance promise, compared with the committed one' },
  performance: { purpose: 'every comparison with other tools, written to docs/performance.md' },
  validation: { purpose: '`check` and `openapi-file` against other validators' },
  changes: { purpose: '`changes` against `check` of the new version' },
  rulesets: { purpose: '`check` with a ruleset against Spectral' },
  update: { purpose: '`update` of repositories with many pages' },
  'docs-root': { purpose: '`update --dry-run` and `check` of docs directories with hand-written pages' },
  action: { purpose: 'the bundle of the Action against a fake GitHub', needs: 'all' },
  site: { purpose: '`build` of a site against Starlight, and its pages in a browser', needs: 'all' },
  playground: { purpose: 'a click on “Try it” against the modal of Scalar' },
  comparison: { purpose: 'pages of sites against those of Scalar and Redoc' },
  hosting: { purpose: 'hosted sites: requests, pushes, and growth of the database' },
  app: { purpose: 'the app against a bare server' },
  webhooks: { purpose: 'the response times of webhooks' },
  status: { purpose: 'the status endpoint on SQLite and on PostgreSQL' },
  store: { purpose: 'the database with more and more records' },
  'large-bodies': { purpose: 'memory of the app while it refuses large bodies' },
  load: { purpose: 'the app with several processes under load and failures', needs: 'all' },
  'scaling-model': { purpose: 'what a number of repositories needs, from results of `load`' },
}

const root = join(import.meta.dirname, '..')
const [name, ...options] = process.argv.slice(2)
const benchmark = name === undefined || !Object.hasOwn(benchmarks, name) ? undefined : benchmarks[name]
if (benchmark) {
  const asksForHelp = options.includes('--help') || options.includes('-h')
  if (!asksForHelp && !isBuilt(root)) run('scripts/build.ts', ...(benchmark.needs === 'all' ? [] : ['cli']))
  run(`bench/${name}.ts`, ...options)
} else {
  const isHelp = name === '--help' || name === '-h'
  if (!isHelp) console.error(`Expected the name of a benchmark${name === undefined ? '' : `, not \`${name}\``}\n`)
  const list = Object.entries(benchmarks).map(([title, { purpose }]) => `  ${title.padEnd(15)}${purpose}`)
  console.log(`npm run bench -- NAME [options]\n\n${list.join('\n')}\n\nOptions of one: npm run bench -- NAME --help`)
  if (!isHelp) process.exitCode = 2
}

/** Ends this process with the exit code of the program if it fails. */
function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
