import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { type Measure, measure, median } from './measure.ts'
import { type StarlightProject, starlightLabel, writeStarlightProject } from './starlight-project.ts'
import { type VisitedPage, type viewports, visitPages } from './visit-pages.ts'
import { weighPages, weighSite } from './weigh-site.ts'

const help = `npm run bench -- site [--runs N] [--visits N] [--no-peer]

Times \`build\` as whole processes: all of GitHub's description, then with nothing to do, then with one operation changed; the growth with
the number of operations; against Starlight. Weighs what they wrote, and visits the page of the same operations in Chromium.

  --runs N     counted runs of each build (default 3)
  --visits N   counted visits of each page (default 5, after one warm-up)
  --no-peer    skip Starlight. It takes two minutes per run and 500 MB of the cache

Prints Markdown tables. Starlight is pinned and installed into a cache.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    visits: { type: 'string', default: '5' },
    'no-peer': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const runs = Number(values.runs)
const bin = join(import.meta.dirname, '..', 'bin/openapi-pages.cjs')
/** The page of an operation with a large response, and of one with a body. */
const comparedPages = [
  { name: 'repos/get', ours: '/api-reference/repos/get-a-repository/', starlight: '/api/operations/reposget/' },
  { name: 'issues/create', ours: '/api-reference/issues/create-an-issue/', starlight: '/api/operations/issuescreate/' },
] as const
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
let peer: StarlightProject | undefined

type Cost = Pick<Measure, 'cpuMs' | 'wallMs' | 'peakMb'>

try {
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the start, medians of ${runs} interleaved runs.\n`,
  )
  const github = readFileSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    'utf8',
  )
  peer = values['no-peer'] ? undefined : writeStarlightProject(github)
  const folder = writeDocs('github', github)
  timeBuilds(folder, github, peer)
  const operationPages = weighPages(join(folder, 'out'), /^api-reference\/(?!schemas\/)/)
  const peerPages = peer && weighPages(peer.output, /^api\/operations\/(?!tags\/)/)
  for (const line of weighSite(join(folder, 'out'))) console.log(line)
  console.log('\n| elements of operation pages | pages | p50 | p95 | most |\n| --- | ---: | ---: | ---: | ---: |')
  for (const [label, pages] of [
    ['**ours**', operationPages],
    ['starlight', peerPages],
  ] as const)
    if (pages) console.log(`| ${[label, pages.count, ...pages.elements].join(' | ')} |`)
  if (peer) await comparePages(join(folder, 'out'), peer.output)
  timeGrowth()
} finally {
  peer?.remove()
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

function timeBuilds(folder: string, github: string, peer: StarlightProject | undefined): void {
  const costs: Record<'all' | 'nothing changed' | 'one operation changed' | 'starlight', Cost[]> = {
    all: [],
    'nothing changed': [],
    'one operation changed': [],
    starlight: [],
  }
  for (let run = 0; run < runs; run++) {
    writeFileSync(join(folder, 'openapi.json'), github)
    rmSync(join(folder, 'out'), { recursive: true, force: true })
    costs.all.push(build(folder))
    costs['nothing changed'].push(build(folder))
    writeFileSync(join(folder, 'openapi.json'), changeOneOperation(github))
    costs['one operation changed'].push(build(folder))
    if (peer) costs.starlight.push(finished(measure(peer.command, work), 'starlight'))
  }
  const full = toMedian(costs.all)
  console.log(
    "| GitHub's description, 13 MB | CPU s | wall s | peak MB | CPU ÷ all | wall ÷ all | MB ÷ all |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  )
  for (const [what, list] of Object.entries(costs)) {
    if (list.length === 0) continue
    const { cpuMs, wallMs, peakMb } = toMedian(list)
    const cells = [
      what === 'starlight' ? starlightLabel : `**ours**, ${what}`,
      (cpuMs / 1000).toFixed(1),
      (wallMs / 1000).toFixed(1),
      peakMb.toFixed(0),
      (cpuMs / full.cpuMs).toFixed(3),
      (wallMs / full.wallMs).toFixed(3),
      (peakMb / full.peakMb).toFixed(2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function comparePages(ours: string, starlight: string): Promise<void> {
  const visits = Number(values.visits)
  console.log(
    `\nIn Chromium with CPU × 4 and 10 Mbit/s, first visits, medians of ${visits} in turn:\n\n| page | of | LCP ms | TBT ms | CLS | transferred kB | elements | LCP ÷ | TBT ÷ | elements ÷ |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`,
  )
  for (const viewport of ['desktop', 'phone'] satisfies (keyof typeof viewports)[]) {
    const pages = comparedPages.flatMap((page): VisitedPage[] => [
      { folder: ours, path: page.ours },
      { folder: starlight, path: page.starlight },
    ])
    const results = await visitPages(pages, { visits, viewport })
    for (const [index, { name }] of comparedPages.entries()) {
      const [mine, theirs] = results.slice(index * 2)
      if (!mine || !theirs) continue
      for (const visit of [mine, theirs]) {
        const { lcpMs, tbtMs, cls, transferKb, elements } = visit
        const ratio = (field: 'lcpMs' | 'tbtMs' | 'elements') =>
          visit === theirs ? '' : theirs[field] === 0 ? '–' : (mine[field] / theirs[field]).toFixed(2)
        const numbers = [lcpMs.toFixed(0), tbtMs.toFixed(0), cls.toFixed(3), transferKb.toFixed(1), elements]
        const of = visit === mine ? '**ours**' : 'starlight'
        console.log(
          `| ${[`${name}, ${viewport}`, of, ...numbers, ratio('lcpMs'), ratio('tbtMs'), ratio('elements')].join(' | ')} |`,
        )
      }
    }
  }
}

function timeGrowth(): void {
  console.log('\n| operations | CPU s | CPU ms an operation more | peak MB |\n| ---: | ---: | ---: | ---: |')
  const sizes = [1, 100, 400, 1_600]
  const folders = sizes.map((size) => [size, writeDocs(String(size), describe(size))] as const)
  const grown = new Map<number, Cost[]>(sizes.map((size) => [size, []]))
  for (let run = 0; run < runs; run++) {
    for (const [size, docs] of folders) {
      rmSync(join(docs, 'out'), { recursive: true, force: true })
      grown.get(size)?.push(build(docs, '--no-cache'))
    }
  }
  const least = toMedian(grown.get(1) ?? []).cpuMs
  for (const size of sizes) {
    const { cpuMs, peakMb } = toMedian(grown.get(size) ?? [])
    const each = size === 1 ? '' : ((cpuMs - least) / (size - 1)).toFixed(2)
    console.log(`| ${size} | ${(cpuMs / 1000).toFixed(2)} | ${each} | ${peakMb.toFixed(0)} |`)
  }
}

function writeDocs(name: string, document: string): string {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'schemas: true\n')
  writeFileSync(join(folder, 'docs.json'), '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}')
  return folder
}

function build(folder: string, ...words: string[]): Cost {
  const args = [bin, 'build', '.', '--boundary', '.', '-o', 'out', ...words]
  const command = { label: 'ours', args, folder, environment: { XDG_CACHE_HOME: join(work, 'cache') } }
  return finished(measure(command, work), folder)
}

function finished(result: Measure, what: string): Cost {
  if (result.exitCode !== 0) throw new Error(`Cannot build ${what}: ended with ${result.exitCode}\n${result.stderr}`)
  return result
}

function toMedian(costs: readonly Cost[]): Cost {
  const of = (field: keyof Cost) => median(costs.map((cost) => cost[field]))
  return { cpuMs: of('cpuMs'), wallMs: of('wallMs'), peakMb: of('peakMb') }
}

function changeOneOperation(text: string): string {
  const changed = text.replace('"description": "Get Hypermedia links', '"description": "Get all Hypermedia links')
  if (changed === text) throw new Error('Cannot find the operation to change')
  return changed
}

/** Operations with parameters, a body and two responses, ten per tag. A page contains all schemas that its operation refers to. */
function describe(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const toSchema = (index: number) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', description: `The id of thing ${index}` },
      name: { type: 'string', examples: [`thing-${index}`] },
      next: { $ref: `#/components/schemas/Thing${Math.min(count - 1, index % 10 === 9 ? index - 9 : index + 1)}` },
    },
  })
  const toContent = (index: number) => ({ 'application/json': { schema: { $ref: `#/components/schemas/Thing${index}` } } })
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: Object.fromEntries(
      indexes.map((index) => [
        `/things${index}/{id}`,
        {
          put: {
            tags: [`Things ${Math.floor(index / 10)}`],
            summary: `Replace thing ${index}`,
            description: `Replaces **thing ${index}** as a whole.`,
            operationId: `replaceThing${index}`,
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            requestBody: { content: toContent(index) },
            responses: { 200: { description: 'The thing', content: toContent(index) }, 404: { description: 'No such thing' } },
          },
        },
      ]),
    ),
    components: { schemas: Object.fromEntries(indexes.map((index) => [`Thing${index}`, toSchema(index)])) },
  })
}
