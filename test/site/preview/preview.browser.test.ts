import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../support/browser.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const program = join(import.meta.dirname, '../../../bin/openapi-pages.cjs')
// Evaluated through the browser protocol, because the page's own policy would block the script.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const docsConfig = (name = 'Tracker') =>
  JSON.stringify(
    {
      name,
      navigation: {
        tabs: [
          { tab: 'Guides', pages: ['index', 'long'] },
          { tab: 'API', openapi: 'openapi.json' },
        ],
      },
    },
    null,
    2,
  )
const description = (summary = 'List issues') =>
  JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Tracker', version: '1' },
    paths: { '/issues': { get: { summary, operationId: 'listIssues', responses: { 200: { description: 'All of them' } } } } },
  })
const long = `# Long\n\n${Array.from({ length: 80 }, (_, index) => `Paragraph ${index}.\n`).join('\n')}`
const files = { 'docs.json': docsConfig(), 'index.mdx': 'Hello **world**.\n', 'long.mdx': long, 'openapi.json': description() }

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const violations =
  'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))'

interface Running {
  readonly folder: string
  readonly address: string
  readonly output: () => string
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts the published program in a separate process. */
async function startPreview(content: Readonly<Record<string, string>>, ...words: string[]): Promise<Running> {
  const folder = makeTemporaryFolder(content)
  const child = spawn(
    process.execPath,
    [program, 'preview', ...(words.length > 0 ? words : ['.']), '--boundary', '.', '--port', '0'],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    },
  )
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += String(chunk)
      const found = /at (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  return {
    folder,
    address,
    output: () => output,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

type Theme = 'light' | 'dark'

async function open(address: string, colorScheme: Theme = 'light'): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(address)
  return { page, faults }
}

describe('an open page', () => {
  test('updates in place when its file changes', async () => {
    const { folder, address } = await startPreview(files)
    const { page, faults } = await open(`${address}long/`)
    await page.evaluate(() => {
      scrollTo({ top: 600, behavior: 'instant' })
      document.documentElement.dataset['mark'] = 'not loaded again'
    })
    writeFileSync(join(folder, 'long.mdx'), long.replace('Paragraph 40.', 'Paragraph **forty**.'))
    await page.locator('main strong', { hasText: 'forty' }).waitFor()
    const now = await page.evaluate(() => [Math.round(scrollY), document.documentElement.dataset['mark']])
    expect([now, faults]).toEqual([[600, 'not loaded again'], []])
  })

  test('updates when docs.json or a document changes', async () => {
    const { folder, address } = await startPreview(files)
    const { page } = await open(`${address}api-reference/list-issues/`)
    const [first] = await page.locator('nav.sections a').all()
    expect([await page.locator('h1').textContent(), (await first?.textContent())?.trim()]).toEqual(['List issues ', 'Guides'])
    writeFileSync(join(folder, 'openapi.json'), description('List all issues'))
    await page.locator('h1', { hasText: 'List all issues' }).waitFor()
    writeFileSync(join(folder, 'docs.json'), docsConfig('Renamed'))
    await page.locator('.brand', { hasText: 'Renamed' }).waitFor()
    await expect.poll(() => page.title()).toContain('Renamed')
  })

  test('adds and removes pages', async () => {
    const { folder, address } = await startPreview(files)
    const { page } = await open(`${address}later/`)
    await page.locator('h1', { hasText: 'Page not found' }).waitFor()
    writeFileSync(join(folder, 'later.mdx'), '---\ntitle: Later\n---\n\nHere.\n')
    await page.locator('h1', { hasText: 'Later' }).waitFor()
    rmSync(join(folder, 'later.mdx'))
    await page.locator('h1', { hasText: 'Page not found' }).waitFor()
  })
})

describe('problems', () => {
  test('shows errors of a document with source lines, and keeps the page until they are fixed', async () => {
    const { folder, address, output } = await startPreview(files)
    const { page } = await open(`${address}api-reference/list-issues/`)
    writeFileSync(join(folder, 'openapi.json'), description().replace('"responses"', '"response"'))
    const panel = page.locator('.preview-panel')
    await panel.waitFor()
    expect(await panel.locator('pre').first().textContent()).toContain('"response"')
    expect(await page.locator('h1').textContent()).toContain('List issues')
    writeFileSync(join(folder, 'openapi.json'), description('Repaired'))
    await page.locator('h1', { hasText: 'Repaired' }).waitFor()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(output).toContain('✔ openapi.json changed, all errors fixed')
  })

  test('shows an unreadable docs.json', async () => {
    const { folder, address, output } = await startPreview(files)
    const { page } = await open(address)
    writeFileSync(join(folder, 'docs.json'), docsConfig().replace('[', ''))
    await page.locator('.preview-panel', { hasText: 'docs.json' }).waitFor()
    expect(await page.locator('main').textContent()).toContain('Hello world')
    writeFileSync(join(folder, 'index.mdx'), 'Still **alive**.\n')
    await page.locator('main strong', { hasText: 'alive' }).waitFor()
    writeFileSync(join(folder, 'docs.json'), docsConfig('Repaired'))
    await page.locator('.brand', { hasText: 'Repaired' }).waitFor()
    await expect.poll(output).toContain('✖ docs.json changed: 1 error')
  })

  test('shows an error page if the first reading fails, and the site once it is fixed', async () => {
    const { folder, address } = await startPreview({ ...files, 'docs.json': '{"name": "Tracker", }' })
    const { page, faults } = await open(address)
    expect(await page.locator('h1').textContent()).toBe('Cannot show the site')
    expect(await page.locator('pre').first().textContent()).toContain('▶ 1 │ {"name": "Tracker", }')
    writeFileSync(join(folder, 'docs.json'), docsConfig())
    await page.locator('main', { hasText: 'Hello world' }).waitFor()
    expect(faults.filter((fault) => !fault.includes('500'))).toEqual([])
  })

  test.each<Theme>(['light', 'dark'])('has nothing for axe to find, nor the policy to stop: %s', async (theme) => {
    const { address } = await startPreview({ ...files, 'index.mdx': '---\ntitle: A\nopenapi: GET /issue\n---\n\nText\n' })
    const { page, faults } = await open(address, theme)
    const look = async (heading: string) => {
      await page.evaluate(axe)
      expect([await page.locator('h1').innerText(), await page.evaluate(violations)]).toEqual([heading, []])
    }
    await page.locator('.preview-panel').waitFor()
    await look('A')
    await page.goto(`${address}nowhere/`)
    await look('Page not found')
    const broken = await startPreview({ ...files, 'docs.json': '{"name": "Tracker", }' })
    await page.goto(broken.address)
    await look('Cannot show the site')
    expect(faults.filter((fault) => !/status of (?:404|500)/.test(fault))).toEqual([])
  })

  test('shows an MDX error only on its page', async () => {
    const { address } = await startPreview({ ...files, 'index.mdx': 'Text\n\n<Note>\n\nnever closed\n' })
    const { page } = await open(address)
    expect(await page.locator('.preview-panel').textContent()).toContain('index.mdx:')
    await page.goto(`${address}long/`)
    expect(await page.locator('.preview-panel').count()).toBe(0)
  })

  test('shows an unresolved binding', async () => {
    const { address } = await startPreview({ ...files, 'index.mdx': '---\ntitle: A\nopenapi: GET /issue\n---\n\nText\n' })
    const { page } = await open(address)
    const hint = await page.getByLabel('Preview only').textContent()
    expect(hint).toContain('Preview only: this page has no API reference.')
    expect(hint).toContain('/issues')
    expect(hint).toContain('index.mdx, line 3')
  })
})

test('ignores unrelated files, such as its own log', async () => {
  const { folder, output } = await startPreview(files)
  writeFileSync(join(folder, 'preview.log'), 'a')
  writeFileSync(join(folder, 'index.mdx'), 'Hello **again**.\n')
  await expect.poll(output).toContain('✔ index.mdx changed\n')
  writeFileSync(join(folder, 'preview.log'), 'b')
  writeFileSync(join(folder, 'out.txt'), 'c')
  await new Promise((resolve) => setTimeout(resolve, 200))
  writeFileSync(join(folder, 'long.mdx'), long)
  await expect.poll(output).toContain('✔ long.mdx changed\n')
  expect(output()).not.toMatch(/preview\.log|out\.txt|more file/)
})

test('previews a single document', async () => {
  const { folder, address, stop, output } = await startPreview(
    { 'openapi.json': description(), 'README.md': 'no page' },
    'openapi.json',
  )
  const { page } = await open(address)
  expect(await page.locator('h1').textContent()).toContain('Tracker')
  writeFileSync(join(folder, 'openapi.json'), description().replace('Tracker', 'Bug tracker'))
  await page.locator('h1', { hasText: 'Bug tracker' }).waitFor()
  expect((await fetch(`${address}README/`)).status).toBe(404)
  expect(await stop('SIGINT')).toBe(0)
  expect(output()).not.toContain('Error')
})
