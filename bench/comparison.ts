import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { cacheRoot, installPackages, realPackages } from '../scripts/package-cache.ts'
import { launchBrowser, serve, slowDown, type VisitedPage, visitPages } from './visit-pages.ts'
import { listPageWeights, weighScripts } from './weigh-site.ts'

const help = `npm run bench -- comparison [--visits N] [--only part] [--no-peer] [--shots folder]

Measures what readers of GitHub's description wait for: the median and the largest page against the budgets, and the search. Then
compares two operations with the standalone bundles of Scalar and Redoc, in one Chromium (CPU × 4, 10 Mbit/s, empty cache).

  --visits N       counted visits of each page (default 5, after one warm-up). Times are the least of them
  --only part      budgets, search, operations or whole. The last one opens the whole description, which takes the peers minutes
  --no-peer        skip Scalar and Redoc
  --shots folder   save screenshots of the compared pages, and measure nothing

Prints Markdown tables for docs/performance.md. TBT is CPU time, without waiting for a CPU core. The peers are
pinned, and downloaded with \`npm pack\` into a cache.`

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '5' },
    'no-peer': { type: 'boolean' },
    only: { type: 'string' },
    shots: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const visits = Number(values.visits)

/** Both are MIT. */
const peers = [
  {
    name: 'Scalar',
    package: '@scalar/api-reference',
    version: '1.72.1',
    file: 'dist/browser/standalone.js',
    body: `<div id="app"></div><script src="/bundle.js"></script><script>Scalar.createApiReference('#app', { url: '/openapi.json' })</script>`,
  },
  {
    name: 'Redoc',
    package: 'redoc',
    version: '3.0.1',
    file: 'bundles/redoc.standalone.js',
    body: '<redoc spec-url="/openapi.json"></redoc><script type="module" src="/bundle.js"></script>',
  },
] as const
type Peer = (typeof peers)[number]['name']

const operations = [
  {
    name: 'Create an issue',
    page: 'api-reference/issues/create-an-issue',
    fragments: { Scalar: '#tag/issues/POST/repos/{owner}/{repo}/issues', Redoc: '#/issues/issues/create' },
  },
  {
    name: 'Get all gitignore templates',
    page: 'api-reference/gitignore/get-all-gitignore-templates',
    fragments: { Scalar: '#tag/gitignore/GET/gitignore/templates', Redoc: '#/gitignore/gitignore/get-all-templates' },
  },
] as const
type Operation = (typeof operations)[number]

/** A page with a name for the tables. */
interface Compared extends VisitedPage {
  readonly name: string
  readonly operation: Operation
}

/** Source of a function that resolves with the time from the first key in the search field to the first result with “issue”. */
const watchSearch = `window.searchMs = new Promise((resolve) => {
  let start = 0
  addEventListener('keydown', ({ key }) => { if (key === 'i') start ||= performance.now() }, { capture: true })
  const look = () => {
    const box = document.activeElement?.closest('dialog, [role=dialog]') ?? document.activeElement?.parentElement?.parentElement?.parentElement
    if (start > 0 && box !== document.body && /issues?\\b/i.test(box?.textContent ?? '')) requestAnimationFrame(() => resolve(performance.now() - start))
    else requestAnimationFrame(look)
  }
  look()
})`

const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
try {
  const github = readFileSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    'utf8',
  )
  const site = buildSite(github)
  const compared = operations.map((operation): Compared[] => [
    { name: '**openapi-pages**', operation, folder: site, path: `/${operation.page}/`, ready: 'h1' },
    ...(values['no-peer']
      ? []
      : peers.map(({ name }) => writePeer(name, operation, readFileSync(join(site, `${operation.page}.openapi.json`), 'utf8')))),
  ])
  if (values.shots) {
    for (const pages of compared) await takeScreenshots(pages, values.shots)
  } else {
    console.log(
      `Node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the start, least of ${visits} visits in turn.`,
    )
    const isWanted = (part: string) => values.only === undefined || values.only === part
    if (isWanted('budgets')) await checkBudgets(site)
    const whole = values['no-peer'] ? [] : peers.map(({ name }) => writePeer(name, operations[0], github))
    if (isWanted('search'))
      await timeSearches([{ name: '**openapi-pages**', operation: operations[0], folder: site, path: '/' }, ...whole])
    if (isWanted('operations')) for (const pages of compared) await compare(pages, visits, 'only this operation')
    if (isWanted('whole')) await compare([...(compared[0]?.slice(0, 1) ?? []), ...whole], 1, 'the whole description')
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

function buildSite(github: string): string {
  writeFileSync(join(work, 'openapi.json'), github)
  writeFileSync(join(work, 'openapi-pages.config.yaml'), 'schemas: true\n')
  writeFileSync(join(work, 'docs.json'), '{"name": "API", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.json"}]}}')
  const bin = join(import.meta.dirname, '../bin/openapi-pages.cjs')
  const args = ['build', '.', '--boundary', '.', '-o', 'site', '--no-cache', '--quiet']
  execFileSync(process.execPath, [bin, ...args], { cwd: work, stdio: 'ignore' })
  return join(work, 'site')
}

/** The page that the documentation of a peer recommends, at the operation. */
function writePeer(name: Peer, operation: Operation, document: string): Compared {
  const peer = peers.find((one) => one.name === name) ?? peers[0]
  const folder = mkdtempSync(join(work, `${name}-`))
  copyFileSync(join(packPackage(peer.package, peer.version), peer.file), join(folder, 'bundle.js'))
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API</title></head><body>${peer.body}</body></html>`,
  )
  const ready = `:is(h1, h2, h3):has-text("${operation.name}")`
  return { name: `${name} ${peer.version}`, operation, folder, path: `/${operation.fragments[name]}`, ready }
}

/** Downloads a package without its dependencies once. Returns its folder. */
function packPackage(name: string, version: string): string {
  const folder = join(cacheRoot(), 'comparison', `${name.replace('/', '-')}-${version}`)
  if (existsSync(join(folder, 'package'))) return join(folder, 'package')
  mkdirSync(folder, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['xzf', packed], { cwd: folder })
  return join(folder, 'package')
}

async function checkBudgets(site: string): Promise<void> {
  const pages = listPageWeights(site, /^api-reference\/(?!schemas\/)/).toSorted((a, b) => a.bytes - b.bytes)
  const [middle, largest] = [pages[Math.floor(pages.length / 2)], pages.at(-1)]
  if (!middle || !largest) throw new Error(`Missing operation pages in ${site}`)
  const { before, form } = weighScripts(site)
  const rows: [string, string, number, number][] = [
    [`HTML of the median of ${pages.length} operation pages`, 'kB', middle.bytes / 1000, 15],
    ['Scripts before a click', 'kB', before / 1000, 5],
    ['Scripts of the form of the playground', 'kB', form / 1000, 25],
  ]
  const toPath = ({ path }: { readonly path: string }) => `/${path.replace(/index\.html$/, '')}`
  const visited = [
    { name: 'the median page', folder: site, path: toPath(middle) },
    { name: `the largest page (${(largest.bytes / 1000).toFixed(0)} kB)`, folder: site, path: toPath(largest) },
  ]
  for (const viewport of ['desktop', 'phone'] as const) {
    const results = await visitPages(visited, { visits, viewport, isLeast: true })
    for (const [index, { name }] of visited.entries()) {
      const { lcpMs = Number.NaN, ownTbtMs = Number.NaN, cls = Number.NaN } = results[index] ?? {}
      rows.push([`LCP of ${name}, ${viewport}`, 'ms', lcpMs, 1200], [`TBT of ${name}, ${viewport}`, 'ms', ownTbtMs, 50])
      rows.push([`CLS of ${name}, ${viewport}`, '', cls, 0])
    }
  }
  console.log('\n| Budget | Measured | At most | |\n| --- | ---: | ---: | --- |')
  for (const [what, unit, measured, most] of rows) {
    const figure = unit === 'kB' ? measured.toFixed(1) : unit === 'ms' ? measured.toFixed(0) : measured.toFixed(3)
    console.log(`| ${what} | ${figure} ${unit} | ${most} ${unit} | ${measured <= most ? 'held' : '**exceeded**'} |`)
  }
}

/** Prints a table of docs/performance.md. */
async function compare(pages: readonly Compared[], count: number, read: string): Promise<void> {
  const results = await visitPages(pages, { visits: count, viewport: 'desktop', isLeast: true })
  const browser = await launchBrowser()
  const columns: Readonly<Record<string, string>>[] = []
  try {
    for (const [index, page] of pages.entries()) {
      const visit = results[index]
      if (!visit) continue
      const { foreign, words, rules, elements } = await inspect(browser, page)
      columns.push({
        'Transfer, kB': toFigure(visit.transferKb),
        'Scripts, kB': visit.scriptKb < 10 ? visit.scriptKb.toFixed(1) : toFigure(visit.scriptKb),
        Requests: toFigure(visit.requests),
        'Requests to other hosts': toFigure(foreign),
        Elements: toFigure(visit.elements),
        'LCP, ms': toFigure(visit.lcpMs),
        'TBT, ms': toFigure(visit.ownTbtMs),
        CLS: visit.cls.toFixed(3),
        'Words without scripts': toFigure(words),
        'axe: violated rules (elements)': rules === 0 ? '0' : `${rules} (${elements})`,
      })
    }
  } finally {
    await browser.close()
  }
  const size = (statSync(join(pages[1]?.folder ?? work, 'openapi.json')).size / 1000).toFixed(0)
  const names = pages.map(({ name }) => name.replaceAll('*', '').replace(/ [\d.]+$/, ''))
  console.log(
    `\nOpenAPI document of the peers: ${size} kB\n\n| ${pages[0]?.operation.name}; others read ${read} | ${names.join(' | ')} |`,
  )
  console.log(`| --- |${' ---: |'.repeat(names.length)}`)
  for (const row of Object.keys(columns[0] ?? {})) console.log(`| ${row} | ${columns.map((column) => column[row]).join(' | ')} |`)
}

function toFigure(count: number): string {
  return Math.round(count).toLocaleString('en')
}

interface Inspection {
  /** Requests to hosts other than the one of the page. */
  readonly foreign: number
  /** Visible without scripts. */
  readonly words: number
  /** Violated rules of axe, and the elements that violate them. */
  readonly rules: number
  readonly elements: number
}

/** What does not depend on the speed of the machine. */
async function inspect(browser: Browser, { folder, path, ready = 'body' }: Compared): Promise<Inspection> {
  const { server, origin } = await serve(folder)
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } })
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 800 } })
  try {
    const bare = await plain.newPage()
    await bare.goto(origin + path)
    const words = (await bare.locator('body').innerText()).split(/\s+/).filter((word) => word !== '').length
    const page = await context.newPage()
    let foreign = 0
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreign++
    })
    await page.goto(origin + path)
    await page.locator(ready).filter({ visible: true }).first().waitFor({ timeout: 300_000 })
    await page.waitForTimeout(3_000)
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
    const [rules = 0, elements = 0] = await page.evaluate<number[]>(
      'axe.run().then(({ violations }) => [violations.length, violations.reduce((sum, { nodes }) => sum + nodes.length, 0)])',
    )
    return { foreign, words, rules, elements }
  } finally {
    await plain.close()
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}

/** Opens the search of each page and types “issue”: at once, and after the search has had time to prepare. */
async function timeSearches(pages: readonly Compared[]): Promise<void> {
  console.log('\n| First key to results | At once, ms | Search open for 20 s, ms |\n| --- | ---: | ---: |')
  const browser = await launchBrowser()
  try {
    for (const page of pages) {
      const cells: string[] = []
      for (const waitMs of [0, 20_000]) {
        const times: number[] = []
        // The peers take minutes to load.
        const count = page === pages[0] ? visits : 1
        for (let visit = 0; visit < count; visit++) times.push(await timeSearch(browser, page, waitMs))
        cells.push(Math.min(...times).toFixed(0))
      }
      console.log(`| ${page.name} | ${cells.join(' | ')} |`)
    }
  } finally {
    await browser.close()
  }
}

async function timeSearch(browser: Browser, { folder, path, ready = 'h1' }: Compared, waitMs: number): Promise<number> {
  const { server, origin } = await serve(folder)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page: Page = await context.newPage()
    await slowDown(page)
    await page.goto(origin + path, { waitUntil: 'load', timeout: 400_000 })
    await page.locator(ready).filter({ visible: true }).first().waitFor({ timeout: 400_000 })
    await page.waitForTimeout(2_000)
    // The promise is awaited later.
    await page.evaluate(`${watchSearch}; 0`)
    await page.keyboard.press('Control+k')
    await page.waitForTimeout(waitMs)
    await page.keyboard.type('issue')
    return await page.evaluate<number>(
      'Promise.race([searchMs, new Promise((resolve) => setTimeout(resolve, 120_000, Infinity))])',
    )
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}

async function takeScreenshots(pages: readonly Compared[], folder: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    for (const { name, operation, folder: site, path: route, ready = 'body' } of pages) {
      const { server, origin } = await serve(site)
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
      await page.goto(origin + route)
      await page.locator(ready).filter({ visible: true }).first().waitFor()
      await page.waitForTimeout(4_000)
      const [tool = ''] = name.replaceAll('*', '').toLowerCase().split(' ')
      const path = join(folder, `comparison-${operation.page.split('/').at(-1)}-${tool}.jpg`)
      await page.screenshot({ path, type: 'jpeg', quality: 70 })
      console.log(`${path}: ${statSync(path).size} bytes`)
      await page.close()
      server.closeAllConnections()
      server.close()
    }
  } finally {
    await browser.close()
  }
}
