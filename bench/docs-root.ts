import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

// Times `update --dry-run` and `check` of docs directories with hand-written pages at three sizes, as whole processes. Prints a Markdown table.

const sizes = [1_250, 5_000, 20_000]
const documentCount = 20
const runs = 5
const bin = join(import.meta.dirname, '..', 'bin/openapi-pages.cjs')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))

try {
  console.log('| pages | documents | `update --dry-run` s (min–max) | `check` s (min–max) |\n| ---: | ---: | ---: | ---: |')
  for (const size of sizes) {
    const folder = join(work, String(size))
    writeSite(folder, size)
    const cells = [
      ['update', '--dry-run'],
      ['check', '.'],
    ].map((args) => time(folder, args))
    console.log(`| ${size} | ${documentCount} | ${cells.join(' | ')} |`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Writes a docs directory with a tab for each document and a hand-written page for each operation. */
function writeSite(folder: string, pageCount: number): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const words = 'Some words about this thing, and [a link](/api/0/page-1) to another.\n'.repeat(20)
  const tabs = Array.from({ length: documentCount }, (_tab, tab) => {
    const indexes = Array.from({ length: pageCount / documentCount }, (_page, index) => index)
    const paths = Object.fromEntries(indexes.map((index) => [`/things${tab}/${index}`, { get: toOperation(tab, index) }]))
    const source = `specs/${tab}.json`
    write(source, JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths }, null, 2))
    for (const index of indexes) {
      write(
        `api/${tab}/page-${index}.mdx`,
        `---\ntitle: Thing ${index}\nopenapi: ${source} GET /things${tab}/${index}\n---\n\n${words}`,
      )
    }
    return {
      tab: `Tab ${tab}`,
      openapi: source,
      groups: [{ group: 'All', pages: indexes.map((index) => `api/${tab}/page-${index}`) }],
    }
  })
  write(
    'docs.json',
    JSON.stringify({ theme: 'mint', name: 'Large', colors: { primary: '#0F766E' }, navigation: { tabs } }, null, 2),
  )
}

function toOperation(tab: number, index: number): object {
  const schema = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } }
  return {
    operationId: `get${tab}x${index}`,
    summary: `Get thing ${index}`,
    tags: [`Tag ${index % 10}`],
    parameters: [{ name: 'filter', in: 'query', schema: { type: 'string' } }],
    responses: { 200: { description: 'The thing', content: { 'application/json': { schema } } } },
  }
}

function time(folder: string, args: readonly string[]): string {
  const seconds = Array.from({ length: runs + 1 }, () => {
    const startedAt = performance.now()
    const { status } = spawnSync(process.execPath, [bin, ...args], { cwd: folder })
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
    return (performance.now() - startedAt) / 1_000
  })
  // The first run is a warm-up.
  const sorted = seconds.slice(1).sort((a, b) => a - b)
  const show = (value: number | undefined) => (value ?? 0).toFixed(2)
  return `${show(sorted[Math.floor(runs / 2)])} (${show(sorted[0])}–${show(sorted.at(-1))})`
}
