import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { serveSite } from '../api/serve-site.ts'

const name = 'a_name_that-is_much-longer_than-ten_letters'
const words = 'A description with many words. '.repeat(8)
const operation = {
  summary: 'List pets',
  description: `| Name | Text |\n| --- | --- |\n| \`${name}\` | [Link](/) ${words} |\n`,
  responses: {
    200: { description: 'OK', content: { 'application/json': { example: Array.from({ length: 90 }, (_, id) => ({ id })) } } },
  },
}
const tree = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['start', 'a'] },
        { tab: 'API', openapi: 'api.json' },
      ],
    },
  }),
  'start.mdx': [
    '# Start',
    `| Name | Type | Text | More |\n| --- | --- | --- | --- |\n| \`${name}\` | \`${name}\` | [Link](/a) ${words} | ${words} |`,
    '<Tabs>\n<Tab title="One">\n[Link](/a)\n</Tab>\n<Tab title="Two">b</Tab>\n</Tabs>',
    '<CodeGroup>\n```js One\nlet a = 1\n```\n\n```js Two\nlet b = 1\n```\n</CodeGroup>',
    `\`\`\`bash expandable\n${'echo a\n'.repeat(40)}\`\`\``,
    '<Note>\n\n| A |\n| --- |\n| [Link](/a) |\n\n</Note>',
  ].join('\n\n'),
  'a.mdx': `# A\n\n\`\`\`bash\necho a\n\`\`\`\n\n\`\`\`bash\necho ${'a'.repeat(100)}\n\`\`\`\n`,
  'api.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': { get: operation } } }),
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Opens the page whose path ends with `end`. */
async function open(end: string, width: number): Promise<Page> {
  const { address, routes } = await serveSite(tree)
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  onTestFinished(() => page.close())
  await page.goto(address + routes.find((route) => route.endsWith(end)))
  return page
}

test.each(['/start/', '/list-pets/'])('a table of %s keeps names whole and scrolls', async (path) => {
  const page = await open(path, 390)
  const { lines, overflow, background } = await page.evaluate(() => {
    const table = document.querySelector('.table')
    const codes = [...(table?.querySelectorAll('code') ?? [])]
    return {
      lines: codes.map((code) => code.getClientRects().length),
      overflow: (table?.scrollWidth ?? 0) > (table?.clientWidth ?? 0),
      background: table && getComputedStyle(table).backgroundAttachment,
    }
  })
  expect(new Set(lines)).toEqual(new Set([1]))
  expect(overflow).toBe(true)
  // Its shadows stay at the edges, their covers scroll.
  expect(background).toBe('local, local, scroll, scroll')
})

test('a sample that continues below fades until its end is in view', async () => {
  const page = await open('/list-pets/', 1440)
  const panel = page.locator('.code .tabs > div:has(pre)').last()
  const fade = () => panel.evaluate((element) => getComputedStyle(element).getPropertyValue('--fade'))
  await expect.poll(fade).toBe('40px')
  await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect.poll(fade).toBe('0px')
})

test('code fades only where a line continues', async () => {
  const page = await open('/a/', 390)
  const fades = () =>
    page
      .locator('.code pre')
      .evaluateAll((all) =>
        all
          .filter((code) => code.checkVisibility())
          .map((code) => [code.scrollWidth > code.clientWidth, getComputedStyle(code).getPropertyValue('--fade') !== '0px']),
      )
  await expect.poll(fades).toEqual([
    [false, false],
    [true, true],
  ])
})

test.each([390, 768, 1440])('no outline of a focused element is cut off at %i px', async (width) => {
  const cut: string[] = []
  for (const end of ['/start/', '/search/', '/list-pets/']) {
    const page = await open(end, width)
    cut.push(...(await page.evaluate(listCutOutlines)))
  }
  expect(cut).toEqual([])
})

/** Focuses each element that the Tab key reaches, and lists those whose outline an ancestor or the window cuts off. */
function listCutOutlines(): string[] {
  const cut: string[] = []
  const clips = ({ overflowX, overflowY, contain, contentVisibility }: CSSStyleDeclaration) =>
    overflowX !== 'visible' || overflowY !== 'visible' || contain.includes('paint') || contentVisibility === 'auto'
  for (const element of document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary, [tabindex="0"]')) {
    if (!element.checkVisibility() || element.closest('.vh, .skip')) continue
    element.focus({ focusVisible: true } as FocusOptions)
    if (document.activeElement !== element) continue
    const outlined = element.closest('label') ?? element
    const style = getComputedStyle(outlined)
    const reach =
      style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineOffset) + Number.parseFloat(style.outlineWidth)
    const box = outlined.getBoundingClientRect()
    const report = (by: string) => cut.push(`${outlined.outerHTML.slice(0, 80)} by ${by}`)
    if (box.left - reach < 0 || box.right + reach > innerWidth) report('the window')
    for (let around = outlined.parentElement; around && around !== document.body; around = around.parentElement) {
      const own = getComputedStyle(around)
      if (!clips(own)) continue
      const { left, right } = around.getBoundingClientRect()
      const margin = Number.parseFloat(own.getPropertyValue('overflow-clip-margin')) || 0
      // Not if the element itself is scrolled out of view.
      if (box.left < left || box.right > right) break
      if (box.left - reach < left - margin || box.right + reach > right + margin) report(around.className || around.localName)
    }
  }
  return cut
}
