import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { type ActionRun, startActionRunner } from './action-runs.ts'
import { median } from './measure.ts'

// Times the bundle of the Action as a runner starts it: a push with nothing to do, the first run with all pages, and the time to the first
// line of the log. A fake GitHub counts API requests.

const { values } = parseArgs({ options: { runs: { type: 'string', default: '7' }, bundle: { type: 'string' } } })
const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
const runner = await startActionRunner(values.bundle ?? join(root, 'dist/action/index.js'), work)
try {
  console.log('| what | CPU ms | wall ms | first line: wall ms | CPU ms | reads | writes | result |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  const large = join(work, 'large')
  mkdirSync(large)
  cpSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    join(large, 'github.json'),
  )
  writeFileSync(
    join(large, 'docs.json'),
    JSON.stringify({
      theme: 'mint',
      name: 'GitHub',
      colors: { primary: '#0F766E' },
      navigation: { tabs: [{ tab: 'API', openapi: 'github.json' }] },
    }),
  )
  console.log(floor())
  for (const [name, folder] of [
    ['example (8 operations)', join(root, 'examples/petstore')],
    ['GitHub, 13 MB (1,223 operations)', large],
  ] as const) {
    const repository = runner.createRepository(folder)
    console.log(toRow(`${name}, first run`, [await runner.run(repository)]))
    // These runs start from the commit of the first run.
    const others: ActionRun[] = []
    for (let run = 0; run < Number(values.runs); run++) others.push(await runner.run(repository))
    console.log(toRow(`${name}, nothing to do`, others))
  }
} finally {
  await runner.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

/** Times the start of Node.js alone, as a reference for busy machines. */
function floor(): string {
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  })
  return `| \`node -e 0\` | | ${median(times).toFixed(0)} | | | | | |`
}

function toRow(name: string, runs: readonly ActionRun[]): string {
  const fields = ['cpuMs', 'wallMs', 'firstLineMs', 'firstLineCpuMs', 'reads', 'writes'] as const
  const cells = fields.map((field) => median(runs.map((run) => run[field])).toFixed(0))
  const pages = runs.at(-1)?.pagesCommitted
  return `| ${[name, ...cells, pages === undefined ? 'up to date' : `${pages} pages committed`].join(' | ')} |`
}
