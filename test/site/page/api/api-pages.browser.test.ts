import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { checkDescription } from '../../../../src/checks/check-description.ts'
import { launchBrowser } from '../../../support/browser.ts'
import { serve } from '../../../support/serve.ts'
import { everyPage } from './documents.ts'
import { collectBrowserErrors, serveDocument, serveSite } from './serve-site.ts'

// Run with `evaluate`, because the page's Content Security Policy would block the script.
const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** An event of a Chromium trace, with its times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
}

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  return context.newPage()
}

/** Expands all collapsible sections. */
const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details:not(.menu, .drawer)')) details.setAttribute('open', '')
  })

const isApiPage = (route: string) => !/^\/(?:$|404|_|search)/.test(route)

test('pages of every kind have no axe violations in both themes, fit a phone and have unique IDs', async () => {
  const site = await serveSite(everyPage, true)
  const page = await openPage({ viewport: { width: 360, height: 740 } })
  const browserErrors = collectBrowserErrors(page)
  for (const route of site.routes.filter(isApiPage)) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(site.address + route)
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light')
    await openAll(page)
    const twice = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
      const overflow = document.documentElement.scrollWidth - innerWidth
      const dead = [...document.querySelectorAll('main a[href^="#"]')].filter(
        (link) => !document.getElementById(decodeURIComponent((link.getAttribute('href') ?? '').slice(1))),
      )
      return { ids: ids.filter((id, index) => ids.indexOf(id) !== index), overflow, dead: dead.map((link) => link.outerHTML) }
    })
    expect({ route, ...twice }).toEqual({ route, ids: [], overflow: 0, dead: [] })
    await page.evaluate(axeText)
    const findViolations = (rules: readonly string[]) =>
      page.evaluate<string[]>(
        `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.length + ' × ' + nodes[0].html + ' ' + nodes[0].failureSummary))`,
      )
    const light = await findViolations(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    // The themes differ in their colors only.
    const dark = await findViolations(['color-contrast'])
    expect({ route, light, dark }).toEqual({ route, light: [], dark: [] })
  }
  expect(browserErrors).toEqual([])
})

test('tabs work with the keyboard and without scripts, even with thirty panels', async () => {
  const site = await serveSite(everyPage)
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(`${site.address}${site.routes.find((route) => route.includes('change-a-pet'))}`)
  const samples = page.getByRole('group', { name: 'Sample', exact: true })
  await samples.getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.getByLabel('Sample: JavaScript').isVisible()).toBe(true)
  expect(await page.getByLabel('Sample: curl').isVisible()).toBe(false)
  const body = page.locator('#body-many')
  await body.getByRole('button', { name: '1 / 30' }).click()
  await body.getByRole('radio', { name: 'Kind 12' }).check({ force: true })
  expect(await body.getByText('p11', { exact: true }).isVisible()).toBe(true)
  expect(await body.getByText('p0', { exact: true }).isVisible()).toBe(false)
  await body.getByRole('radio', { name: 'Kind 30' }).check({ force: true })
  expect(await body.getByText('p29', { exact: true }).isVisible()).toBe(true)
  expect(await body.getByText('p0', { exact: true }).isVisible()).toBe(false)
})

/** Two groups of operations, one of them with long samples, in a sidebar that is too large to list everything. */
function describeLargeSite(items = 400) {
  const schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
  const long = { 'application/json': { example: Array.from({ length: items }, (_, id) => ({ id })), schema } }
  const toOperation = (tag: string, index: number) => ({
    tags: [tag],
    summary: `${tag} ${index}`,
    ...(index === 30 && { requestBody: { content: long } }),
    responses: { 200: { description: 'OK', ...(index > 28 && { content: long }) } },
  })
  const paths = ['pears', 'plums'].flatMap((tag) =>
    Array.from({ length: 40 }, (_, index) => [`/${tag}/${index}`, { post: toOperation(tag, index) }] as const),
  )
  const links = Array.from({ length: 300 }, (_, index) => `https://example.com/${index}`)
  return {
    'docs.json': JSON.stringify({
      name: 'Large',
      navigation: { openapi: { source: 'openapi.json', directory: '/' }, groups: [{ group: 'Links', pages: links }] },
    }),
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Large', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: Object.fromEntries(paths),
    }),
  }
}

test('on a large site, long samples scroll inside the window and the sidebar keeps its place', async () => {
  const site = await serveSite(describeLargeSite())
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/pears/pears-30/`)
  // Both panels have equal shares of the window, and their last lines can be reached.
  const panels = page.locator('.aside > .code')
  const [request, response] = [await panels.nth(0).boundingBox(), await panels.nth(1).boundingBox()]
  expect(Math.abs((request?.height ?? 0) - (response?.height ?? 0))).toBeLessThan(2)
  expect((response?.y ?? 0) + (response?.height ?? 0)).toBeLessThanOrEqual(800)
  for (const panel of await panels.all()) {
    const reached = await panel.evaluate((element) => {
      const scroller = [...element.querySelectorAll('.tabs > div')].find((one) => one.clientHeight > 0)
      if (!scroller) return undefined
      scroller.scrollTop = scroller.scrollHeight
      const end = scroller.querySelector('pre')?.getBoundingClientRect().bottom ?? 0
      return { isScrolled: scroller.scrollTop > 500, isVisible: end <= innerHeight }
    })
    expect(reached).toEqual({ isScrolled: true, isVisible: true })
  }
  // A short request leaves the rest of the height to the response.
  await page.goto(`${site.address}/pears/pears-29/`)
  const [short, long] = [await panels.nth(0).boundingBox(), await panels.nth(1).boundingBox()]
  expect(short?.height).toBeLessThan(300)
  expect((short?.height ?? 0) + (long?.height ?? 0)).toBeGreaterThan(600)

  const entry = (name: string) => page.locator('.side').getByRole('link', { name: `POST ${name}`, exact: true })
  const topOf = async (name: string) => (await entry(name).boundingBox())?.y ?? 0
  // The current entry is in view, and a clicked entry stays where it was.
  expect(await topOf('pears 29')).toBeGreaterThan(0)
  expect(await topOf('pears 29')).toBeLessThan(760)
  const before = await topOf('pears 33')
  await entry('pears 33').click()
  await page.waitForURL(/pears-33/)
  await expect.poll(() => topOf('pears 33')).toBeCloseTo(before, 0)
  const plums = page.locator('.side section > a', { hasText: 'lums' })
  expect((await plums.boundingBox())?.height).toBe(32)
  await plums.click()
  await entry('plums 3').waitFor()
  expect(page.url()).toMatch(/pears-33/)
  expect(await page.locator('.side summary:focus').innerText()).toMatch(/lums$/)
  // A reader who moves on while the pages load keeps the focus.
  await page.reload()
  await page.route('**/plums/**', (route) => page.keyboard.press('Tab').then(() => route.continue()))
  await plums.press('Enter')
  await entry('plums 3').waitFor()
  expect(await page.locator('.side summary:focus').count()).toBe(0)
  await page.unroute('**/plums/**')
  expect(await page.locator('.side [aria-current=page]').count()).toBe(1)
  await page.evaluate(axeText)
  const findViolations = () => page.evaluate<string[]>('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
  expect(await findViolations()).toEqual([])
  // axe checks the content of the sidebar only if its <details> element is open.
  await page.evaluate("document.querySelector('.drawer').open = true")
  expect(await findViolations()).toEqual([])
  await page.evaluate("document.querySelector('.drawer').open = false")
  await entry('plums 3').click()
  await page.waitForURL(/plums-3\/$/)
  // On phones, the navigation opens at the current entry.
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto(`${site.address}/plums/plums-33/`)
  await page.locator('.drawer > summary').click()
  await expect.poll(() => topOf('plums 33')).toBeLessThan(560)
  expect(browserErrors).toEqual([])
})

test('the rest of a long sample has the same colors as its beginning when the reader scrolls to it', async () => {
  const site = await serveSite(describeLargeSite())
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/pears/pears-29/`)
  const readColored = () =>
    page.evaluate(() =>
      Object.fromEntries(
        [...CSS.highlights].map(([color, ranges]) => [
          color,
          [...ranges].map(({ startContainer, startOffset, endOffset }) =>
            startContainer.nodeValue?.slice(startOffset, endOffset),
          ),
        ]),
      ),
    )
  const sample = page.getByRole('group', { name: 'Example response: 200' })
  const last = sample.locator('[data-rest]')
  expect(await sample.locator('.n').last().textContent()).toBe('39')
  expect(await readColored()).toEqual({})
  await last.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  const ids = Array.from({ length: 360 }, (_, id) => String(id + 40))
  await expect.poll(readColored).toEqual({ f: ids.map(() => '"id"'), n: ids })
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
    const colors = await last.evaluate((element) =>
      ['f', 'n'].map((name) => [
        getComputedStyle(element, `::highlight(${name})`).color,
        getComputedStyle(document.querySelector(name === 'f' ? 'pre var' : 'pre .n') ?? element).color,
      ]),
    )
    for (const [rest, start] of colors) expect(rest).toBe(start)
    expect(new Set(colors.flat()).size).toBe(2)
  }
  expect(browserErrors).toEqual([])
})

test('pages have no layout shifts while their HTML arrives slowly', async () => {
  const long = describeLargeSite(40)
  const nested = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'object', properties: { id: { type: 'string' } } } },
  })
  const document = JSON.parse(long['openapi.json'])
  document.paths['/pears/30'].post.requestBody.content['application/json'].schema = {
    type: 'object',
    properties: { one: nested('a'), two: nested('b') },
  }
  const site = await serveSite({ ...long, 'openapi.json': JSON.stringify(document) })
  // Its right column is in the middle of the article.
  const start = await serveDocument(orchard)
  const pages = new Map([
    ['/pears/pears-30/', site],
    ['/', start],
  ])
  let next = () => {}
  const address = await serve((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/next') {
      next()
      response.end()
    } else if (path.startsWith('/_')) {
      const owner = [site, start].find(({ files }) => files.has(path.slice(1))) ?? site
      void fetch(owner.address + path).then(async (answer) => {
        response.writeHead(200, { 'content-type': answer.headers.get('content-type') ?? '' })
        response.end(await answer.text())
      })
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      // As in browsers that paint pages before all of them have arrived.
      const html =
        pages
          .get(path)
          ?.files.get(`${path.slice(1)}index.html`)
          ?.replace(/<link rel="expect"[^>]*>/, '') ?? ''
      // Sends a piece of the page when the browser has painted the previous one.
      const left = html.split(/(?=<(?:div|section|details|label|pre)\b)|(?<=\n) {4}/)
      next = () => {
        const some = left.splice(0, 8)
        if (some.length > 0) response.write(some.join(''))
        else response.end()
      }
      next()
      next()
    }
  })
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 844],
  ] as const) {
    const page = await openPage({ viewport: { width, height }, bypassCSP: true })
    await page.addInitScript(`window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80)), JSON.stringify(sources.map(({ previousRect, currentRect }) => [previousRect, currentRect]))].join(' '))
}).observe({ type: 'layout-shift', buffered: true })
const painted = () => requestAnimationFrame(() => setTimeout(() => fetch('/next')
  .then(() => { if (document.readyState === 'loading') painted() }), 0))
painted()`)
    for (const [path, part] of [
      ['/pears/pears-30/', '.part .expand'],
      ['/', '.tag-cards .card'],
    ] as const) {
      await page.goto(address + path)
      expect(await page.locator(part).count()).toBeGreaterThan(0)
      expect(
        await page.evaluate(
          'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts))))',
        ),
      ).toEqual([])
    }
  }
})

test('a page is painted when all of it has arrived, unless it is very long', async () => {
  const large = describeLargeSite()
  const site = await serveSite({ ...large, 'guide.mdx': 'word '.repeat(101_000) })
  const html = site.files.get('pears/pears-30/index.html') ?? ''
  const middle = html.indexOf('</h1>')
  let finish = () => {}
  const address = await serve((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path.startsWith('/_')) {
      void fetch(site.address + path).then(async (answer) => {
        response.writeHead(200, { 'content-type': answer.headers.get('content-type') ?? '' })
        response.end(await answer.text())
      })
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, middle))
      finish = () => response.end(html.slice(middle))
    }
  })
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${address}/pears/pears-30/`, { waitUntil: 'commit' })
  const findPaint = () => page.evaluate<number | undefined>("performance.getEntriesByName('first-paint')[0]?.startTime")
  const isStyled = () => page.evaluate<boolean>("document.styleSheets.length > 0 && 'theme' in document.documentElement.dataset")
  await expect.poll(isStyled).toBe(true)
  // Nothing else blocks the first paint now.
  await page.waitForTimeout(300)
  expect(await findPaint()).toBeUndefined()
  finish()
  await expect.poll(findPaint).toBeGreaterThan(0)
  expect(site.files.get('guide/index.html')).not.toContain('rel="expect"')
})

test('on phones, the script of a page does not wait for the layout of the closed navigation', async () => {
  const site = await serveSite(describeLargeSite())
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await page.goto(`${site.address}/pears/pears-30/`)
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))')
  // Chromium's trace format.
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { readonly traceEvents: readonly TraceEvent[] }
  const scripts = traceEvents.filter(({ name }) => name === 'FireAnimationFrame')
  const layouts = traceEvents.filter(({ name }) => name === 'Layout')
  expect(layouts.length).toBeGreaterThan(0)
  const isInside = (inner: TraceEvent, outer: TraceEvent) =>
    inner.pid === outer.pid && inner.tid === outer.tid && inner.ts >= outer.ts && inner.ts < outer.ts + (outer.dur ?? 0)
  expect(layouts.filter((layout) => scripts.some((script) => isInside(layout, script)))).toEqual([])
})

test('a button expands and collapses all parts of a section', async () => {
  const site = await serveSite(everyPage)
  const page = await openPage()
  await page.goto(`${site.address}${site.routes.find((route) => route.includes('change-a-pet'))}`)
  const part = page.locator('.part', { has: page.locator('.expand') }).first()
  const folds = part.locator('details.nest')
  const opened = part.locator('details.nest[open]')
  expect(await folds.count()).toBeGreaterThan(1)
  await part.getByRole('button', { name: 'Expand all' }).click()
  expect(await opened.count()).toBe(await folds.count())
  await part.getByRole('button', { name: 'Collapse all' }).click()
  expect(await opened.count()).toBe(0)
  // Without scripts, it would do nothing.
  const plain = await openPage({ javaScriptEnabled: false })
  await plain.goto(page.url())
  expect(await plain.locator('.expand').first().isVisible()).toBe(false)
})

/** A document with tags in every form. */
const orchard = {
  openapi: '3.1.0',
  info: {
    title: 'Orchard',
    version: '2.4.0',
    summary: 'Plant trees',
    description: 'The **Orchard** API.',
    license: { name: 'MIT' },
  },
  servers: [
    { url: 'https://api.example.com/{version}', description: 'Production', variables: { version: { default: 'v2' } } },
    { url: 'https://sandbox.example.com' },
  ],
  security: [{ token: [] }],
  tags: [
    { name: 'trees', 'x-displayName': 'Trees & bushes', description: 'Plant **trees**. See [rates](https://example.com).' },
    { name: 'fruit', 'x-group': 'All fruit', description: 'Pick fruit.' },
    {
      name: 'api-keys',
      description: `## Keys\n\nCreate \`keys\`,\nand keep them **secret**. A key belongs to one person. It is valid for a year. ${'Create another one before it ends. '.repeat(5)}\n\nMore.`,
    },
  ],
  paths: {
    '/trees': {
      get: { tags: ['trees'], summary: 'List trees', responses: { 200: { description: 'OK' } } },
      post: { tags: ['trees'], summary: 'Plant a tree', responses: { 200: { description: 'OK' } } },
    },
    '/fruit/{fruit_identifier}/harvests/{harvest_identifier}/measurements': {
      get: { tags: ['fruit'], summary: 'List fruit', responses: { 200: { description: 'OK' } } },
    },
    '/keys': { get: { tags: ['api-keys'], summary: 'List keys', responses: { 200: { description: 'OK' } } } },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
}

test('the site of a single document has a start page with servers, authorization, downloads and tags, and tag pages', async () => {
  const site = await serveDocument(orchard)
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/`)
  const text = await page.locator('main article').innerText()
  for (const part of ['Plant trees', 'Version 2.4.0', 'MIT', 'Bearer token in the Authorization header', 'The Orchard API.'])
    expect(text).toContain(part)
  const copies = await page
    .locator('main [data-copy^=http]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-copy')))
  expect(copies).toEqual(['https://api.example.com/v2', 'https://api.example.com/v2', 'https://sandbox.example.com'])
  expect((await page.locator('.start').innerText()).replace(/\s+/g, ' ')).toMatch(
    /^Base URL https:\/\/api\.example\.com\/v2 Authorization Bearer token First request: List trees .* curl https:\/\/api\.example\.com\/v2\/trees /,
  )
  const downloads = await page.locator('a[download].btn').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  expect(downloads).toEqual(['/openapi.json', '/openapi.yaml'])
  expect(parse(site.files.get('openapi.yaml') ?? '')).toEqual(orchard)
  expect((await page.locator('.tag-cards .card').allInnerTexts()).map((one) => one.replace(/\s+/g, ' '))).toEqual([
    'Trees & bushes Plant trees. See rates. GET List trees POST Plant a tree',
    'All fruit Pick fruit. GET List fruit',
    'API keys Create keys, and keep them secret. A key belongs to one person. It is valid for a year. Create another one before it ends. Create another one before it ends. GET List keys',
  ])
  expect(await page.locator('.crumbs').count()).toBe(0)
  expect(await page.locator('main .prose').getAttribute('dir')).toBe('auto')
  expect((await page.locator('.side summary').allInnerTexts()).map((one) => one.trim())).toContain('API keys')
  await page.locator('.tag-cards').getByRole('link', { name: 'Trees & bushes' }).click()
  await page.getByRole('heading', { name: 'Trees & bushes', level: 1 }).waitFor()
  await expect.poll(() => page.locator('.lead').innerText()).toBe('Plant trees. See rates.')
  expect((await page.locator('.usedby a').allInnerTexts()).map((one) => one.replace(/\s+/g, ' '))).toEqual([
    'GET List trees /trees',
    'POST Plant a tree /trees',
  ])
  await page.setViewportSize({ width: 360, height: 740 })
  for (const route of ['/', '/trees/overview/', '/fruit/overview/']) {
    await page.goto(site.address + route)
    expect({ route, overflow: await page.evaluate('document.documentElement.scrollWidth - innerWidth') }).toEqual({
      route,
      overflow: 0,
    })
    await page.evaluate(axeText)
    const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
    expect({ route, violations }).toEqual({ route, violations: [] })
  }
  expect(browserErrors).toEqual([])
})

const orchardSite = (navigation: unknown, more: Readonly<Record<string, string>> = {}) => ({
  'docs.json': JSON.stringify({ name: 'Orchard docs', navigation }),
  'openapi.json': JSON.stringify(orchard),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello\n',
  'auth.mdx': '---\ntitle: Authentication\n---\n\nUse a token.\n',
  ...more,
})
const guides = { tab: 'Guides', pages: ['index'] }

test('in a site with docs.json, generated navigation starts with the pages of the API and of its tags', async () => {
  const site = await serveSite(orchardSite({ tabs: [guides, { tab: 'API', openapi: 'openapi.json' }] }))
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/`)
  await page.getByRole('link', { name: 'API', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Orchard', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/api-reference/overview/')
  const text = await page.locator('main article').innerText()
  for (const part of ['Plant trees', 'Version 2.4.0', 'Bearer token in the Authorization header', 'The Orchard API.'])
    expect(text).toContain(part)
  const copies = await page
    .locator('main [data-copy^=http]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-copy')))
  expect(copies).toEqual(['https://api.example.com/v2', 'https://api.example.com/v2', 'https://sandbox.example.com'])
  for (const name of ['JSON', 'YAML']) {
    const href = await page.getByRole('link', { name: `Download ${name}` }).getAttribute('href')
    expect(parse(site.files.get((href ?? '').slice(1)) ?? '')).toEqual(orchard)
  }
  expect(await page.locator('.tag-cards .card b').allInnerTexts()).toEqual(['Trees & bushes', 'All fruit', 'API keys'])
  // Pagers name the pages, which are all called "Overview" in the sidebar.
  expect(await page.getByRole('link', { name: 'Next Trees & bushes' }).count()).toBe(1)
  await page.locator('.tag-cards').getByRole('link', { name: 'Trees & bushes' }).click()
  await page.getByRole('heading', { name: 'Trees & bushes', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/api-reference/trees/overview/')
  expect((await page.locator('.crumbs').innerText()).split(/\s*\n\s*/).join(' > ')).not.toMatch(/overview/i)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    for (const route of ['/api-reference/overview/', '/api-reference/trees/overview/']) {
      await page.goto(site.address + route)
      await page.evaluate(axeText)
      const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
      const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect({ route, width, violations, overflow }).toEqual({ route, width, violations: [], overflow: 0 })
    }
  }
  expect(site.files.get('api-reference/overview.md')).toContain('The **Orchard** API.')
  expect(browserErrors).toEqual([])
})

test.each<[string, unknown, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'a page of the author stays the start of its division',
    { tabs: [guides, { tab: 'API', openapi: 'openapi.json', groups: [{ group: 'Start', pages: ['auth'] }] }] },
    {},
    ['trees', 'fruit', 'api-keys'].map((tag) => `/api-reference/${tag}/overview/`),
  ],
  [
    'explicit page lists stay as they are',
    { tabs: [guides, { tab: 'API', openapi: 'openapi.json', groups: [{ group: 'Trees', pages: ['GET /trees'] }] }] },
    {},
    [],
  ],
  [
    'the setting turns overviews off',
    { tabs: [guides, { tab: 'API', openapi: 'openapi.json' }] },
    { 'openapi-pages.config.yaml': 'overviews: {API: false}\n' },
    [],
  ],
  [
    'a division and a tag with the name "Overview" contain no second "Overview"',
    { tabs: [guides, { tab: 'Overview', openapi: { source: 'openapi.json', directory: 'ref' } }] },
    { 'openapi.json': JSON.stringify(orchard).replaceAll('"All fruit"', '"Overview"') },
    ['/ref/overview/', '/ref/trees/overview/', '/ref/fruit/overview/', '/ref/api-keys/overview/'],
  ],
])('overviews in a site with docs.json: %s', async (_what, navigation, more, expected) => {
  const site = await serveSite(orchardSite(navigation, more))
  expect(site.routes.filter((route) => route.endsWith('/overview/'))).toEqual(expected)
  const page = await openPage()
  for (const route of expected) {
    await page.goto(site.address + route)
    expect(await page.locator('.side summary').first().innerText()).not.toMatch(/overview \/ overview/i)
  }
})

test('samples follow the media type, the body and the server', async () => {
  const site = await serveSite(everyPage)
  const page = await openPage()
  await page.goto(`${site.address}${site.routes.find((route) => route.includes('change-a-pet'))}`)
  const sample = page.getByLabel('Sample: curl')
  const menu = page.getByRole('combobox', { name: 'Body of the sample' })
  const asBuilt = await sample.innerHTML()
  expect(asBuilt.replaceAll('<wbr>', '')).toContain('https://eu.example.com/v1/pets/')
  await page.locator('#body ~ .choice').getByRole('radio', { name: 'multipart/form-data' }).check({ force: true })
  await expect.poll(() => sample.innerText()).toContain("-F 'photo")
  expect(await menu.inputValue()).toBe('multipart/form-data')
  expect(await sample.locator('i').count()).toBeGreaterThan(0)
  await page.getByRole('combobox', { name: 'Server' }).selectOption('https://test.example.com')
  await expect.poll(() => sample.innerText()).toContain('https://test.example.com/pets/')
  expect(await page.locator('.copy-url').getAttribute('data-copy')).toBe('https://test.example.com/pets/{petId}')
  await menu.selectOption({ index: 0 })
  await expect.poll(() => sample.innerText()).not.toContain("-F 'photo")
  await page.getByRole('combobox', { name: 'Server' }).selectOption({ index: 0 })
  await expect.poll(() => sample.innerHTML()).toBe(asBuilt)
})

test('the remembered language is visible and no tab is below the copy button', async () => {
  const site = await serveSite(everyPage)
  const page = await openPage({ viewport: { width: 300, height: 740 } })
  await page.goto(`${site.address}${site.routes.find((route) => route.includes('change-a-pet'))}`)
  await page.evaluate(() => localStorage.setItem('choice:lang', 'Go'))
  await page.reload()
  const positions = await page.locator('#samples [data-sync]').evaluate((tabs) => {
    const right = (selector: string) => tabs.querySelector(selector)?.getBoundingClientRect().right ?? 0
    const copy = tabs.querySelector('.copy')?.getBoundingClientRect().left ?? 0
    return { isVisible: right('label:has(:checked)') <= right('fieldset') + 1, isApart: right('fieldset') <= copy }
  })
  expect(positions).toEqual({ isVisible: true, isApart: true })
  expect(await page.getByLabel('Sample: Go').isVisible()).toBe(true)
})

test('print.html loads a tag, and pages are printed expanded, without navigation', async () => {
  const site = await serveSite(everyPage)
  const page = await openPage({ colorScheme: 'dark' })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-was-printed', '')
  })
  await page.goto(`${site.address}/print.html#part-pets`)
  await page.locator('[data-was-printed]').waitFor()
  const printed = page.locator('.printed > .page')
  expect(await printed.locator('h1').allInnerTexts()).toEqual(['Pets', 'Change a pet deprecated'])
  expect(await printed.locator('details:not([open]), button, nav').count()).toBe(0)
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { name: 'Print', exact: true }).isVisible()).toBe(false)
  await page.goto(`${site.address}${site.routes.find((route) => route.includes('change-a-pet'))}`)
  expect(await page.locator('.top, .side, .crumbs, .pager, .btn').filter({ visible: true }).count()).toBe(0)
  expect(await page.locator('details:not([open]) .p-head > a').first().isVisible()).toBe(true)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
})

test('drawn diagrams and printed APIs have no axe violations, in both themes', async () => {
  const site = await serveSite({
    ...everyPage,
    'docs.json': JSON.stringify({
      name: 'All',
      navigation: {
        tabs: [
          { tab: 'API', openapi: 'openapi.json' },
          { tab: 'Own', pages: ['diagram'] },
        ],
      },
    }),
    'diagram.mdx': '---\ntitle: Diagram\n---\n\n```mermaid\nflowchart LR\n  Pull[Pull request] --> Check --> Merge\n```\n',
  })
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-was-printed', '')
  })
  const browserErrors = collectBrowserErrors(page)
  const pages = {
    '/diagram/': '.diagram[data-state=drawn] img',
    '/print.html#part-pets': '[data-was-printed] .printed > .page h1',
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [path, content] of Object.entries(pages)) {
      await page.goto(site.address + path)
      await page.reload()
      await page.locator(content).first().waitFor()
      await page.evaluate(axeText)
      const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
      expect({ path, colorScheme, violations }).toEqual({ path, colorScheme, violations: [] })
    }
  }
  expect(browserErrors).toEqual([])
})

test('operation, tag and API pages link to print.html, which limits how much is printed', async () => {
  const site = await serveDocument(orchard)
  const page = await openPage()
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-was-printed', '')
  })
  const printed = async () => {
    await page.locator('[data-was-printed]').waitFor()
    return page.locator('.printed > .page h1').allInnerTexts()
  }
  await page.goto(`${site.address}/trees/list-trees/`)
  await page.locator('main .menu > summary').click()
  await page.getByRole('link', { name: 'Print: Trees & bushes' }).click()
  expect(await printed()).toEqual(['Trees & bushes', 'List trees', 'Plant a tree'])
  await page.goto(`${site.address}/fruit/overview/`)
  await page.getByRole('link', { name: 'Print this tag' }).click()
  expect(await printed()).toEqual(['All fruit', 'List fruit'])
  await page.goto(`${site.address}/`)
  await page.getByRole('link', { name: 'Print this API' }).click()
  expect(await printed()).toEqual([
    'Orchard',
    'Trees & bushes',
    'List trees',
    'Plant a tree',
    'All fruit',
    'List fruit',
    'API keys',
    'List keys',
  ])
  const large = await serveSite({
    'docs.json': JSON.stringify({
      navigation: {
        tabs: [
          {
            tab: 'Large',
            groups: [
              { group: 'One', pages: Array.from({ length: 499 }, (_, index) => `one/${index}`) },
              { group: 'Two', pages: ['two/0', 'two/1'] },
            ],
          },
        ],
      },
    }),
    ...Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`one/${index}.mdx`, 'Text\n'])),
    'two/0.mdx': 'Text\n',
    'two/1.mdx': 'Text\n',
  })
  await page.goto(`${large.address}/print.html#part-large`)
  await expect
    .poll(() => page.locator('[data-print-status]').innerText())
    .toBe('501 pages, at most 500 can be printed together. Print a group below.')
  expect(await page.getByRole('button', { name: 'Print One: 499 pages' }).count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Print Two: 2 pages' }).count()).toBe(1)
  expect(await page.getByRole('button', { name: /^Print/ }).count()).toBe(2)
})

test('a long title and a short one are next to the menu', async () => {
  const long = 'Create or update the default branch protection rules of all repositories'
  const site = await serveSite({
    'docs.json': JSON.stringify({ navigation: { pages: ['long', 'short'] } }),
    'long.mdx': `---\ntitle: ${long} of an organization with administrators\n---\nText\n`,
    'short.mdx': '---\ntitle: Start\n---\nText\n',
  })
  const page = await openPage()
  const measure = async (route: string, width: number) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${site.address}/${route}/`)
    return page.locator('.title').evaluate((title) => {
      const box = (selector: string) => title.querySelector(selector)?.getBoundingClientRect()
      const [heading, menu] = [box('h1'), box('.menu')]
      if (!heading || !menu) return undefined
      const overflow = document.documentElement.scrollWidth - innerWidth
      return { isBeside: menu.top < heading.bottom && menu.left >= heading.right, overflow }
    })
  }
  for (const width of [1440, 1024, 390]) {
    for (const route of ['long', 'short']) expect(await measure(route, width)).toEqual({ isBeside: true, overflow: 0 })
  }
})

test('an unbound page has no API reference, and only the preview shows a hint', async () => {
  const page = await openPage()
  const preview = await serveSite(everyPage, true)
  await page.goto(`${preview.address}/unbound/`)
  expect(await page.getByLabel('Preview only').innerText()).toMatch(
    /^Preview only: this page has no API reference\. .*POST \/pet/,
  )
  const built = await serveSite(everyPage)
  await page.goto(`${built.address}/unbound/`)
  expect(await page.locator('main').innerText()).toContain('Text of the page.')
  expect(await page.locator('.hint, .endpoint, .aside').count()).toBe(0)
})

test('an endpoint page without a document shows its path and server', async () => {
  const page = await openPage()
  const site = await serveSite(everyPage)
  await page.goto(`${site.address}/endpoint/`)
  expect(await page.locator('.endpoint').innerText()).toMatch(/POST\s+\/things\/\{id\}[\s\S]*https:\/\/mdx\.example\.com/)
  await page.goto(`${site.address}/endpoint-get/`)
  expect(await page.locator('.endpoint').innerText()).toMatch(/GET\s+\/things[\s\S]*https:\/\/other\.example\.com/)
})

test('publishes a valid OpenAPI document for each operation, and the full document', async () => {
  const { files } = await serveSite(everyPage)
  expect(files.get('openapi.json')).toBe(everyPage['openapi.json'])
  const slices = [...files].filter(([path]) => path.endsWith('.openapi.json'))
  expect(slices).toHaveLength(5)
  for (const [path, text] of slices) {
    const html = files.get(path.replace('.openapi.json', '/index.html')) ?? ''
    expect(html).toContain(`href="/${path}"`)
    const read = (name: string) => new TextEncoder().encode(name === 'a.json' ? text : files.get('openapi.json'))
    const check = await checkDescription('a.json', async (name) => ({ kind: 'loaded', bytes: read(name) }))
    expect(check.findings.filter(({ code, file }) => file === 'a.json' && !code.startsWith('example'))).toEqual([])
  }
})
