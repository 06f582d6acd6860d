import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { serveSite } from '../api/serve-site.ts'

const words = 'The text explains the image in several sentences. '.repeat(4)
const image = (width: number) =>
  `<div style={{flexShrink: 0, width: ${width}, height: 40, background: '#ddd'}}>\n<span>Screenshot</span>\n</div>`
const row = (style: string, ...parts: readonly string[]) =>
  `<div style={{display: 'flex', gap: '1.5rem'${style}}}>\n${parts.join('\n')}\n</div>`
const text = (style: string) => `<div${style === '' ? '' : ` style={{${style}}}`}>\n${words}\n</div>`

const rows = {
  'text that grows': row('', text('flex: 1'), image(300)),
  'text that grows from its own width': row('', text('flexGrow: 1'), image(300)),
  'text that may be narrow': row('', text('flex: 1, minWidth: 0'), image(300)),
  'text without a style': row(", alignItems: 'flex-start'", text(''), image(300)),
  'text beside an icon': row(", gap: '8px'", image(24), text('flex: 1')),
  'styled text beside an icon': row(", gap: '8px'", image(24), text('margin: 0')),
  'a row that must not wrap': row(", flexWrap: 'nowrap'", text('flex: 1'), image(200)),
  'a column': row(", flexDirection: 'column'", text('flex: 1'), image(300)),
}
const names = Object.keys(rows)
const tree = {
  'docs.json': JSON.stringify({ name: 'Rows', navigation: { pages: ['index'] } }),
  'index.mdx': `# Rows\n\n${Object.values(rows).join('\n\n')}\n`,
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** The width of the text of each row, and whether the image is on the same line. */
async function measure(width: number) {
  const { address } = await serveSite(tree)
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  onTestFinished(() => page.close())
  await page.goto(`${address}/`)
  const found = await page.locator('article div:has(> div:first-child + div:last-child):has(span)').evaluateAll((all) =>
    all.map((one) => {
      const [first, second] = [...one.children].map((child) => child.getBoundingClientRect())
      const label = [...one.children].find((child) => !child.textContent?.includes('Screenshot'))
      const isBeside = first !== undefined && second !== undefined && second.top < first.bottom && second.left >= first.right
      return { isBeside, width: Math.round(label?.getBoundingClientRect().width ?? 0) }
    }),
  )
  expect(found).toHaveLength(names.length)
  return Object.fromEntries(names.map((name, index) => [name, found[index]]))
}

test('on phones, a row wraps instead of squeezing its text', async () => {
  const found = await measure(390)
  const wraps = names.filter((name) => found[name]?.isBeside === false)
  expect(wraps).toEqual([...names.slice(0, 4), 'a column'])
  for (const name of wraps) expect(found[name]?.width, name).toBeGreaterThan(300)
  expect(found['text beside an icon']?.width).toBeGreaterThan(280)
  expect(found['styled text beside an icon']?.width).toBeGreaterThan(280)
})

test('on wider screens, rows are as written', async () => {
  const found = await measure(1440)
  expect(names.filter((name) => found[name]?.isBeside === false)).toEqual(['a column'])
})

test('numbered lists have numbers, also in quotes and components', async () => {
  const list = '\n\n1. One\n2. Two\n\n'
  const parts = ['> 1. One\n> 2. Two', `<Note>${list}</Note>`, `<Steps><Step title="A">${list}</Step></Steps>`, list]
  const { address } = await serveSite({ ...tree, 'index.mdx': parts.join('\n\n') })
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`${address}/`)
  const styles = await page.locator('ol:not([class])').evaluateAll((all) => all.map((one) => getComputedStyle(one).listStyleType))
  expect(styles).toEqual(parts.map(() => 'decimal'))
})
