import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { readSiteAssets } from '../../../src/site/build/read-site-assets.ts'
import { startPreview } from '../../../src/site/preview/start-preview.ts'
import { launchBrowser } from '../../support/browser.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { hostileTexts } from './api/documents.ts'
import { listenForComplaints, serveSite } from './api/serve-site.ts'

// What strangers write outside of OpenAPI: docs.json, frontmatter, MDX, and what is made of it: search, Markdown, the preview's own words.

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  return context.newPage()
}

const props = [
  'title',
  'description',
  'label',
  'name',
  'alt',
  'tip',
  'cta',
  'icon',
  'href',
  'src',
  'img',
  'type',
  'default',
  'color',
  'className',
  'id',
  'tag',
  'caption',
  'path',
]
const components = [
  'Card',
  'Tab',
  'Accordion',
  'Step',
  'ParamField',
  'ResponseField',
  'Tooltip',
  'Update',
  'Frame',
  'Badge',
  'Icon',
  'Expandable',
  'Note',
  'Button',
  'Tree.File',
  'Color.Item',
  'Prompt',
  'Mermaid',
  'Latex',
  'img',
  'a',
  'Tile',
]

/** A page with a text wherever MDX has a place for one. */
function hostilePage(text: string): string {
  const quoted = JSON.stringify(text)
  const elements = components.map(
    (name) => `<${name} ${props.map((prop) => `${prop}={${quoted}}`).join(' ')}>{${quoted}}</${name}>`,
  )
  const plain = text.replaceAll(/[<{`]/g, '\\$&').replaceAll('\n', ' ').replaceAll('\0', '')
  const frontmatter = ['title', 'sidebarTitle', 'description', 'icon', 'tag', 'og:title', 'keywords', 'api'].map(
    (key) => `${quoted === '' ? '' : `"${key}"`}: ${quoted}`,
  )
  return `---\n${frontmatter.join('\n')}\n---\n\n## ${plain}\n\n${elements.join('\n\n')}\n\n\`\`\`js ${text.replaceAll(/[\n`]/g, ' ')}\n${text.replaceAll('`', "'")}\n\`\`\`\n`
}

/** A docs.json with some texts: each wherever there can be several, and one of them in each other place. */
function hostileConfig(texts: readonly string[], pages: readonly string[]): object {
  const [one = '', two = one, three = one, four = two] = texts
  const links = texts.map((text) => ({ label: text, href: text, icon: text }))
  return {
    name: one,
    description: two,
    logo: three,
    favicon: four,
    colors: { primary: two },
    banner: { content: texts.join('\n\n'), dismissible: true },
    navbar: { links, primary: { type: 'button', label: four, href: three } },
    footer: { socials: Object.fromEntries(texts.map((text) => [text, text])), links: [{ header: one, items: links }] },
    seo: { metatags: Object.fromEntries([...texts.map((text) => [text, text]), ['description', two]]) },
    redirects: texts.map((text) => ({ source: `/${text}`, destination: text })),
    errors: { 404: { title: three, description: four } },
    contextual: { options: ['copy', ...texts.map((text) => ({ title: text, description: text, icon: text, href: text }))] },
    navigation: {
      tabs: [
        { tab: one, icon: two, groups: [{ group: three, icon: four, tag: one, pages }] },
        ...texts.map((text) => ({ tab: text, href: text })),
      ],
    },
  }
}

/** What of a page is not the page's own. */
const look = () => {
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => ({ name, value, html: element.outerHTML.slice(0, 200) })),
  )
  return {
    hacked: 'hacked' in window,
    scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin)).length,
    handlers: attributes
      .filter(({ name }) => name.startsWith('on') || name === 'style' || name === 'srcdoc')
      .map(({ html }) => html),
    addresses: attributes
      .filter(({ name, value }) => /^(?:href|src|action)$/.test(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value))
      .map(({ html }) => html),
    strangers: [
      ...document.querySelectorAll(':is(iframe, base, style, form:not([role=search]), object, embed), meta[http-equiv=refresh]'),
    ].map((element) => element.outerHTML.slice(0, 200)),
    isWhole: document.querySelector('main h1') !== null && document.body.lastElementChild !== null,
  }
}
const clean = { hacked: false, scripts: 0, handlers: [], addresses: [], strangers: [], isWhole: true }

test('nothing in docs.json or a page runs, leaves its place or breaks a page', { timeout: 120_000 }, async () => {
  const page = await openPage()
  const complaints = listenForComplaints(page)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url())
  })
  for (let start = 0; start < hostileTexts.length; start += 4) {
    const texts = hostileTexts.slice(start, start + 4)
    const shown = texts.map((_, index) => `page-${start + index}`)
    const site = await serveSite({
      'docs.json': JSON.stringify(hostileConfig(texts, shown)),
      ...Object.fromEntries(texts.map((text, index) => [`${shown[index]}.mdx`, hostilePage(text)])),
    })
    for (const name of [...shown, '404.html', 'search']) {
      await page.goto(`${site.address}/${name}${name.endsWith('.html') ? '' : '/'}`)
      expect({ name, ...(await page.evaluate(look)) }).toEqual({ name, ...clean })
    }
    for (const [path, content] of site.files) {
      if (/\.(?:md|txt|xml)$/.test(path)) expect([path, /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(content)]).toEqual([path, false])
    }
  }
  expect(foreign).toEqual([])
  // Pictures whose address is one of the texts are asked for here, and are not here.
  expect(complaints.filter((complaint) => !/status of 404|^http:\/\/127\.0\.0\.1:.* failed$/.test(complaint))).toEqual([])
})

test('what a search finds is text', { timeout: 60_000 }, async () => {
  const names = hostileTexts.map((_, index) => `page-${index}`)
  const site = await serveSite({
    'docs.json': JSON.stringify({ name: 'Hostile', navigation: { pages: names } }),
    ...Object.fromEntries(
      names.map((name, index) => [
        `${name}.mdx`,
        `---\ntitle: ${JSON.stringify(`needle ${hostileTexts[index]}`)}\n---\n\n## needle\n\nneedle\n`,
      ]),
    ),
  })
  const page = await openPage()
  const complaints = listenForComplaints(page)
  await page.goto(`${site.address}/page-0/`)
  const words = page.locator('dialog').getByRole('status')
  const noQuery = 'Type a path, a parameter or a word.'
  for (const query of ['needle', ...hostileTexts.slice(0, 4)]) {
    await page.keyboard.press('Control+k')
    await page.locator('dialog input').fill('')
    await expect.poll(() => words.textContent()).toBe(noQuery)
    await page.locator('dialog input').fill(query)
    // What is found takes the place of these words.
    await expect.poll(() => words.textContent()).not.toBe(noQuery)
    if (query === 'needle') await page.locator('dialog a').first().waitFor()
    expect({ query, ...(await page.evaluate(look)) }).toEqual({ query, ...clean })
    await page.keyboard.press('Escape')
  }
  expect(complaints).toEqual([])
})

test('what the preview says of faults is text', { timeout: 60_000 }, async () => {
  const folder = makeTemporaryFolder({
    'docs.json': JSON.stringify({ name: 'Hostile', navigation: { pages: ['index'], openapi: 'openapi.json' } }),
    'index.mdx': `---\ntitle: Start\nopenapi: GET /<script>window.hacked=1</script>\n---\n\n<Foo title="<img src=x onerror=window.hacked=1>">\n\n${hostileTexts.join('\n\n')}\n`,
    'openapi.json': JSON.stringify(
      { openapi: '3.1.0', info: {}, paths: Object.fromEntries(hostileTexts.map((text) => [`/${text}`, { [text]: text }])) },
      null,
      1,
    ),
  })
  const assets = readSiteAssets()
  const preview = await startPreview(
    {
      root: '',
      assets: assets.paths,
      host: '127.0.0.1',
      port: 0,
      watched: folder,
      files: { site: assets.files, preview: assets.preview },
      onReading: () => {},
      onPage: () => {},
    },
    async () => ({ files: openDiskFiles(folder), fetchDocument: (url) => Promise.reject(new Error(url)) }),
  )
  onTestFinished(() => preview.close())
  const page = await openPage()
  const complaints = listenForComplaints(page)
  await page.goto(`http://127.0.0.1:${preview.port}/`)
  await page.getByText('openapi.json').first().waitFor()
  expect(await page.evaluate(look)).toEqual(clean)
  expect(complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([])
})
