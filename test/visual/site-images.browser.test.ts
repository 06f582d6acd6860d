import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readParcelVersions } from '../app/support/sample-changes.ts'
import { routeFromStart } from '../support/browser.ts'
import { makeHistory } from '../support/git-history.ts'
import { runBin } from '../support/run-bin.ts'
import { serveSite } from '../support/serve-site.ts'
import { allWidths, ImageSet, toViewport, type Width, widths } from './support/image-set.ts'
import { launchVisualBrowser } from './support/visual-browser.ts'

// Compares each kind of page of a site with its images in test/fixtures/visual/images/site. CONTRIBUTING.md states how to take
// them again.
const docs = join(import.meta.dirname, '../fixtures/visual/docs')
const arabicDocs = join(import.meta.dirname, '../fixtures/visual/docs-ar')

/**
 * A site with `docs.json`, the site of its OpenAPI document alone, that of two versions of the document, one for each other look, and sites in other
 * languages.
 */
const origins = {
  docs: 'http://localhost:3000',
  document: 'http://localhost:3001',
  versions: 'http://localhost:3002',
  compact: 'http://localhost:3003',
  soft: 'http://localhost:3004',
  german: 'http://localhost:3005',
  arabic: 'http://localhost:3006',
}

/** No server: the test responds. */
const feedbackUrl = 'https://feedback.example/'

interface Kind {
  readonly path: string
  /** Default: `docs`. */
  readonly site?: keyof typeof origins
  /** Brings the page into the state of the image. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Of the viewport, for pages with much to see. */
  readonly height?: number
  /** Default: all. */
  readonly widths?: readonly Width[]
}

/** Has a body, parameters and authorization. */
const create = 'api-reference/shipments/create-a-shipment/'
const kinds: Readonly<Record<string, Kind>> = {
  home: { path: '' },
  guide: { path: 'guides/quickstart/', height: 1500, widths: allWidths },
  components: { path: 'guides/components/', height: 1600 },
  'more-components': { path: 'guides/more-components/', height: 1600 },
  code: { path: 'guides/code/', height: 1300 },
  diagrams: { path: 'guides/diagrams/', height: 1300, prepare: waitForDiagrams },
  'own-components': { path: 'guides/own-components/' },
  changelog: { path: 'guides/changelog/' },
  language: { path: 'de/' },
  'operation-parameters': { path: 'api-reference/shipments/list-shipments/', height: 1300 },
  'operation-body': { path: create, height: 1500, widths: allWidths },
  'operation-responses': { path: 'api-reference/shipments/get-a-shipment/', height: 1500 },
  webhook: { path: 'api-reference/tracking/parcel-delivered/' },
  schema: { path: 'api/shipment/', height: 1300 },
  'api-home': { path: '', site: 'document' },
  tag: { path: 'shipments/overview/', site: 'document' },
  'api-changelog': { path: 'changelog/', site: 'versions', height: 1100 },
  'operation-changed': { path: 'shipments/list-shipments/', site: 'versions', prepare: openLastChange },
  feedback: { path: 'guides/quickstart/', site: 'soft', height: 700, widths: [390, 1440], prepare: giveFeedback },
  search: { path: 'guides/quickstart/', prepare: openSearch },
  'search-start': { path: 'guides/quickstart/', prepare: openEmptySearch },
  navigation: { path: 'guides/wide/', prepare: openNavigation },
  'playground-form': { path: create, prepare: openPlayground, widths: allWidths },
  'playground-answer': { path: create, prepare: (page) => send(page, 'answer') },
  'playground-raw': { path: create, prepare: editRaw },
  'playground-blocked': { path: create, prepare: (page) => send(page, 'block') },
  'arabic-playground': {
    path: 'api-reference/shipments/إضافة-طرد-إلى-شحنة/',
    site: 'arabic',
    widths: [390, 1440],
    prepare: sendInArabic,
  },
  print: { path: 'print.html', site: 'document' },
  'not-found': { path: 'guides/quikstart/', prepare: waitForSimilarPages },
  'page-list': { path: 'search/' },
  'compact-guide': { path: 'guides/quickstart/', site: 'compact', widths: [390, 1440], prepare: useLoadedFont },
  'compact-operation': { path: create, site: 'compact', widths: [390, 1440], prepare: useLoadedFont },
  'soft-guide': { path: 'guides/quickstart/', site: 'soft', widths: [390, 1440] },
  'soft-operation': { path: create, site: 'soft', widths: [390, 1440] },
  'german-operation': { path: create, site: 'german', widths: allWidths, height: 1500 },
  'german-not-found': { path: 'guides/quikstart/', site: 'german', widths: [390, 1440], prepare: waitForSimilarPages },
  'arabic-guide': { path: '', site: 'arabic', widths: [390, 1440], height: 1300 },
  'arabic-operation': { path: 'api-reference/shipments/إضافة-طرد-إلى-شحنة/', site: 'arabic', widths: allWidths, height: 1600 },
  'arabic-api-home': { path: 'api-reference/overview/', site: 'arabic', widths: [390, 1440] },
  'arabic-navigation': { path: 'guides/next/', site: 'arabic', widths: [390], prepare: openNavigation },
  favicon: { path: '', site: 'document', widths: [390], prepare: (page) => showOnly(page, '[rel=icon]') },
}

let folder: string
let browser: Browser
let images: ImageSet
const servers: Server[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-visual-'))
  const build = async (source: string, name: string) => {
    const { stderr, code } = await runBin(['build', source, '-o', join(folder, name), '--quiet'], { cwd: folder })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const { server, origin } = await serveSite(join(folder, name), '/')
    servers.push(server)
    return origin
  }
  browser = await launchVisualBrowser({
    'localhost:3000': await build(docs, 'docs'),
    'localhost:3001': await build(join(docs, 'api/parcel.yaml'), 'document'),
    'localhost:3002': await build(join(commitVersions(), 'parcel.yaml'), 'versions'),
    // In the dark theme, a black button would not be seen.
    'localhost:3003': await build(copyDocs('compact', { primary: '#000000' }), 'compact'),
    'localhost:3004': await build(copyDocs('soft', { primary: '#0F766E' }), 'soft'),
    'localhost:3005': await build(copyInGerman(), 'german'),
    'localhost:3006': await build(arabicDocs, 'arabic'),
  })
  images = new ImageSet('site', browser)
})

/** Copies the documentation with another look and other colors. Returns its folder. */
function copyDocs(look: string, colors: object): string {
  const copy = join(folder, `${look}-docs`)
  cpSync(docs, copy, { recursive: true })
  const settings = JSON.parse(readFileSync(join(docs, 'docs.json'), 'utf8'))
  writeFileSync(join(copy, 'docs.json'), JSON.stringify({ ...settings, colors }))
  writeFileSync(join(copy, 'openapi-pages.config.yaml'), `site: { theme: ${look}, feedback: '${feedbackUrl}' }\n`)
  return copy
}

/** Copies the documentation without its languages, for a site with a German interface. Returns its folder. */
function copyInGerman(): string {
  const copy = join(folder, 'german-docs')
  cpSync(docs, copy, { recursive: true })
  const settings = JSON.parse(readFileSync(join(docs, 'docs.json'), 'utf8'))
  const [{ versions }] = settings.navigation.languages
  writeFileSync(join(copy, 'docs.json'), JSON.stringify({ ...settings, navigation: { versions } }))
  writeFileSync(join(copy, 'openapi-pages.config.yaml'), 'site: { language: de }\n')
  return copy
}

/** Commits and tags two versions of the Parcel API. Returns the folder of the repository. */
function commitVersions(): string {
  const { base, revision } = readParcelVersions()
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  const history = makeHistory(repository)
  history.commit({ 'openapi-pages.config.yaml': 'changes: { changelog: tags }\n', 'parcel.yaml': base })
  history.tag('v2.1.0')
  history.commit({ 'parcel.yaml': revision })
  history.tag('v3.0.0')
  return repository
}

afterAll(async () => {
  await browser?.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

test.each(Object.entries(kinds))('%s looks as expected at each width in both themes', async (name, kind) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' })
  try {
    await routeFromStart(context)
    const page = await context.newPage()
    // The playground shows the time and duration of a request.
    await page.addInitScript(`performance.now = () => 0; Date.now = () => Date.parse('2026-11-20T07:15:03Z')`)
    const messages: string[] = []
    for (const width of kind.widths ?? widths) {
      // The navigation scrolls to the current page by the height of the window when it opens.
      await page.setViewportSize(toViewport(width, kind.height))
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(`${origins[kind.site ?? 'docs']}/${kind.path}`)
      await kind.prepare?.(page)
      messages.push(...(await images.check(page, name, width, { height: kind.height })))
    }
    // A text, because the runner would shorten a list.
    expect(messages.join('\n')).toBe('')
  } finally {
    await context.close()
  }
})

test('each expected image belongs to a page', () => {
  expect(images.finish()).toEqual([])
})

describe('the comparison', () => {
  test('finds a border that is 1 px wider, a slightly different color, and a shift by 1 px', async () => {
    const place = join(folder, 'comparison')
    const options = { folder: join(place, 'images'), reportFolder: join(place, 'report'), patienceMs: 0 }
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    try {
      const page = await context.newPage()
      await page.goto('http://localhost:3000/')
      const check = (isUpdating: boolean) =>
        new ImageSet('', browser, { ...options, isUpdating: () => isUpdating }).check(page, 'home', 1440)
      expect(await check(true)).toEqual([])
      expect(await check(false)).toEqual([])
      await page.evaluate('document.adoptedStyleSheets = [new CSSStyleSheet()]')
      for (const style of [
        '.card { border-width: 2px }',
        '.card { border-color: light-dark(#d5dae3, #343c49) !important }',
        'h2 { color: light-dark(#2a2f3a, #d0d4dc) }',
        'h2 { translate: 0 1px }',
      ]) {
        await page.evaluate(`document.adoptedStyleSheets[0].replaceSync(${JSON.stringify(style)})`)
        expect(await check(false), style).toEqual([
          expect.stringMatching(/^home-1440-light: \d+ pixels differ, in the area .* run `npx vitest run test\/visual -u=all`/),
          expect.stringMatching(/^home-1440-dark: \d+ pixels differ/),
        ])
      }
      expect(readdirSync(options.reportFolder).filter((file) => file.includes('light'))).toEqual([
        'home-1440-light-actual.webp',
        'home-1440-light-difference.png',
        'home-1440-light-expected.webp',
      ])
    } finally {
      await context.close()
    }
  })

  test('reports a missing image, and an image that no test takes', async () => {
    const place = join(folder, 'missing')
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto('http://localhost:3000/')
      const options = { folder: place, reportFolder: join(place, 'report') }
      const missing = new ImageSet('', browser, { ...options, isUpdating: () => false })
      expect((await missing.check(page, 'home', 390)).map((message) => message.split(':')[0])).toEqual([
        'home-390-light',
        'home-390-dark',
      ])
      const other = new ImageSet('', browser, { ...options, isUpdating: () => true })
      await other.check(page, 'home', 390)
      expect(missing.finish()).toEqual([])
      expect(new ImageSet('', browser, { ...options, isUpdating: () => false }).finish()).toHaveLength(2)
    } finally {
      await context.close()
    }
  })
})

async function waitForSimilarPages(page: Page): Promise<void> {
  await page.locator('.nearest li').first().waitFor()
}

async function waitForDiagrams(page: Page): Promise<void> {
  await expect.poll(() => page.locator('figure svg, .mermaid svg, img[src^="blob:"]').count()).toBeGreaterThan(0)
}

/** On a busy machine, the font of the look can be too late for the first page. */
async function useLoadedFont(page: Page): Promise<void> {
  await page.reload()
}

/** Shows the image that a tag in the head names instead of the page. */
async function showOnly(page: Page, tag: string): Promise<void> {
  await page.evaluate(`(() => {
    const named = document.head.querySelector(${JSON.stringify(tag)})
    const image = new Image(named.content ? 1200 : 256)
    image.src = named.content ?? named.href
    document.body.replaceChildren(image)
    return image.decode()
  })()`)
}

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type('shipment')
  await page.locator('[role=option][aria-selected=true]').waitFor()
}

async function openEmptySearch(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.locator('[role=option][aria-selected=true]').waitFor()
}

async function openLastChange(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Changed in/ }).click()
}

async function giveFeedback(page: Page): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
  await page.route(feedbackUrl, (route) => route.fulfill({ status: 204, headers }))
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByText('Thank you.').waitFor()
  await page.getByRole('textbox', { name: 'What could be better?' }).fill('Which status means that a parcel is lost?')
  await page.evaluate('document.activeElement.blur(); document.querySelector(".feedback").scrollIntoView({ block: "center" })')
}

/** Opens the drawer on narrow screens, otherwise the menu of versions. */
async function openNavigation(page: Page): Promise<void> {
  const drawer = page.locator('.drawer > summary')
  if (await drawer.isVisible()) await drawer.click()
  else await page.locator('.switch > summary').last().click()
}

async function openPlayground(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').locator('.form[aria-busy=false]').waitFor()
}

/** Sends the example of the document to an API that answers, or whose answer the browser blocks. */
async function send(page: Page, reply: 'answer' | 'block'): Promise<void> {
  await page.route('https://*.parcel.example/**', (route) => (reply === 'answer' ? answer(route) : route.abort('failed')))
  await openPlayground(page)
  const dialog = page.getByRole('dialog')
  // Narrow windows come first, and the tab keeps the token.
  const token = dialog.getByLabel('token')
  if (await token.isVisible()) await token.fill('test_123')
  await dialog.getByLabel('Idempotency-Key', { exact: true }).fill('1b4e28ba-2fa1-11d2-883f-0016d3cca427')
  await dialog.getByLabel('Use an example').selectOption({ index: 1 })
  // The sample above the response becomes longer. The position of the response depends on it.
  await dialog.getByText('5000').first().waitFor()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog
    .getByText(reply === 'answer' ? '201' : 'The browser blocked the response', { exact: true })
    .first()
    .waitFor()
  await page.unrouteAll()
}

/** A raw body that no longer belongs to the response. */
async function editRaw(page: Page): Promise<void> {
  await send(page, 'answer')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('group', { name: 'Body editor' }).getByText('Raw').click()
  const raw = dialog.getByRole('textbox', { name: /^Body/ })
  await raw.fill('{\n  "to": { "city": "Oslo", "country": "NO" },\n  "parcels": [{ "grams": 750, "fragile": true }]\n}')
  await dialog.getByText('The form has changed').waitFor()
}

async function sendInArabic(page: Page): Promise<void> {
  await page.route('https://api.example.com/**', answer)
  await page.locator('[data-open=playground]').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.form[aria-busy=false]').waitFor()
  await dialog.locator('[id$=shipmentId]').fill('shp_42')
  await dialog.locator('.urlbar .primary').click()
  await dialog.locator('[role=tree]').waitFor()
  await page.unrouteAll()
}

async function answer(route: Route): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*, authorization' }
  const json = { id: 'shp_7Qx2', status: 'bought', parcels: [{ grams: 750 }], label: { url: 'https://labels.example/7Qx2' } }
  await route.fulfill({ status: 201, json, headers })
}
