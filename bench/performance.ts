import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeXml } from '../src/source/escape-text.ts'

const help = `npm run bench -- performance [--runs N] [--visits N] [--only NAME] [--from FILE]

Runs every comparison with other tools, and writes the results:

  docs/performance.md              all tables, with the machine and the versions
  docs/images/performance.svg      a chart of the main figures
  bench/results/performance.json   the tables as data, and each single measurement

  --runs N     counted runs of each command (default 5)
  --visits N   counted visits of each page (default 4)
  --only NAME  measure only one part (validation, rulesets, sites, pages), and keep the stored results of the others
  --from FILE  measure nothing, and write the page and the chart from this JSON file

Run it on an idle machine: it takes about an hour on two cores, and 37 minutes with --runs 3 --visits 2. Other tools are pinned and installed into a cache.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    visits: { type: 'string', default: '4' },
    only: { type: 'string' },
    from: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const { runs, visits, only, from } = values

const root = join(import.meta.dirname, '..')
const resultsFile = join(root, 'bench/results/performance.json')

/** The comparisons: each is a program that prints Markdown tables. */
const parts = [
  {
    name: 'validation',
    title: 'Validate documents and generate pages',
    about:
      'Whole processes, in turn. “Floor” is the least that a program in Node.js needs: it starts, reads the file and parses the JSON.',
    args: ['bench/validation.ts', '--runs', runs],
  },
  {
    name: 'rulesets',
    title: 'Apply rulesets',
    about: '`check` with the ruleset `extends: spectral:oas`, and Spectral with the same one. Whole processes, in turn.',
    args: ['bench/rulesets.ts', '--runs', runs],
  },
  {
    name: 'sites',
    title: 'Build sites',
    about:
      "A site of GitHub's description, and the same description with [starlight-openapi](https://github.com/HiDeoo/starlight-openapi).",
    args: ['bench/site.ts', '--runs', runs, '--visits', visits],
  },
  {
    name: 'pages',
    title: 'Open pages',
    about:
      'Pages of GitHub’s description in Chromium (CPU × 4 slower, 10 Mbit/s, empty cache), and the bundles of Scalar and Redoc.',
    args: ['bench/comparison.ts', '--visits', visits],
  },
] as const
if (only !== undefined && !parts.some(({ name }) => name === only)) {
  console.error(`Unknown part ${only}, expected ${parts.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface PartResult {
  readonly name: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly command: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly tables: readonly Table[]
  /** Each single measurement, in the order of the runs. */
  readonly measurements: readonly unknown[]
}

/** Characters of a label that fit beside its bar. */
const labelLength = 48

/** The figures of the chart: one column of some rows, or one row of a table with a column for each tool. */
const charts: readonly {
  readonly title: string
  readonly part: string
  /** The first cells of the rows. */
  readonly group: RegExp
  readonly unit: string
  /** The columns of the names and values, for one column of some rows. */
  readonly name?: number
  readonly value?: string
  /** The name of the table, for one row. */
  readonly table?: RegExp
}[] = [
  {
    title: "Validate GitHub's description (13 MB), CPU time",
    part: 'validation',
    group: /^GitHub 13 MB JSON$/,
    name: 1,
    value: 'CPU ms',
    unit: 'ms',
  },
  { title: 'Validate a small document, CPU time', part: 'validation', group: /^small$/, name: 1, value: 'CPU ms', unit: 'ms' },
  {
    title: "Apply spectral:oas to GitHub's description (13 MB), CPU time",
    part: 'rulesets',
    group: /^GitHub 13 MB JSON$/,
    name: 1,
    value: 'CPU ms',
    unit: 'ms',
  },
  {
    title: "Build a site of GitHub's description, CPU time",
    part: 'sites',
    group: /^(?:\*\*openapi-pages\*\*, all|.*[Ss]tarlight.*)$/,
    name: 0,
    value: 'CPU s',
    unit: 's',
  },
  {
    title: "Open an operation of GitHub's description: largest contentful paint",
    part: 'pages',
    group: /^LCP, ms$/,
    table: /whole description/,
    unit: 'ms',
  },
]

const stored = readResults(from ?? resultsFile)
const results = parts.flatMap((part) => {
  if (from === undefined && (only === undefined || only === part.name)) return [measurePart(part)]
  return stored.filter(({ name }) => name === part.name)
})
mkdirSync(join(root, 'bench/results'), { recursive: true })
writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 1)}\n`)
writeFileSync(join(root, 'docs/images/performance.svg'), drawChart(results))
writeFileSync(join(root, 'docs/performance.md'), renderPage(results))

function readResults(file: string): readonly PartResult[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (from === undefined && error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** @throws {Error} if the program fails. */
function measurePart({ name, title, args }: (typeof parts)[number]): PartResult {
  console.error(`${title}: node ${args.join(' ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-performance-'))
  try {
    const raw = join(folder, 'raw.jsonl')
    writeFileSync(raw, '')
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, BENCH_RAW_FILE: raw },
    })
    if (status !== 0) throw new Error(`\`node ${args.join(' ')}\` exited with ${status}`)
    const [processor] = cpus()
    const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    return {
      name,
      date: new Date().toISOString().slice(0, 10),
      command: `node ${args.join(' ')}`,
      machine: `${processor?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${memory}, ${type()} ${release().split('-')[0]}`,
      versions: { 'openapi-pages': version, node: process.versions.node },
      tables: readTables(stdout),
      measurements: readFileSync(raw, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Markdown tables of a text. */
function readTables(text: string): Table[] {
  const toCells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replace(/\*\*ours\*\*/, '**openapi-pages**'))
  const blocks = text.matchAll(/^\|.*\|\n\|[ :|-]+\|\n((?:\|.*\|\n)*)/gm)
  return Array.from(blocks, ([block, rows = '']) => ({
    columns: toCells(block.slice(0, block.indexOf('\n'))),
    rows: rows.split('\n').filter(Boolean).map(toCells),
  }))
}

function renderPage(all: readonly PartResult[]): string {
  const sections = all.map(({ name, date, command, machine, versions, tables }) => {
    const { title = name, about = '' } = parts.find((part) => part.name === name) ?? {}
    const measured = `Measured on ${date} with \`${command}\`: ${machine}, Node.js ${versions['node']}, openapi-pages ${versions['openapi-pages']}.`
    return [`## ${title}`, about, measured, ...tables.map(renderTable)].join('\n\n')
  })
  return `---
title: Performance
description: How fast openapi-pages is beside other tools, with all figures
---

{/* Written by \`npm run bench -- performance\`. */}

This page compares openapi-pages with other tools. One command repeats all of it:

\`\`\`sh
npm run bench -- performance
\`\`\`

Compare ratios, not times: times differ between machines. The [single measurements](https://github.com/openapi-pages/openapi-pages/blob/main/bench/results/performance.json) are in
the repository, and [the comparison](comparison.md) has screenshots and features.

![CPU time and loading time of openapi-pages and other tools](images/performance.svg)

${sections.join('\n\n')}
`
}

function renderTable({ columns, rows }: Table): string {
  const isFigure = (index: number) => rows.every((cells) => /^[\d.,–-]*( \w+)?$/.test(cells[index] ?? ''))
  const rule = columns.map((_, index) => (index > 0 && isFigure(index) ? '---:' : '---'))
  return [columns, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

interface Bar {
  readonly label: string
  readonly value: number
}

function listBars({ columns, rows }: Table, { group, name = 0, value, table }: (typeof charts)[number]): Bar[] {
  const found = rows.filter(([first = '']) => group.test(first))
  const cells = table
    ? table.test(columns[0] ?? '')
      ? columns.slice(1).map((column, index) => [column, found[0]?.[index + 1] ?? ''])
      : []
    : found.flatMap((row) => (columns.includes(value ?? '') ? [[row[name] ?? '', row[columns.indexOf(value ?? '')] ?? '']] : []))
  return cells.flatMap(([label = '', text = '']) => {
    const number = Number(text.replaceAll(',', ''))
    return text !== '' && Number.isFinite(number) ? [{ label, value: number }] : []
  })
}

function drawChart(all: readonly PartResult[]): string {
  const [width, labelWidth, barHeight] = [900, 330, 22]
  const lines: string[] = []
  let y = 10
  for (const chart of charts) {
    const { title, part, unit } = chart
    const tables = all.find((one) => one.name === part)?.tables ?? []
    const bars = tables.flatMap((table) => listBars(table, chart))
    if (bars.length === 0) continue
    const most = Math.max(...bars.map((bar) => bar.value))
    lines.push(`<text class="title" x="0" y="${y + 16}">${escapeXml(title)}</text>`)
    y += 28
    for (const bar of bars) {
      const length = Math.max(2, (bar.value / most) * (width - labelWidth - 90))
      const name = bar.label.replaceAll(/[*`]/g, '')
      const isOurs = name.startsWith('openapi-pages')
      const label = name.length > labelLength ? `${name.slice(0, labelLength - 1)}…` : name
      lines.push(
        `<text class="${isOurs ? 'ours' : ''}" x="${labelWidth - 10}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text>`,
      )
      lines.push(
        `<rect class="${isOurs ? 'ours' : ''}" x="${labelWidth}" y="${y + 2}" width="${length.toFixed(1)}" height="${barHeight - 6}" rx="3"/>`,
      )
      lines.push(
        `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 15}">${bar.value.toLocaleString('en')} ${unit}</text>`,
      )
      y += barHeight
    }
    y += 18
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Comparison with other tools">
<style>text{fill:#24292f}rect{fill:#a8b1bd}.title{font-weight:600;font-size:15px}text.ours{font-weight:600}rect.ours{fill:#2548c4}@media (prefers-color-scheme:dark){text{fill:#e6e9ee}rect{fill:#5c6673}rect.ours{fill:#8fa8ff}}</style>
${lines.join('\n')}
</svg>
`
}
