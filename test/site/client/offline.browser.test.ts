import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { launchBrowser } from '../../support/browser.ts'
import { readZip } from '../../support/read-zip.ts'

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`
const version = (name: string) => ({ version: name, pages: [`${name}/install`] })
const docs = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index', 'guides/日本 語'] },
        { tab: 'API', openapi: 'openapi.json' },
        { tab: 'Client', versions: [{ ...version('v2'), default: true }, version('v1')] },
      ],
    },
  }),
  'openapi-pages.config.yaml': 'site: { language: de }\n',
  'index.mdx': page(
    'Anfang',
    '[API](/api-reference/get-a-pet)\n\n## Zebras\n\nStreifen.\n\n<Tabs>\n<Tab title="A">\nEins\n</Tab>\n<Tab title="B">\nZwei\n</Tab>\n</Tabs>',
  ),
  'guides/日本 語.mdx': page('日本語', 'こんにちは'),
  'v1/install.mdx': page('Installation 1', 'Wörter.'),
  'v2/install.mdx': page('Installation 2', 'Wörter.'),
  'openapi.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets/{id}': {
        get: {
          summary: 'Get a pet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'A pet' } },
        },
      },
    },
  }),
}

let browser: Browser
let temporary: string
let folder: string

beforeAll(async () => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-pages-export-')))
  const source = join(temporary, 'source')
  writeFiles(source, Object.entries(docs))
  expect(await runInFolder(source, ['export'])).toMatchObject({ exitCode: 0, stderr: '' })
  // A path with characters that URLs encode.
  folder = join(temporary, 'my docs #1')
  writeFiles(folder, readZip(readFileSync(join(source, 'export.zip'))))
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  rmSync(temporary, { recursive: true, force: true })
})

function writeFiles(to: string, files: Iterable<readonly [path: string, content: string | Uint8Array]>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), content)
  }
}

async function open(path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  onTestFinished(() => context.close())
  const opened = await context.newPage()
  const wrong: string[] = []
  opened.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  opened.on('pageerror', (error) => wrong.push(error.message))
  opened.on('requestfailed', (request) => wrong.push(request.url()))
  onTestFinished(() => expect(wrong).toEqual([]))
  await opened.goto(pathToFileURL(join(folder, path)).href)
  return opened
}

test('has styles, navigation, themes and tabs from a disk', async () => {
  const opened = await open('index.html')
  expect(await opened.locator('.shell').evaluate((shell) => getComputedStyle(shell).display)).toBe('grid')
  await opened.getByRole('button', { name: /hellem und dunklem/ }).click()
  expect(await opened.locator('html').getAttribute('data-theme')).toBe('dark')
  await opened.getByText('B', { exact: true }).click()
  expect(await opened.getByText('Zwei').isVisible()).toBe(true)
  await opened.getByRole('link', { name: '日本語' }).first().click()
  expect(await opened.locator('h1').innerText()).toBe('日本語')
  // The theme is kept.
  expect(await opened.locator('html').getAttribute('data-theme')).toBe('dark')
  await opened.locator('header nav').getByRole('link', { name: 'API' }).click()
  await opened.locator('.side').getByRole('link', { name: 'Get a pet' }).click()
  expect(await opened.locator('h1').innerText()).toBe('Get a pet')
  expect(await opened.getByText('Offline-Kopie').isVisible()).toBe(true)
})

test('searches from a disk, in the language of the site', async () => {
  const opened = await open('api-reference/get-a-pet/index.html')
  await opened.keyboard.press('/')
  const input = opened.getByRole('combobox', { name: 'Operationen und Seiten durchsuchen' })
  await input.fill('streifen')
  await expect.poll(() => opened.getByRole('listbox').getByRole('option').first().innerText()).toContain('Zebras')
  await opened.keyboard.press('Enter')
  await opened.waitForURL(/my%20docs%20%231\/index\.html#zebras$/)
  await opened.keyboard.press('/')
  await input.fill('installation')
  await expect
    .poll(() => opened.getByRole('listbox').getByRole('option').allInnerTexts())
    .toEqual([expect.stringContaining('Installation 2')])
  await opened.getByRole('combobox', { name: 'Version' }).selectOption('v1')
  await expect
    .poll(() => opened.getByRole('listbox').getByRole('option').allInnerTexts())
    .toEqual([expect.stringContaining('Installation 1')])
  await opened.getByRole('listbox').getByRole('option').first().click()
  await opened.waitForURL(/v1\/install\/index\.html$/)
})
