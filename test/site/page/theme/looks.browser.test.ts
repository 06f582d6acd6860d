import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { serveSite } from '../api/serve-site.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const fixture = join(import.meta.dirname, '../../../fixtures/visual/docs')
const read = (path: string) => readFileSync(join(fixture, path), 'utf8')
const looks = ['clear', 'compact', 'soft'] as const

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Serves a site with this look, and with additional files. */
async function serveLook(look: (typeof looks)[number], files: Readonly<Record<string, string>> = {}): Promise<string> {
  const { address } = await serveSite({
    'docs.json': JSON.stringify({
      name: 'Parcel',
      colors: { primary: '#0F766E' },
      navigation: {
        groups: [
          { group: 'Get started', pages: ['guide', 'components'] },
          { group: 'API', openapi: 'parcel.yaml' },
        ],
      },
    }),
    'openapi-pages.config.yaml': `site: {theme: ${look}}\n`,
    'guide.mdx': read('guides/quickstart.mdx'),
    'components.mdx': read('guides/components.mdx'),
    'parcel.yaml': read('api/parcel.yaml'),
    ...files,
  })
  return address
}

async function openPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.addInitScript(
    'window.shift = 0; new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value }).observe({ type: "layout-shift", buffered: true })',
  )
  return page
}

const paths = ['/guide/', '/components/', '/api-reference/shipments/create-a-shipment/']
const screens = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => [width, theme] as const))

test.each(looks.flatMap((look) => screens.map(([width, theme]) => ({ look, width, theme }))))(
  'the look $look has no overflow, layout shifts or axe violations at $width px in the $theme theme',
  async ({ look, width, theme }) => {
    const address = await serveLook(look)
    const page = await openPage(width, theme)
    for (const path of paths) {
      await page.goto(address + path)
      await page.evaluate(axe)
      await page.evaluate("if (innerWidth >= 1024) document.querySelector('.drawer')?.setAttribute('open', '')")
      const found: unknown = await page.evaluate(`axe.run().then(({ violations }) => ({
        violations: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
        overflow: document.documentElement.scrollWidth - innerWidth,
        shift: window.shift,
      }))`)
      expect(found, path).toEqual({ violations: [], overflow: 0, shift: 0 })
    }
  },
)

test('a copied look with other values is another look', async () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../../../src/site/page/theme/looks/soft/tokens.css'), 'utf8')
  const address = await serveLook('soft', {
    'look.css': tokens.replace('--r2: 16px', '--r2: 24px').replace('--page-gap: 44px', '--page-gap: 50px'),
  })
  const page = await openPage(1440, 'light')
  await page.goto(`${address}${paths[2]}`)
  const styleOf = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
  expect(await styleOf('.endpoint', 'borderTopLeftRadius')).toBe('24px')
  expect(await styleOf('.page', 'paddingTop')).toBe('50px')
  expect(await styleOf('.side nav', 'borderTopLeftRadius')).toBe('24px')
})
