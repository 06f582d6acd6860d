import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from '../scripts/build-stamp.ts'

// Runs one benchmark of this folder after a build: `npm run bench -- NAME [options]`.

/** Each benchmark is the program of the same name. `all` needs the bundle of the Action or of the app too. */
const benchmarks: Readonly<Record<string, { readonly purpose: string; readonly needs?: 'all' }>> = {
  quick: { purpose: 'this code against the code before the change', needs: 'all' },
  load: { purpose: 'the app with several processes under load and failures', needs: 'all' },
  validation: { purpose: '`check` and `openapi-file` against other validators' },
  rulesets: { purpose: '`check` with a ruleset against Spectral' },
  site: { purpose: '`build` of a site against Starlight, and its pages in a browser' },
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
