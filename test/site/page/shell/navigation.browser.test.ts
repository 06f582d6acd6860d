import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../../support/browser.ts'
import { serveSite } from '../api/serve-site.ts'

const longTitle = 'Create a metadata cascade policy for all files in another enterprise'
const responses = { 200: { description: 'OK', content: { 'application/json': { example: { id: 1 } } } } }
const tree = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index', 'panel'] },
        {
          tab: 'API',
          groups: [
            {
              group: 'First level',
              pages: [
                'a',
                {
                  group: 'Second level',
                  pages: ['b', { group: 'Third level', pages: ['c', { group: 'Fourth level', pages: ['d'] }] }],
                },
              ],
            },
            { group: 'Operations', openapi: 'api.json' },
          ],
        },
      ],
    },
  }),
  'index.mdx': '# Start\n',
  'panel.mdx': '# Panel\n\nText.\n\n<RequestExample>\n```bash\npets list\n```\n</RequestExample>\n',
  'a.mdx': '# Page on level 1\n',
  'b.mdx': '# Page on level 2\n',
  'c.mdx': '# Page on level 3\n',
  'd.mdx': '# Page on level 4\n',
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets': {
        get: { tags: ['Pets'], summary: 'List pets', responses },
        post: { tags: ['Pets'], summary: longTitle, responses },
      },
      '/pets/{id}': { delete: { tags: ['Pets'], summary: 'Delete a pet', responses } },
    },
  }),
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Opens the page whose path ends with `end`. */
async function open(end: string, width = 1440): Promise<Page> {
  const { address, routes } = await serveSite(tree)
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  onTestFinished(() => page.close())
  await page.goto(address + routes.find((route) => route.endsWith(end)))
  return page
}

/** Opens all groups and measures where the text of each row starts, relative to the list. */
const measureRows = (page: Page) =>
  page.evaluate(() => {
    for (const group of document.querySelectorAll('.side nav details')) group.setAttribute('open', '')
    const list = document.querySelector('.side nav')?.getBoundingClientRect().left ?? 0
    return [...document.querySelectorAll<HTMLElement>('.side nav :is(a, summary)')].map((row) => {
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
      while (texts.nextNode() && texts.currentNode.textContent?.trim() === '');
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      return [row.innerText.trim().replace(/\s+/g, ' '), Math.round(range.getBoundingClientRect().left - list)] as const
    })
  })

test('each level of the navigation starts 12 px further right', async () => {
  const rows = Object.fromEntries(await measureRows(await open('/d/')))
  const { 'Page on level 1': first = 0 } = rows
  expect(rows).toMatchObject({
    'Second level': first,
    'Page on level 2': first + 12,
    'Third level': first + 12,
    'Page on level 3': first + 24,
    'Fourth level': first + 24,
    'Page on level 4': first + 36,
    Pets: first,
    'GET List pets': first + 12,
  })
})

test('a long entry has two lines and a tooltip, and the arrows of groups are at the right edge', async () => {
  const page = await open('/d/')
  await measureRows(page)
  await page.locator('.side .cut-2').first().hover()
  await page.locator('.side .cut-2[title]').waitFor()
  const { lines, title, arrows } = await page.evaluate(() => {
    const entry = document.querySelector<HTMLElement>('.side .cut-2')
    const box = document.querySelector('.side nav')?.getBoundingClientRect()
    return {
      lines: entry ? entry.clientHeight / Number.parseFloat(getComputedStyle(entry).lineHeight) : 0,
      title: entry?.title,
      arrows: [...document.querySelectorAll('.side nav summary')].map((summary) => [
        getComputedStyle(summary, '::after').content,
        getComputedStyle(summary, '::before').content,
        Math.round((box?.right ?? 0) - summary.getBoundingClientRect().right),
      ]),
    }
  })
  expect({ lines, title }).toEqual({ lines: 2, title: longTitle })
  expect(new Set(arrows.map(String))).toEqual(new Set(['"",none,0']))
})

test('only the current page has a background', async () => {
  const page = await open('/d/', 390)
  await page.locator('.drawer > summary').click()
  const marked = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.side nav [aria-current]')].map((row) => [
      row.innerText.trim(),
      getComputedStyle(row).backgroundColor !== 'rgba(0, 0, 0, 0)',
    ]),
  )
  expect(marked).toEqual([
    ['API', false],
    ['Page on level 4', true],
  ])
})

test('the drawer starts at its top if the current page is visible there', async () => {
  const page = await open('/d/', 390)
  await page.locator('.drawer > summary').click()
  await page.locator('.side [aria-current=page]').waitFor()
  expect(await page.locator('.side nav').evaluate((list) => list.scrollTop)).toBe(0)
})

test.each([390, 1440])('the menu of a page is beside the first line of its title at %i px', async (width) => {
  for (const path of ['/a/', '/create-a-metadata-cascade-policy-for-all-files-in-another-enterprise/']) {
    const page = await open(path, width)
    const distance = await page.evaluate(() => {
      const [title, menu] = ['h1', '.title > .menu'].map((one) => document.querySelector(one)?.getBoundingClientRect())
      const line = Number.parseFloat(getComputedStyle(document.querySelector('h1') ?? document.body).lineHeight)
      return title && menu && title.top + line / 2 - (menu.top + menu.height / 2)
    })
    expect(Math.abs(distance ?? 9), path).toBeLessThan(1)
  }
})

test('methods have the same shape', async () => {
  const page = await open('/delete-a-pet/')
  await page.evaluate(() => {
    const methods = ['get', 'post', 'put', 'patch', 'delete', 'other']
    document
      .querySelector('main')
      ?.prepend(
        ...methods.map((name) => Object.assign(document.createElement('span'), { className: `m ${name}`, textContent: 'GET' })),
      )
  })
  const looks = await page.locator('main > .m').evaluateAll((all) =>
    all.map((mark) => {
      const { borderWidth, backgroundColor, color } = getComputedStyle(mark)
      return { shape: [borderWidth, backgroundColor === color, mark.clientWidth, mark.clientHeight].join(), color }
    }),
  )
  expect(new Set(looks.map(({ shape }) => shape)).size).toBe(1)
  expect(new Set(looks.map(({ color }) => color)).size).toBe(6)
})

test('on phones, one line names the place of the page, and its title appears once', async () => {
  const page = await open('/d/', 390)
  const bar = page.locator('.drawer > summary')
  expect(await bar.innerText()).toMatch(/API \/ First level \/ Second level \/ Third level \/\s*Fourth level/)
  expect((await bar.boundingBox())?.height).toBe(44)
  expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).isVisible()).toBe(false)
  expect(await page.getByText('Page on level 4').filter({ visible: true }).count()).toBe(1)
  const parts = await bar.evaluate((line) =>
    [...line.querySelectorAll<HTMLElement>('span:not(.vh), b')].map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  )
  expect(parts).toEqual([true, false])
})

test('a page in no group has a bar that opens the menu', async () => {
  const page = await open('/search/', 390)
  expect(await page.locator('.drawer > summary').innerText()).toMatch(/Menu$/)
})

test.each(['/list-pets/', '/panel/'])('on phones, a link leads to the samples of %s and another one back', async (path) => {
  const page = await open(path, 390)
  await page.getByRole('link', { name: 'Samples', exact: true }).click()
  const samples = page.locator('#samples')
  await expect
    .poll(() =>
      samples
        .locator('pre')
        .first()
        .evaluate((code) => code.getBoundingClientRect().top < innerHeight),
    )
    .toBe(true)
  await samples.getByRole('link', { name: 'Back to top' }).click()
  await expect.poll(() => page.locator('h1').evaluate((title) => title.getBoundingClientRect().top > 0)).toBe(true)
})

test('wide screens show the samples next to the text, without links to them', async () => {
  const page = await open('/list-pets/')
  expect(await page.getByRole('link', { name: /^(?:Samples|Back to top)$/ }).count()).toBe(0)
  expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).isVisible()).toBe(true)
})
