import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { installPackages, realPackages } from '../scripts/package-cache.ts'

// Times `build` as whole processes: all of GitHub's description, then with nothing to do, then with one operation changed; the growth with the
// number of operations; and weighs what it wrote. Prints Markdown tables. Run `node scripts/build.ts cli` first. `--runs N` (default 3).

const runs = Number(process.argv[process.argv.indexOf('--runs') + 1] ?? 3) || 3
const bin = join(import.meta.dirname, '..', 'bin/openapi-pages.js')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))

interface Cost {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly peakMb: number
}

try {
  console.log(
    `Node ${process.versions.node}, medians of ${runs} interleaved runs, load ${loadavg()[0]?.toFixed(0)} on the machine.\n`,
  )
  const github = readFileSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    'utf8',
  )
  const folder = writeDocs('github', github)
  const costs: Record<'all' | 'nothing changed' | 'one operation changed', Cost[]> = {
    all: [],
    'nothing changed': [],
    'one operation changed': [],
  }
  for (let run = 0; run < runs; run++) {
    writeFileSync(join(folder, 'openapi.json'), github)
    rmSync(join(folder, 'out'), { recursive: true, force: true })
    costs.all.push(build(folder))
    costs['nothing changed'].push(build(folder))
    writeFileSync(join(folder, 'openapi.json'), changeOneOperation(github))
    costs['one operation changed'].push(build(folder))
  }
  const full = toMedian(costs.all)
  console.log("| GitHub's description, 13 MB | CPU s | wall s | peak MB | CPU ÷ all |\n| --- | ---: | ---: | ---: | ---: |")
  for (const [what, list] of Object.entries(costs)) {
    const { cpuSeconds, wallSeconds, peakMb } = toMedian(list)
    const cells = [
      what,
      cpuSeconds.toFixed(1),
      wallSeconds.toFixed(1),
      peakMb.toFixed(0),
      (cpuSeconds / full.cpuSeconds).toFixed(3),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  weigh(join(folder, 'out'))
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
  const least = toMedian(grown.get(1) ?? []).cpuSeconds
  for (const size of sizes) {
    const { cpuSeconds, peakMb } = toMedian(grown.get(size) ?? [])
    const each = size === 1 ? '' : (((cpuSeconds - least) * 1000) / (size - 1)).toFixed(1)
    console.log(`| ${size} | ${cpuSeconds.toFixed(2)} | ${each} | ${peakMb.toFixed(0)} |`)
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

function writeDocs(name: string, document: string): string {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'schemas: true\n')
  writeFileSync(join(folder, 'docs.json'), '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}')
  return folder
}

/** CPU and memory as the process itself saw them at its end. */
function build(folder: string, ...words: string[]): Cost {
  const hook = join(work, 'usage-hook.cjs')
  const usage = join(work, 'usage')
  writeFileSync(
    hook,
    `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
require('node:fs').writeFileSync(${JSON.stringify(usage)}, userCPUTime + systemCPUTime + ' ' + maxRSS) })`,
  )
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', hook, bin, 'build', '.', '--boundary', '.', '-o', 'out', ...words],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, XDG_CACHE_HOME: join(work, 'cache') },
    },
  )
  if (status !== 0) throw new Error(`Cannot build ${folder}: ended with ${status}\n${stderr}`)
  const [cpu = 0, rss = 0] = readFileSync(usage, 'utf8').split(' ').map(Number)
  return { cpuSeconds: cpu / 1e6, wallSeconds: (performance.now() - startedAt) / 1000, peakMb: rss / 1024 }
}

function toMedian(costs: readonly Cost[]): Cost {
  const of = (field: keyof Cost) =>
    costs.map((cost) => cost[field]).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN
  return { cpuSeconds: of('cpuSeconds'), wallSeconds: of('wallSeconds'), peakMb: of('peakMb') }
}

function changeOneOperation(text: string): string {
  const changed = text.replace('"description": "Get Hypermedia links', '"description": "Get all Hypermedia links')
  if (changed === text) throw new Error('Cannot find the operation to change')
  return changed
}

/** Operations with parameters, a body and two answers, ten to a tag, whose schemas refer to each other. */
function describe(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const toSchema = (index: number) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', description: `The id of thing ${index}` },
      name: { type: 'string', examples: [`thing-${index}`] },
      next: { $ref: `#/components/schemas/Thing${(index + 1) % count}` },
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

/** What readers load: pages as they are sent, elements as a browser would make them, the scripts before a click, and the search index. */
function weigh(output: string): void {
  const files = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const pages = files.filter((path) => path.endsWith('index.html')).map((path) => readFileSync(path))
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
  const spread = (numbers: readonly number[]) => {
    const sorted = numbers.toSorted((a, b) => a - b)
    return [0.5, 0.95, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  }
  const sent = (name: RegExp) =>
    files.filter((path) => name.test(path)).reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0)
  const [p50 = 0, p95 = 0, most = 0] = spread(pages.map((page) => gzipSync(page).length))
  const [nodes50, nodes95, nodesMost] = spread(pages.map((page) => page.toString().match(/<[a-z]/g)?.length ?? 0))
  console.log(`\n| what ${pages.length} pages weigh | p50 | p95 | most |\n| --- | ---: | ---: | ---: |`)
  console.log(`| HTML, gz kB | ${kilobytes(p50)} | ${kilobytes(p95)} | ${kilobytes(most)} |`)
  console.log(`| elements | ${nodes50} | ${nodes95} | ${nodesMost} |`)
  console.log(`\nBefore a click also: scripts ${kilobytes(sent(/_assets\/(?:page|theme)-[^/]*\.js$/))} kB gz, `)
  console.log(
    `stylesheet ${kilobytes(sent(/_assets\/site-[^/]*\.css$/))} kB gz. Search index: ${kilobytes(sent(/_search\//))} kB gz.`,
  )
}
