import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, routeFromStart } from '../../../support/browser.ts'
import { runBin } from '../../../support/run-bin.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
}
const components = join(import.meta.dirname, '../../../fixtures/site/content')

let browser: Browser
let server: Server
let origin: string
let folder: string
let requested: string[] = []

beforeAll(async () => {
  const files: Readonly<Record<string, string>> = {
    'docs.json': JSON.stringify({
      $schema: 'https://mintlify.com/docs.json',
      theme: 'mint',
      name: 'Tracker',
      navigation: {
        tabs: [
          { tab: 'Guides', pages: ['index', 'parts'] },
          { tab: 'API', openapi: 'openapi.json' },
        ],
      },
    }),
    'index.mdx': '---\ntitle: Quickstart\n---\n\n## About zebras\n\nStripes.\n\n## End\n\nMore.\n',
    'parts.mdx': `---\ntitle: Parts\n---\n\n${['callouts', 'cards', 'tabs', 'accordions', 'steps', 'code', 'fields', 'words', 'updates', 'trees'].map((name) => `## ${name}\n\n${readFileSync(join(components, name, 'input.mdx'), 'utf8')}`).join('\n\n')}`,
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Tracker', version: '1' },
      paths: {
        '/issues': {
          get: {
            summary: 'List issues',
            parameters: [{ name: 'per_page', in: 'query', schema: { type: 'integer' } }],
            responses: { 200: { description: 'ok' } },
          },
          post: { summary: 'Create an issue', responses: { 201: { description: 'made' } } },
        },
      },
      webhooks: { closed: { post: { summary: 'Issue closed', responses: { 200: { description: 'ok' } } } } },
    }),
  }
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-pages-search-')))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const built = await runBin(['build', '.', '-o', 'site', '--base', '/docs/'], { cwd: folder })
  expect(built.stderr + built.stdout).toContain('pages')
  server = createServer((request, response) => {
    const path = decodeURI(new URL(request.url ?? '', 'http://localhost').pathname)
    requested.push(path)
    const file = join(folder, 'site', path.replace(/^\/docs\//, ''), extname(path) === '' ? 'index.html' : '')
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/` // An `AddressInfo`, because the server listens on a port.
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openPage(path = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  await routeFromStart(context)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', (message) => message.type() === 'error' && !/404/.test(message.text()) && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  onTestFinished(() => expect(wrong).toEqual([]))
  requested = []
  await page.goto(origin + path)
  return page
}

const inputOf = (page: Page) => page.getByRole('combobox', { name: 'Search operations and pages' })
/** Filters have options, too. */
const resultsOf = (page: Page) => page.getByRole('listbox', { name: 'Results' })
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true] > span').nth(-1)

describe('the search', () => {
  test('is loaded on demand and works with the keyboard alone', async () => {
    const page = await openPage()
    expect(requested.filter((path) => /_search|search-/.test(path))).toEqual([])
    await page.keyboard.press('/')
    const input = inputOf(page)
    await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('issue')
    await expect.poll(() => resultsOf(page).getByRole('option').count()).toBe(4)
    expect(await input.getAttribute('aria-expanded')).toBe('true')
    const first = await input.getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    expect(await input.getAttribute('aria-activedescendant')).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const title = (await page.locator('[role=option][aria-selected=true]').getAttribute('data-title')) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(/api-reference/)
    expect(await page.locator('h1').innerText()).toContain(title)
    // The search offers recently opened results.
    await page.keyboard.press('Control+k')
    await expect.poll(() => resultsOf(page).getByRole('option').allInnerTexts()).toEqual([expect.stringContaining(title)])
    await page.keyboard.type('x')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'hidden' })
  })

  test('offers the first pages before the reader enters anything', async () => {
    const page = await openPage()
    await page.keyboard.press('/')
    const options = resultsOf(page).getByRole('option')
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual([
        expect.stringContaining('Quickstart'),
        expect.stringContaining('Parts'),
        expect.stringContaining('Tracker'),
        expect.stringContaining('List issues'),
        expect.stringContaining('Create an issue'),
        expect.stringContaining('Issue closed'),
      ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/parts\/$/)
  })

  test('loads its index at the same time as its script, and again after a failure', async () => {
    const page = await openPage()
    await page.route('**/_search/names.json', (route) => route.fulfill({ status: 404 }), { times: 1 })
    const names = page.waitForRequest('**/_search/names.json')
    // Without the request, the script never arrives.
    await page.route('**/search-*.js', async (route) => {
      await names
      await route.continue()
    })
    await page.keyboard.press('/')
    await inputOf(page).fill('issue')
    await expect.poll(() => resultsOf(page).getByRole('option').count()).toBe(4)
    expect(requested.filter((path) => path.endsWith('names.json'))).toHaveLength(1)
  })

  test('keeps the selected result when results from text arrive', async () => {
    const page = await openPage()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/_search\/(?:parameters|text-\d+)\.json/, async (route) => {
      await isAnswered
      await route.continue()
    })
    await page.keyboard.press('/')
    await page.keyboard.type('issue')
    await expect.poll(() => resultsOf(page).getByRole('option').count()).toBe(3)
    await page.keyboard.press('ArrowDown')
    const choice = page.locator('[role=option][aria-selected=true]')
    const moved = await choice.getAttribute('href')
    await resultsOf(page)
      .getByRole('option')
      .first()
      .evaluate((option) => option.setAttribute('data-before', ''))
    answer()
    await page.locator('[data-before]').waitFor({ state: 'detached' })
    expect(await choice.getAttribute('href')).toBe(moved)
  })

  test('does not show “No results” while the index of parameters is loading', async () => {
    const page = await openPage()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/_search/parameters.json', async (route) => {
      await isAnswered
      await route.continue()
    })
    await page.evaluate(() => {
      const early: string[] = []
      const look = () => {
        const status = document.querySelector('.search [role=status]')?.textContent ?? ''
        if (status.includes('No results')) early.push(status)
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
      Object.assign(window, { early })
    })
    await page.locator('.find').click()
    await inputOf(page).fill('per_page')
    answer()
    await expect
      .poll(() => resultsOf(page).getByRole('option').allInnerTexts())
      .toContainEqual(expect.stringContaining('per_page'))
    expect(await page.evaluate(() => (window as unknown as { early: readonly string[] }).early)).toEqual([])
  })

  test('finds parameters and headings of guides', async () => {
    const page = await openPage('parts/')
    await page.locator('.find').click()
    await page.keyboard.type('per_page')
    await expect.poll(() => chosen(page).innerText()).toContain('per_page')
    await inputOf(page).fill('stripes')
    await expect.poll(() => resultsOf(page).getByRole('option').first().getAttribute('href')).toBe('/docs/#about-zebras')
    await inputOf(page).fill('<xyzzyq>')
    await expect.poll(() => page.getByRole('status').innerText()).toContain('No results for “<xyzzyq>”')
  })

  test('shows and marks the words of a section', async () => {
    const page = await openPage()
    await page.keyboard.press('/')
    await inputOf(page).fill('stripes')
    const snippet = resultsOf(page).getByRole('option').first().locator('.snippet')
    await expect.poll(() => snippet.innerText()).toBe('Stripes.')
    expect(await snippet.locator('mark').allInnerTexts()).toEqual(['Stripes'])
  })

  test('filters results by kind and by tab', async () => {
    const page = await openPage()
    await page.keyboard.press('/')
    const filters = page.getByRole('group', { name: 'Filter results' })
    const chip = (name: string) => filters.getByRole('button', { name })
    await expect.poll(() => filters.getByRole('button').allInnerTexts()).toEqual(['All', 'Guides', 'API reference', 'Changelog'])
    await inputOf(page).fill('issue')
    const titles = () =>
      resultsOf(page)
        .getByRole('option')
        .evaluateAll((options) => options.map((option) => option.dataset['title']))
    await expect.poll(titles).toContain('Issue closed')
    await chip('Guides').click()
    expect(await chip('Guides').getAttribute('aria-pressed')).toBe('true')
    await expect.poll(titles).toEqual([])
    // An empty field lists the first pages of the filter.
    await inputOf(page).fill('')
    await expect.poll(titles).toEqual(['Quickstart'])
    await inputOf(page).fill('issue')
    await expect.poll(() => page.getByRole('status').innerText()).toBe('No results for “issue” with these filters.')
    await page.getByRole('button', { name: 'Search all pages' }).click()
    await expect.poll(() => resultsOf(page).getByRole('option').count()).toBe(4)
    expect(await chip('All').getAttribute('aria-pressed')).toBe('true')
    await filters.getByRole('combobox', { name: 'Section' }).selectOption('Guides')
    await expect.poll(() => resultsOf(page).getByRole('option').count()).toBe(0)
  })

  test('marks operations with their method and webhooks with an icon in their own group', async () => {
    const page = await openPage()
    await page.keyboard.press('/')
    await inputOf(page).fill('issue')
    await expect.poll(() => page.locator('.hits .group').allInnerTexts()).toEqual(['Operations', 'Webhooks', 'Pages'])
    expect(await page.locator('[role=option] .m').allInnerTexts()).toEqual(['POST', 'GET'])
    expect(await resultsOf(page).getByRole('option', { name: 'Issue closed' }).locator('.i').count()).toBe(1)
  })

  test.each((['light', 'dark'] as const).flatMap((colorScheme) => [1440, 390].map((width) => [colorScheme, width] as const)))(
    'has no axe violations or overflow, %s, %i px',
    async (colorScheme, width) => {
      const page = await openPage('', { colorScheme, bypassCSP: true, viewport: { width, height: 844 } })
      await page.keyboard.press('/')
      await inputOf(page).fill('e')
      await expect.poll(() => page.locator('.snippet').count()).toBeGreaterThan(0)
      expect(await runAxe(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    },
  )

  test('is a list of all pages without scripts', async () => {
    const page = await openPage('', { javaScriptEnabled: false })
    await page.locator('.find').click()
    await page.waitForURL(/search\/$/)
    expect(await page.locator('main a').allInnerTexts()).toEqual(
      expect.arrayContaining(['Quickstart', 'Parts', 'GET List issues']),
    )
  })
})

describe('components', () => {
  test.each((['light', 'dark'] as const).flatMap((colorScheme) => [1440, 360].map((width) => [colorScheme, width] as const)))(
    'have no axe violations or overflow, %s, %i px',
    async (colorScheme, width) => {
      const page = await openPage('parts/', { colorScheme, bypassCSP: true, viewport: { width, height: 900 } })
      expect(await runAxe(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    },
  )

  test('a URL fragment reveals its target', async () => {
    const page = await openPage('parts/#linux')
    expect(await page.locator('#linux').isVisible()).toBe(true)
    expect(await page.locator('#macos').isVisible()).toBe(false)
    await page.goto(`${origin}parts/#why`)
    await expect.poll(() => page.locator('#why').evaluate((element) => (element as HTMLDetailsElement).open)).toBe(true)
  })

  test('the table of contents marks no section in a closed tab', async () => {
    const page = await openPage('parts/', { viewport: { width: 1440, height: 900 } })
    const marked = await page
      .locator('.toc [aria-current]')
      .evaluateAll((links) =>
        links.map((link) => document.getElementById((link as HTMLAnchorElement).hash.slice(1))?.checkVisibility()),
      )
    expect(marked).toEqual([true])
  })

  test('the table of contents marks the current section', async () => {
    const page = await openPage('', { viewport: { width: 1440, height: 300 } })
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => page.locator('.toc [aria-current]').innerText()).toBe('End')
  })
})

async function runAxe(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath })
  // The script above defines `axe`.
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run(),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
