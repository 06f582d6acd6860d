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

// A site with every feature, built with the CLI and served below a base path with its own headers.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const base = '/docs/'
/** Set to a directory to save screenshots. */
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
  print: 'print.html',
  'end of a sign-in': '_oauth/',
  missing: 'guides/strat/',
} as const

const looks: readonly { name: string; options: BrowserContextOptions }[] = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } },
  { name: 'dark phone', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } },
]

/** Opens a page in a new context and collects its errors. */
async function openPage(options: BrowserContextOptions): Promise<{ page: Page; browserErrors: string[] }> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const browserErrors: string[] = []
  page.on('console', (message) => {
    // The browser logs 404 responses itself.
    if (message.type() !== 'log' && !/status of 404/.test(message.text())) browserErrors.push(message.text())
  })
  page.on('pageerror', (error) => browserErrors.push(String(error)))
  page.on('requestfailed', (request) => {
    // The browser aborts requests when the test navigates away.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') browserErrors.push(`${request.url()} failed`)
  })
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest()
    if (response.status() >= 400 && !isPage) browserErrors.push(`${response.url()} is ${response.status()}`)
  })
  return { page, browserErrors }
}

async function findAccessibilityViolations(page: Page): Promise<string[]> {
  // `evaluate` is not subject to the page's Content Security Policy.
  await page.evaluate(axe)
  // On wide screens, axe checks the content of the sidebar only if its <details> element is open.
  await page.evaluate("if (innerWidth >= 1024) document.querySelector('.drawer')?.setAttribute('open', '')")
  const found: unknown = await page.evaluate(
    'axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
  )
  return Array.isArray(found) ? found.map(String) : ['axe did not run']
}

/** How much wider than the screen the page is. */
const overflow = 'document.documentElement.scrollWidth - innerWidth'

describe.each(looks)('in $name', ({ name, options }) => {
  test('every kind of page has no overflow, layout shifts, axe violations or policy violations', async () => {
    const { page, browserErrors } = await openPage(options)
    const failures: unknown[] = []
    await page.addInitScript(
      'window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value }).observe({ type: "layout-shift", buffered: true })',
    )
    for (const [kind, path] of Object.entries(kinds)) {
      await page.goto(`${origin}${base}${path}`)
      if (kind === 'missing') await page.locator('.nearest li').first().waitFor()
      if (shotFolder) {
        mkdirSync(shotFolder, { recursive: true })
        await page.screenshot({ path: join(shotFolder, `${kind}-${name}.png`.replaceAll(' ', '-')), fullPage: true })
      }
      // Measured before axe, which scrolls. Allow tiny shifts on a busy machine.
      const shift: unknown = await page.evaluate('window.shift')
      const measured = { overflow: await page.evaluate(overflow), axe: await findAccessibilityViolations(page) }
      if (measured.overflow !== 0 || measured.axe.length > 0 || Number(shift) > 0.001) failures.push({ kind, ...measured, shift })
    }
    expect(failures).toEqual([])
    expect(browserErrors).toEqual([])
  }, 90_000)
})

test('every kind of page fits screens of each width', async () => {
  const { page } = await openPage({ javaScriptEnabled: true })
  const wide: string[] = []
  for (const [kind, path] of Object.entries(kinds)) {
    await page.goto(`${origin}${base}${path}`)
    if (kind === 'missing') await page.locator('.nearest li').first().waitFor()
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      if ((await page.evaluate(overflow)) !== 0) wide.push(`${kind} at ${width} px`)
    }
  }
  expect(wide).toEqual([])
})

describe('without script', () => {
  test.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)(
    'every kind of page shows its content, in %s at %i px',
    async (colorScheme, width) => {
      const { page, browserErrors } = await openPage({ javaScriptEnabled: false, colorScheme, viewport: { width, height: 800 } })
      for (const path of Object.values(kinds)) {
        await page.goto(`${origin}${base}${path}`)
        expect((await page.locator('h1').first().textContent())?.trim()).not.toBe('')
        expect(await page.locator('[data-theme-toggle], .needs-js').filter({ visible: true }).count()).toBe(0)
        const isBare = path === kinds['end of a sign-in']
        expect(await page.locator('.brand img').filter({ visible: true }).count()).toBe(isBare ? 0 : 1)
      }
      expect(browserErrors).toEqual([])
    },
    60_000,
  )

  test('the navigation drawer on phones opens and links to other pages', async () => {
    const { page } = await openPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    await page.goto(`${origin}${base}guides/custom/`)
    await page.locator('.drawer > summary').click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
  })
})

test('the sections of the drawer on phones have the same space above', async () => {
  const { page } = await openPage({ viewport: { width: 360, height: 740 } })
  await page.goto(`${origin}${base}guides/start/`)
  await page.locator('.drawer > summary').click()
  const spaces = await page.locator('.drawer nav > section.small').evaluateAll((sections) =>
    sections.slice(1).map((section) => {
      const before = section.previousElementSibling?.getBoundingClientRect().bottom ?? 0
      return [section.querySelector('h2')?.innerText, Math.round(section.getBoundingClientRect().top - before)]
    }),
  )
  expect(spaces.length).toBeGreaterThan(1)
  expect(spaces).toEqual(spaces.map(([title]) => [title, 20]))
})

test.each(['search/', 'print.html'])('the titles of operations and webhooks are aligned on %s', async (path) => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}${base}${path}`)
  const marks = await page.locator('.all-pages .m').evaluateAll((all) =>
    all.map((mark) => {
      const title = document.createRange()
      title.selectNodeContents(mark.nextSibling ?? mark)
      return { method: mark.textContent, left: Math.round(title.getBoundingClientRect().left) }
    }),
  )
  expect(marks.map(({ method }) => method)).toContain('WEBHOOK')
  expect(new Set(marks.map(({ left }) => left)).size).toBe(1)
})

describe('with the keyboard', () => {
  test('the first tab stop skips to the content, and the focus is always visible', async () => {
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

  test('Enter opens a menu, its links follow in tab order, and Escape closes it and restores the focus', async () => {
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

test('the search and the playground work with the keyboard alone, without policy violations', async () => {
  const { page, browserErrors } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}${base}`)
  await page.keyboard.press('/')
  // Type before the search is loaded.
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
  expect(browserErrors.filter((error) => !error.startsWith('[DOM] Password field'))).toEqual([])
})

describe('reader preferences', () => {
  test('the language menu links to the same page, else to the start page of the other language', async () => {
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

  test('remembers the theme and a closed banner', async () => {
    const { page } = await openPage({ colorScheme: 'light', viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}guides/start/`)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    await page.getByRole('button', { name: 'Close announcement' }).click()
    await page.goto(`${origin}${base}`)
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await page.locator('.banner').isVisible()).toBe(false)
    expect(await page.locator('.brand img').filter({ visible: true }).getAttribute('src')).toContain('logo-dark')
  })

  test('loads the stylesheet and the theme script in parallel, and paints nothing before the theme is set', async () => {
    const { page } = await openPage({ colorScheme: 'light' })
    await page.goto(`${origin}${base}guides/start/`)
    await page.evaluate("localStorage.setItem('theme', 'dark')")
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname.replace(/^.*\/(\w+)-.*$/, '$1')))
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/theme-*.js', async (route) => {
      await isAnswered
      await route.continue()
    })
    const loaded = page.goto(`${origin}${base}guides/start/`)
    await expect.poll(() => requested).toEqual(expect.arrayContaining(['theme', 'site', 'page']))
    answer()
    await loaded
    // `waitForFunction` uses `eval`, which the page's Content Security Policy blocks.
    await expect.poll(() => page.evaluate("performance.getEntriesByName('first-paint').length")).toBe(1)
    const before = `document.documentElement.dataset.theme + performance.getEntriesByName('first-paint').every(
      ({ startTime }) => startTime >= performance.getEntriesByType('resource').find(({ name }) => name.includes('/theme-')).responseEnd)`
    expect(await page.evaluate(before)).toBe('darktrue')
  })

  test('browsers without render-blocking scripts hide the page until the theme is set or a second has passed', async () => {
    const { page } = await openPage({ colorScheme: 'light' })
    await page.route('**/guides/start/', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(' blocking="render"', '') })
    })
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/theme-*.js', async (route) => {
      await isAnswered
      await route.abort()
    })
    // The page itself checks its first frame, because the test could take longer than a second on a busy machine.
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

  test('follows redirects', async () => {
    const { page } = await openPage({ javaScriptEnabled: false })
    await page.goto(`${origin}${base}old-start/`)
    await page.waitForURL(`${origin}${base}guides/start/`)
  })
})

test('all links of the page for missing URLs look like links in text', async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}${base}${kinds.missing}`)
  await page.locator('.nearest li').first().waitFor()
  const looks = await page.locator('main li').evaluateAll((all) =>
    all.map((item) => {
      const link = item.querySelector('a')
      return [
        getComputedStyle(item.parentElement ?? item).listStyleType,
        link && getComputedStyle(link).textDecorationLine,
      ].join()
    }),
  )
  expect([...new Set(looks)]).toEqual(['disc,underline'])
})

describe('the page for missing URLs', () => {
  test('names the requested path and the three nearest pages', async () => {
    const { page } = await openPage({})
    await page.goto(`${origin}${base}guides/st%C3%A4rt/`)
    const nearest = page.locator('.nearest li')
    await expect.poll(() => nearest.count()).toBe(3)
    expect(await nearest.first().innerText()).toMatch(/\n\/docs\/(?:[a-z]+\/)?guides\/start$/)
    expect(await page.locator('.requested').innerText()).toBe('There is no page at /docs/guides/stärt/')
  })

  test('has no list if no page is similar or the list cannot be loaded', async () => {
    const { page } = await openPage({})
    await page.route('**/404.json', (route) => route.abort())
    await page.goto(`${origin}${base}guides/strat/`)
    await page.getByText('There is no page at /docs/guides/strat/').waitFor()
    expect(await page.getByText('Similar pages').isVisible()).toBe(false)
  })

  test('links to the search, and without scripts to all pages', async () => {
    const { page } = await openPage({})
    await page.goto(`${origin}${base}${kinds.missing}`)
    await page.locator('main').getByRole('link', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: /^Search/ }).waitFor()
    const { page: plain } = await openPage({ javaScriptEnabled: false })
    await plain.goto(`${origin}${base}${kinds.missing}`)
    expect(await plain.locator('main').innerText()).not.toMatch(/There is no page at|Similar pages/)
    await plain.locator('main').getByRole('link', { name: 'All pages' }).click()
    await plain.waitForURL(`${origin}${base}search/`)
  })
})

test('links in numbered lists look like those in other lists', async () => {
  const { page } = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${origin}${base}${kinds.guide}`)
  const looks = await page.evaluate(() =>
    ['ol', 'ul'].map((name) => {
      const list = document.createElement(name)
      list.innerHTML = '<li>See <a href="/">the start page</a></li>'
      document.querySelector('.prose')?.append(list)
      return getComputedStyle(list.querySelector('a') ?? list).textDecorationLine
    }),
  )
  expect(looks).toEqual(['underline', 'underline'])
})

test('callouts, the current page and selected tabs are marked with a contrast of at least 3 in both themes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage({ colorScheme, viewport: { width: 1440, height: 900 } })
    await page.goto(`${origin}${base}${kinds.guide}`)
    const ratios = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      const luminance = (color: string) => {
        if (!canvas) return 0
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (value) => {
          const share = value / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const ground = luminance(getComputedStyle(document.body).backgroundColor)
      const toRatio = (color: string) => {
        const [low = 0, high = 0] = [ground, luminance(color)].sort((a, b) => a - b)
        return (high + 0.05) / (low + 0.05)
      }
      const marks = [
        ...[...document.querySelectorAll('main .call')].map((one) => getComputedStyle(one).borderLeftColor),
        ...[...document.querySelectorAll('.side [aria-current=page]')].map((one) =>
          getComputedStyle(one).boxShadow.replace(/\s-?\d.*$/, ''),
        ),
      ]
      return marks.map(toRatio)
    })
    expect(ratios.length).toBeGreaterThan(1)
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3)
  }
})

test('has no broken links, assets or fragments, and no duplicate IDs', () => {
  const problems = crawlSite(join(folder, 'site'), base)
  expect(problems).toEqual([])
})

test('browsers parse every page as written, without moving or closing elements', async () => {
  const { page } = await openPage({})
  await page.goto(`${origin}${base}guides/custom/`)
  const differences: unknown = await page.evaluate(
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
  expect(differences).toEqual([])
})
