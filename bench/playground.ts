import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { build } from 'rolldown'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { median } from './measure.ts'
import { measureOwnBlocking } from './own-blocking.ts'
import { launchBrowser, serve, slowDown } from './visit-pages.ts'

const help = `npm run bench -- playground [--visits N] [--no-peer] [--shots folder]

Times a click on “Try it” until the form is usable, like on a slow phone (CPU × 4, 10 Mbit/s, empty cache). Compares it with the modal of
@scalar/api-client for the same operation. Then opens a form with 500 properties and types into it.

  --visits N       counted visits of each (default 5, after one warm-up)
  --no-peer        skip Scalar
  --shots folder   save a screenshot of each form

Prints Markdown tables. “TBT, CPU time” excludes waiting for a CPU core. Scalar is pinned and installed into a cache.`

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '5' },
    'no-peer': { type: 'boolean' },
    shots: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const visits = Number(values.visits)
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
const peerVersion = '3.21.1'
const issues = '/repos/{owner}/{repo}/issues'

interface Opening {
  readonly formMs: number
  /** Time until every field is shown. */
  readonly wholeMs: number
  readonly tbtMs: number
  /** Without time that the page waited for a CPU core. */
  readonly ownTbtMs: number
  readonly transferKb: number
}

interface Way {
  readonly name: string
  readonly folder: string
  readonly path: string
  /** The first field of the dialog. */
  readonly field: string
  /** Present when all fields are shown. */
  readonly last: string
}

try {
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the start, medians of ${visits} visits in turn.\n`,
  )
  const site = buildSite()
  const ways: Way[] = [
    {
      name: '**ours**',
      folder: site,
      path: '/issues/create-an-issue/',
      field: 'dialog.play[open] .form [aria-label=owner]',
      last: 'dialog.play[open] [aria-label=title]',
    },
  ]
  if (!values['no-peer']) ways.push(await writePeer(join(site, 'issues/create-an-issue.openapi.json')))
  const browser = await launchBrowser()
  try {
    await compare(browser, ways)
    await timeLargeForm(browser, site)
  } finally {
    await browser.close()
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

/** An operation of GitHub's description, and one with a body of 500 properties. */
function buildSite(): string {
  const file = join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json')
  const github: { paths: Record<string, Record<string, unknown>> } = JSON.parse(readFileSync(file, 'utf8'))
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `field${index}`,
      index % 5 === 0 ? { enum: ['a', 'b'] } : { type: 'string', description: 'One of very many' },
    ]),
  )
  const many = {
    summary: 'Very much',
    tags: ['issues'],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', required: ['field1'], properties } } },
    },
    responses: { 200: { description: 'OK' } },
  }
  const paths = { [issues]: { post: github.paths[issues]?.['post'] }, '/many': { post: many } }
  writeFileSync(join(work, 'openapi.json'), JSON.stringify({ ...github, paths }))
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, '../bin/openapi-pages.cjs'), 'build', 'openapi.json', '-o', 'site', '--quiet'],
    {
      cwd: work,
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  return join(work, 'site')
}

/** A page with a button that loads the modal. */
async function writePeer(slice: string): Promise<Way> {
  const modules = installPackages('playground', { '@scalar/api-client': peerVersion })
  const folder = join(work, 'peer')
  mkdirSync(folder)
  const entry = join(work, 'entry.js')
  writeFileSync(
    entry,
    `import { createWorkspaceStore } from '@scalar/workspace-store/client'
import { createApiClientModal } from '@scalar/api-client/modal'
export async function open(document) {
  const workspaceStore = createWorkspaceStore()
  await workspaceStore.addDocument({ name: 'default', document })
  const modal = createApiClientModal({ el: globalThis.document.getElementById('app'), workspaceStore, options: {} })
  modal.open({ path: ${JSON.stringify(issues)}, method: 'post' })
}`,
  )
  await build({
    input: entry,
    platform: 'browser',
    resolve: { modules: [modules] },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    output: { file: join(folder, 'modal.js'), format: 'esm', minify: true, codeSplitting: false },
  })
  writeFileSync(join(folder, 'style.css'), readFileSync(join(modules, '@scalar/api-client/dist/style.css')))
  writeFileSync(join(folder, 'slice.json'), readFileSync(slice))
  const script = `document.querySelector('button').addEventListener('click', async () => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/style.css' })
  document.head.append(link)
  const [{ open }, slice] = await Promise.all([import('/modal.js'), fetch('/slice.json').then((answer) => answer.json())])
  await open(slice)
})`
  writeFileSync(join(folder, 'page.js'), script)
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Peer</title><button>Try it</button><div id="app"></div><script type="module" src="/page.js"></script>',
  )
  return {
    name: `\`@scalar/api-client\` ${peerVersion}, modal`,
    folder,
    path: '/',
    field: '#app .cm-content, .scalar-app .cm-content',
    last: '#app .cm-content, .scalar-app .cm-content',
  }
}

async function compare(browser: Browser, ways: readonly Way[]): Promise<void> {
  const served = await Promise.all(ways.map(async (way) => ({ ...way, ...(await serve(way.folder)) })))
  const openings = ways.map((): Opening[] => [])
  try {
    for (let visit = 0; visit <= visits; visit++) {
      for (const [index, { origin, path, field, last, name }] of served.entries()) {
        const opening = await withPage(browser, origin + path, (page, countBytes) =>
          timeOpening(page, [field, last], countBytes, name),
        )
        if (visit > 0) openings[index]?.push(opening)
      }
    }
  } finally {
    for (const { server } of served) {
      server.closeAllConnections()
      server.close()
    }
  }
  console.log(
    '| click on “Try it” | first field, ms | ÷ ours | all fields, ms | ÷ ours | TBT, ms | TBT, CPU time | transferred kB |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  )
  const of = (index: number, key: keyof Opening) => median((openings[index] ?? []).map((one) => one[key]))
  for (const [index, { name }] of ways.entries()) {
    const timed = (key: 'formMs' | 'wholeMs') => `${of(index, key).toFixed(0)} | ${(of(index, key) / of(0, key)).toFixed(1)}`
    console.log(
      `| ${name} | ${timed('formMs')} | ${timed('wholeMs')} | ${of(index, 'tbtMs').toFixed(0)} | ${of(index, 'ownTbtMs').toFixed(0)} | ${of(index, 'transferKb').toFixed(1)} |`,
    )
  }
}

type CountBytes = () => number

async function withPage<Result>(
  browser: Browser,
  url: string,
  run: (page: Page, countBytes: CountBytes) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
  try {
    const page = await context.newPage()
    const count = await slowDown(page)
    const countBytes = () => count().bytes
    await page.goto(url, { waitUntil: 'load', timeout: 60_000 })
    await page.waitForTimeout(1_000)
    return await run(page, countBytes)
  } finally {
    await context.close()
  }
}

/** Time from the click to the first frame with a usable field. */
async function timeOpening(
  page: Page,
  fields: readonly [string, string],
  countBytes: CountBytes,
  name: string,
): Promise<Opening> {
  const browser = page.context().browser()
  if (!browser) throw new Error('Missing the browser of the page')
  const { result, ownTbtMs } = await measureOwnBlocking(browser, page, () => openForm(page, fields, countBytes, name))
  return { ...result, ownTbtMs }
}

async function openForm(
  page: Page,
  fields: readonly [string, string],
  countBytes: CountBytes,
  name: string,
): Promise<Omit<Opening, 'ownTbtMs'>> {
  const before = countBytes()
  const [formMs = 0, wholeMs = 0] = await page.evaluate<number[]>(`new Promise((resolve, reject) => {
    window.tasks = []
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => tasks.push(duration))).observe({ type: 'longtask' })
    const start = performance.now()
    const seen = []
    const look = () => {
      const [wanted] = ${JSON.stringify(fields)}.slice(seen.length)
      const found = [...document.querySelectorAll(wanted)].find((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0)
      if (found) requestAnimationFrame(() => {
        seen.push(performance.now() - start)
        if (seen.length < 2) look()
        else resolve(seen)
      })
      else if (performance.now() - start > 60000) reject(new Error('The form did not come'))
      else requestAnimationFrame(look)
    }
    ;[...document.querySelectorAll('button')].find((one) => one.textContent.includes('Try it')).click()
    look()
  })`)
  if (values.shots) await page.screenshot({ path: join(values.shots, `${name.replace(/\W+/g, '-')}.png`) })
  await page.waitForTimeout(1_500)
  const tbtMs = await page.evaluate<number>('tasks.reduce((sum, one) => sum + Math.max(0, one - 50), 0)')
  return { formMs, wholeMs, tbtMs, transferKb: (countBytes() - before) / 1000 }
}

/** Opens a form with 500 properties, expands the 499 optional ones, and types into a field. */
async function timeLargeForm(browser: Browser, folder: string): Promise<void> {
  const { server, origin } = await serve(folder)
  const rows: { open: number; unfold: number; key: number; slowest: number }[] = []
  try {
    for (let visit = 0; visit <= visits; visit++) {
      const row = await withPage(browser, `${origin}/issues/very-much/`, async (page, countBytes) => {
        const first = 'dialog.play[open] [aria-label=field1]'
        const { formMs: open } = await timeOpening(page, [first, first], countBytes, 'large')
        const unfold = await page.evaluate<number>(`new Promise((resolve) => {
          const start = performance.now()
          document.querySelector('.more-rows > summary').click()
          const look = () => document.querySelector('[aria-label=field8]') ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look)
          look()
        })`)
        await page.evaluate(
          `window.keys = []; new PerformanceObserver((list) => list.getEntries().forEach((one) => one.name === 'keydown' && keys.push(one.duration))).observe({ type: 'event', durationThreshold: 16 })`,
        )
        await page.locator('[aria-label=field8]').focus()
        for (const key of 'twenty keys of a text') {
          await page.keyboard.press(key)
          await page.waitForTimeout(60)
        }
        await page.waitForTimeout(500)
        const keys = await page.evaluate<number[]>('keys')
        return { open, unfold, key: median(keys.length > 0 ? keys : [16]), slowest: Math.max(16, ...keys) }
      })
      if (visit > 0) rows.push(row)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const of = (key: 'open' | 'unfold' | 'key' | 'slowest') => median(rows.map((row) => row[key])).toFixed(0)
  console.log('\n| 500 properties | ms |\n| --- | ---: |')
  console.log(`| click until the form is there | ${of('open')} |\n| the 499 optional ones unfolded | ${of('unfold')} |`)
  console.log(`| a key until it is painted, median | ${of('key')} |\n| the slowest of 21 keys | ${of('slowest')} |`)
}
