import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { serveSite } from '../api/serve-site.ts'

const packages = join(import.meta.dirname, '../../../../node_modules')
const fonts = {
  inter: join(packages, '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  serif: join(packages, 'katex/dist/fonts/KaTeX_Main-Regular.woff2'),
}
const text =
  'Every parcel has a label and a tracking number. The label is a document that you print, and the number is how you and your customers find out where the parcel is. '
const page = `---
title: Send your first parcel with the Parcel API
description: ${text}
---

${text.repeat(3)}

## Create a shipment

${text.repeat(2)}

- ${text}
- ${text}

${text.repeat(4)}
`
const api = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/shipments': {
      post: {
        summary: 'Create a shipment',
        description: text.repeat(3),
        parameters: ['carrier', 'service', 'reference'].map((name) => ({
          name,
          in: 'query',
          description: text,
          schema: { type: 'string' },
        })),
        responses: { 201: { description: text } },
      },
    },
  },
})

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function serveWithFont(font: keyof typeof fonts): Promise<string> {
  const { address } = await serveSite({
    'docs.json': JSON.stringify({
      name: 'Parcels',
      fonts: { source: '/brand/own.woff2' },
      navigation: {
        groups: [
          { group: 'Start', pages: ['guide'] },
          { group: 'API', openapi: 'api.json' },
        ],
      },
    }),
    'guide.mdx': page,
    'api.json': api,
    'brand/own.woff2': readFileSync(fonts[font]),
  })
  return address
}

/** Opens a page whose font arrives at once, or only after the text was painted. */
async function openWithFont(url: string, font: keyof typeof fonts, { width, isSlow }: { width: number; isSlow: boolean }) {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  onTestFinished(() => context.close())
  const opened = await context.newPage()
  let release = () => {}
  const isPainted = new Promise<void>((resolve) => {
    release = resolve
  })
  await opened.route('**/*.woff2', async (route) => {
    if (isSlow) await isPainted
    await route.fulfill({ path: fonts[font], contentType: 'font/woff2' })
  })
  await opened.addInitScript(`
    window.shift = 0
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value }).observe({ type: 'layout-shift', buffered: true })
    window.painted = new Promise((resolve) => new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve()
    }).observe({ type: 'paint', buffered: true }))`)
  await opened.goto(url, { waitUntil: 'commit' })
  await opened.evaluate('window.painted')
  if (isSlow) {
    const received = opened.waitForResponse('**/*.woff2')
    release()
    await received
  }
  await opened.evaluate(
    'document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))',
  )
  return opened
}

/** The fonts that draw an element, and whether each is one of the site. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts: used } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  return used.map(({ familyName, isCustomFont }) => `${familyName}${isCustomFont ? ' of the site' : ''}`)
}

const pages = ['/guide/', '/api-reference/create-a-shipment/']
const cases = (['inter', 'serif'] as const).flatMap((font) => [1440, 390].map((width) => ({ font, width })))

test.each(cases)('nothing moves when $font arrives late on a screen of $width px', async ({ font, width }) => {
  const address = await serveWithFont(font)
  for (const path of pages) {
    const opened = await openWithFont(address + path, font, { width, isSlow: true })
    expect(await opened.evaluate('window.shift'), path).toBe(0)
    for (const part of ['h1', 'article p'])
      expect(await fontsOf(opened, part)).toEqual([expect.not.stringContaining('of the site')])
  }
})

test.each(['inter', 'serif'] as const)('title and text have %s on the first page', async (font) => {
  const address = await serveWithFont(font)
  for (const path of pages) {
    // On a busy machine, the browser can decide that even this response is late.
    const open = async () => {
      const opened = await openWithFont(address + path, font, { width: 1440, isSlow: false })
      expect(await opened.evaluate('window.shift'), path).toBe(0)
      return [...(await fontsOf(opened, 'h1')), ...(await fontsOf(opened, 'article p'))]
    }
    await expect
      .poll(open, { timeout: 60_000 })
      .toEqual([expect.stringContaining('of the site'), expect.stringContaining('of the site')])
  }
})

/** The width of a line of text in a font. */
const widthIn = (family: string) => `(() => {
  const line = document.createElement('span')
  line.textContent = ${JSON.stringify(text)}
  line.style.cssText = 'position:absolute;white-space:nowrap;font-family:${family}'
  document.body.append(line)
  const { width } = line.getBoundingClientRect()
  line.remove()
  return width
})()`

test.each(['inter', 'serif'] as const)('the font that replaces %s has the same width', async (font) => {
  const opened = await openWithFont(`${await serveWithFont(font)}/guide/`, font, { width: 1440, isSlow: false })
  const own = Number(await opened.evaluate(widthIn('site-body')))
  const replacement = Number(await opened.evaluate(widthIn('site-body-like')))
  expect(replacement / own).toBeGreaterThan(0.98)
  expect(replacement / own).toBeLessThan(1.02)
})
