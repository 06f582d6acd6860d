import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { crawlSite } from '../../support/crawl-site.ts'
import { runBin } from '../../support/run-bin.ts'
import { serveSite } from '../../support/serve-site.ts'

// A site with everything in it, built by the published program and served below a path under its own headers.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const base = '/docs/'
/** Set to a folder to keep pictures for looking at. */
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']

let folder: string
let server: Server
let origin: string
let browser: Browser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-test-site-'))
  const repository = join(import.meta.dirname, '../../fixtures/site/everything')
  const { stderr, code } = await runBin(['build', '.', '-o', join(folder, 'site'), '--base', base, '--quiet'], {
    cwd: repository,
  })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const served = await serveSite(join(folder, 'site'), base)
  server = served.server
  origin = served.origin
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

const kinds = {
  start: '',
  guide: 'guides/start/',
  wide: 'guides/wide/',
  center: 'guides/center/',
  custom: 'guides/custom/',
  frame: 'guides/frame/',
  changes: 'guides/changes/',
  operation: 'api-reference/trees/plant-a-tree/',
  'operation with parameters': 'api/by-hand/',
  webhook: 'api-reference/apples/an-apple-fell/',
  schema: 'api/schema/',
  endpoint: 'api/gone/',
  'other language': 'es/guides/start/',
  'other version': 'v1/',
  menu: 'products/cloud/start/',
  hidden: 'guides/hidden/',
  'all pages': 'search/',
  'end of a sign-in': '_oauth/',
  missing: 'guides/strat/',
} as const

const looks: readonly { name: string; options: BrowserContextOptions }[] = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } },
  { name: 'dark phone', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } },
]
/** Between them: where the drawing changes. */
const widths = [768, 1024, 1280]

/** A page in a context of its own, with everything it complained of. */
async function openPage(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The answer of a page that is not there is a line of the browser itself.
    if (message.type() !== 'log' && !/status of 404/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => {
    // What the browser gives up when the next page comes first is no fault of the page.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed`)
  })
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest()
    if (response.status() >= 400 && !isPage) complaints.push(`${response.url()} is ${response.status()}`)
  })
  return { page, complaints }
}

async function findAccessibilityFaults(page: Page): Promise<string[]> {
  // The policy of the page lets no script in but its own; this one is the test's.
  await page.evaluate(axe)
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
  )
  return Array.isArray(found) ? found.map(String) : ['axe did not run']
}

/** What wider than the screen is, in words. */
const overflow = 'document.documentElement.scrollWidth - innerWidth'

describe.each(looks)('in $name', ({ name, options }) => {
  test('every kind of page: nothing overflows or moves, axe finds nothing, the policy stops nothing', async () => {
    const { page, complaints } = await openPage(options)
    const faults: unknown[] = []
    await page.addInitScript(
      'window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value }).observe({ type: "layout-shift", buffered: true })',
    )
    for (const [kind, path] of Object.entries(kinds)) {
      await page.goto(`${origin}${base}${path}`)
      if (kind === 'missing') await page.getByRole('heading', { name: 'Pages with a similar address' }).waitFor()
      if (shotFolder) {
        mkdirSync(shotFolder, { recursive: true })
        await page.screenshot({ path: join(shotFolder, `${kind}-${name}.png`.replaceAll(' ', '-')), fullPage: true })
      }
      // No eye sees a thousandth, which a busy machine may make. Before axe, which scrolls. The page for missing pages adds its list when the script has it.
      const shift: unknown = kind === 'missing' ? 0 : await page.evaluate('window.shift')
      const measured = { overflow: await page.evaluate(overflow), axe: await findAccessibilityFaults(page) }
      if (measured.overflow !== 0 || measured.axe.length > 0 || Number(shift) > 0.001) faults.push({ kind, ...measured, shift })
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  }, 90_000)
})

test.each(widths)(
  'nothing is wider than a screen of %i px',
  async (width) => {
    const { page } = await openPage({ javaScriptEnabled: true, viewport: { width, height: 800 } })
    const wide: string[] = []
    for (const [kind, path] of Object.entries(kinds)) {
      await page.goto(`${origin}${base}${path}`)
      if (kind === 'missing') await page.getByRole('heading', { name: 'Pages with a similar address' }).waitFor()
      if ((await page.evaluate(overflow)) !== 0) wide.push(kind)
    }
    expect(wide).toEqual([])
  },
  60_000,
)

describe('without script', () => {
  test.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)(
    'every kind of page has its words, in %s at %i px',
    async (colorScheme, width) => {
      const { page, complaints } = await openPage({ javaScriptEnabled: false, colorScheme, viewport: { width, height: 800 } })
      for (const path of Object.values(kinds)) {
        await page.goto(`${origin}${base}${path}`)
        expect((await page.locator('h1').first().textContent())?.trim()).not.toBe('')
        expect(await page.locator('[data-theme-toggle], .needs-js').filter({ visible: true }).count()).toBe(0)
        const isBare = path === kinds['end of a sign-in']
        expect(await page.locator('.brand img').filter({ visible: true }).count()).toBe(isBare ? 0 : 1)
      }
      expect(complaints).toEqual([])
    },
    60_000,
  )

  test('the drawer of a phone opens, and leads to another page', async () => {
    const { page } = await openPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    await page.goto(`${origin}${base}guides/custom/`)
    await page.locator('.drawer > summary').click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
  })
})

describe('with the keyboard', () => {
  test('the first stop skips to the content, and what has the focus can be seen', async () => {
    const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}guides/start/`)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    expect(await skip.evaluate((link) => link.matches(':focus') && link.getBoundingClientRect().top >= 0)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    const unseen: unknown[] = []
    for (const path of [kinds.guide, kinds.operation]) {
      await page.goto(`${origin}${base}${path}`)
      for (let stop = 0; stop < 60; stop++) {
        await page.keyboard.press('Tab')
        const seen: unknown = await page.evaluate(`(() => {
          const { activeElement } = document
          if (activeElement === document.body) return 'end'
          const shown = [activeElement, activeElement.closest('label')].filter(Boolean).some((element) => getComputedStyle(element).outlineStyle !== 'none')
          return shown ? 'seen' : activeElement.outerHTML.slice(0, 200)
        })()`)
        if (seen === 'end') break
        if (seen !== 'seen') unseen.push(seen)
      }
    }
    expect(unseen).toEqual([])
  })

  test('a menu opens by Enter, its links come next, Escape closes it and gives the focus back', async () => {
    const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}guides/start/`)
    const summary = page.locator('.switch > summary').first()
    await summary.focus()
    await page.keyboard.press('Enter')
    await page.locator('.switch[open]').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('English')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.switch[open]').count()).toBe(0)
    expect(await summary.evaluate((element) => element.matches(':focus'))).toBe(true)
  })
})

test('from the start to a request and back by keys alone, and the policy stops nothing', { timeout: 60_000 }, async () => {
  const { page, complaints } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}${base}`)
  await page.keyboard.press('/')
  // Before the search is there.
  await page.keyboard.type('plant a tree')
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Plant a tree' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/plant-a-tree/)
  const opener = page.getByRole('button', { name: 'Try it' })
  for (let stop = 0; stop < 60 && !(await opener.evaluate((button) => button.matches(':focus'))); stop++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /Plant a tree/ })
  await dialog.waitFor()
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await opener.evaluate((button) => button.matches(':focus'))).toBe(true)
  expect(complaints.filter((complaint) => !complaint.startsWith('[DOM] Password field'))).toEqual([])
})

describe('what a reader chooses', () => {
  test('another language leads to the same page, one without it to the start of the other', async () => {
    const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}guides/start/`)
    await page.locator('.switch > summary').first().click()
    await page.getByRole('link', { name: 'Español' }).filter({ visible: true }).click()
    await page.waitForURL(`${origin}${base}es/guides/start/`)
    expect(await page.evaluate('document.documentElement.lang')).toBe('es')
    await page.goto(`${origin}${base}products/own/`)
    await page.locator('.switch > summary').first().click()
    await page.getByRole('link', { name: 'Español' }).filter({ visible: true }).click()
    await page.waitForURL(`${origin}${base}es/`)
  })

  test('the theme is kept, and so is that the announcement was closed', async () => {
    const { page } = await openPage({ colorScheme: 'light', viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}guides/start/`)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    await page.getByRole('button', { name: 'Close the announcement' }).click()
    await page.goto(`${origin}${base}`)
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await page.locator('.banner').isVisible()).toBe(false)
    expect(await page.locator('.brand img').filter({ visible: true }).getAttribute('src')).toContain('logo-dark')
  })

  test('the stylesheet and the script of the theme are asked for at once, and nothing is painted before the theme is known', async () => {
    const { page } = await openPage({ colorScheme: 'light' })
    await page.goto(`${origin}${base}guides/start/`)
    await page.evaluate("localStorage.setItem('theme', 'dark')")
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/^.*\/(\w+)-.*$/, '$1')))
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/theme-*.js', async (route) => {
      await isAnswered
      await route.continue()
    })
    const loaded = page.goto(`${origin}${base}guides/start/`)
    await expect.poll(() => asked).toEqual(expect.arrayContaining(['theme', 'site', 'page']))
    answer()
    await loaded
    // Not by `waitForFunction`: what is not so at first it asks by `eval`, which the policy of the page refuses.
    await expect.poll(() => page.evaluate("performance.getEntriesByName('first-paint').length")).toBe(1)
    const before = `document.documentElement.dataset.theme + performance.getEntriesByName('first-paint').every(
      ({ startTime }) => startTime >= performance.getEntriesByType('resource').find(({ name }) => name.includes('/theme-')).responseEnd)`
    expect(await page.evaluate(before)).toBe('darktrue')
  })

  test('browsers that do not wait for the theme show nothing before it, and all after a second without it', async () => {
    const { page } = await openPage({ colorScheme: 'light' })
    await page.route('**/guides/start/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(' blocking="render"', '') })
    })
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/theme-*.js', async (route) => {
      await isAnswered
      await route.abort()
    })
    // Looked at with the first frame by the page itself: from here, a busy machine may take longer than the second.
    await page.addInitScript(`(function look() {
      const heading = document.querySelector('h1')
      if (heading) window.atFirst = getComputedStyle(heading).visibility
      else requestAnimationFrame(look)
    })()`)
    await page.goto(`${origin}${base}guides/start/`, { waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('window.atFirst')).toBe('hidden')
    await page.locator('h1').waitFor()
    answer()
  })

  test('an address that has moved leads on', async () => {
    const { page } = await openPage({ javaScriptEnabled: false })
    await page.goto(`${origin}${base}old-start/`)
    await page.waitForURL(`${origin}${base}guides/start/`)
  })
})

test('every link, asset and fragment is there, and every id is the only one of its page', () => {
  const faults = crawlSite(join(folder, 'site'), base)
  expect(faults).toEqual([])
})

test('every page is read by a browser as it was written: no element is moved or closed by it', async () => {
  const { page } = await openPage({})
  await page.goto(`${origin}${base}guides/custom/`)
  const faults: unknown = await page.evaluate(
    `Promise.all(${JSON.stringify(Object.values(kinds))}.map(async (path) => {
      const text = await (await fetch(${JSON.stringify(base)} + path)).text()
      const written = {}
      for (const [, name] of text.matchAll(/<([a-z][a-z0-9]*)[\\s>\\/]/gi)) written[name.toLowerCase()] = (written[name.toLowerCase()] ?? 0) + 1
      const parsed = {}
      for (const { localName } of new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*')) parsed[localName.toLowerCase()] = (parsed[localName.toLowerCase()] ?? 0) + 1
      const differ = [...new Set([...Object.keys(written), ...Object.keys(parsed)])].filter((name) => written[name] !== parsed[name])
      return differ.length === 0 ? [] : [path + ': ' + differ.map((name) => name + ' ' + written[name] + ' → ' + parsed[name]).join(', ')]
    })).then((all) => all.flat())`,
  )
  expect(faults).toEqual([])
})
