import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, testBrowserPath } from '../../support/browser.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { brokenDocument, type ConnectedApp, connectApp, validDocument } from '../support/connected-app.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const files = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    appearance: { default: 'dark' },
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'guide', 'more'] },
        { group: 'API', openapi: 'openapi.yaml' },
      ],
    },
  }),
  'openapi.yaml': validDocument,
  'index.mdx': '---\ntitle: Welcome\n---\n\nThe first text. ![Away](https://elsewhere.test/spy.png)\n',
  'guide.mdx': '---\ntitle: A *guide*\n---\n\nHow to.\n',
  'more.mdx': '---\ntitle: More\n---\n\nMore.\n',
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function connect(env: Readonly<Record<string, string>>, repositoryOptions: { readonly private?: boolean } = {}) {
  const connected = await connectApp({ env: { SITES_DOMAIN: 'localhost', CHROMIUM_SANDBOX: 'off', ...env } })
  const repository = connected.github.createRepository('acme/pets', { files, ...repositoryOptions })
  return { ...connected, repository }
}

/** The screenshots of a record, with their mean brightness from 0 to 255. */
async function look(url: string | undefined) {
  const answer = await fetch(url ?? '')
  const bytes = Buffer.from(await answer.arrayBuffer())
  const page = await browser.newPage()
  const brightness: unknown = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')
    canvas.imageSmoothingQuality = 'high'
    canvas.drawImage(picture, 0, 0, 1, 1)
    return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, one) => sum + one) / 3
  })()`)
  await page.close()
  return { answer, bytes, brightness: Number(brightness) }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Set to a folder to save screenshots for review. */
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']
const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  { name: 'dark-phone', colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
] as const

const warningsOf = ({ logLines }: Pick<ConnectedApp, 'logLines'>) =>
  logLines.flatMap((line) => {
    const { level, msg, err } = JSON.parse(line)
    return level === 'warn' || level === 'error' ? [`${msg}: ${err?.message ?? ''}`] : []
  })

test('takes screenshots in both themes and lists the changed pages of a pull request', {
  timeout: 90_000,
}, async () => {
  const connected = await connect({ CHROMIUM_PATH: testBrowserPath })
  const { app, github, idle, repository, store } = connected
  await repository.push({ files: { a: 'a' } })
  const [first] = await idle()
  const record = first?.update
  const { port } = new URL(app.address)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(`http://acme-pets.localhost:${port}/`)
  expect(await page.locator('h1').innerText()).toBe('Welcome')

  expect(record?.screenshot).toBe(record?.screenshotLight)
  const [light, dark] = [await look(record?.screenshotLight), await look(record?.screenshotDark)]
  for (const { answer, bytes } of [light, dark]) {
    expect(imageSize(bytes)).toMatchObject({ type: 'png', width: 1280, height: 800 })
    expect(bytes.length).toBeLessThan(400_000)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
  // Both screenshots exist although `appearance` is dark.
  expect(light.brightness).toBeGreaterThan(200)
  expect(dark.brightness).toBeLessThan(70)
  const etag = light.answer.headers.get('etag') ?? ''
  const again = await fetch(record?.screenshot ?? '', { headers: { 'If-None-Match': etag } })
  expect(again.status).toBe(304)
  const wrong = [
    record?.screenshotLight?.replace('light-', 'dark-'),
    record?.screenshotLight?.replace(/-.{5}(?=[\w-]*\.png)/, '-AAAAA'),
    record?.screenshotLight?.replace('.png', ''),
    record?.screenshotLight?.replace(record._id, store.newId()),
  ]
  for (const url of wrong) expect((await fetch(url ?? '')).status).toBe(404)
  expect(repository.checkRuns.at(-1)?.output?.summary).toContain(record?.screenshotDark)

  // After a pull request with errors is fixed, its comment shows the preview.
  await repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  expect(repository.comments).toMatchObject([{ edits: 0 }])
  const failing = (await idle()).at(-1)?.update
  const mistaken = `http://acme-pets--${failing?.commit.sha.slice(0, 12)}.localhost:${port}/`
  expect(repository.comments[0]?.body).toContain(`**Preview:** [${new URL(mistaken).host}](${mistaken})`)
  expect(repository.comments[0]?.body).toContain(`srcset="${failing?.screenshotDark}"`)
  const changed = { 'openapi.yaml': validDocument, 'guide.mdx': files['guide.mdx'].replace('How', 'Here is how') }
  const { push } = await repository.push({ files: changed, branch: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, push.before))
  const last = (await idle()).at(-1)?.update
  const preview = `http://acme-pets--${last?.commit.sha.slice(0, 12)}.localhost:${port}/`
  const summary = repository.checkRuns.at(-1)?.output?.summary ?? ''
  for (const text of [summary, repository.comments[0]?.body ?? '']) {
    expect(text).toContain(`](${preview})`)
    expect(text).toContain(`[A \\*guide\\*](${preview}guide/)`)
    expect(text).not.toContain(`(${preview}more/)`)
    expect(text).toContain(`<a href="${preview}guide/"><picture>`)
    expect(text).toContain(`srcset="${last?.screenshotDark}"`)
    expect(text).toContain(`src="${last?.screenshotLight}"`)
  }
  expect(repository.comments).toMatchObject([{ edits: 1 }])
  expect(warningsOf(connected)).toEqual([])

  // Screenshots are deleted with their site, and the record no longer links to them.
  await store.projects.apply([{ kind: 'delete-repository', repositoryId: repository.id }])
  expect((await fetch(record?.screenshot ?? '')).status).toBe(404)
})

test('shows the changed pages of a pull request before and after, on the page that the check links to', {
  timeout: 120_000,
}, async () => {
  const connected = await connect({ CHROMIUM_PATH: testBrowserPath }, { private: true })
  const { app, github, idle, repository, store } = connected
  await repository.push({ files: { a: 'a' } })
  await idle()
  const changed = {
    'guide.mdx': files['guide.mdx'].replace('How to.', 'How to.\n\nA new paragraph.'),
    'docs.json': files['docs.json'].replace('"more"', '"new"'),
    'more.mdx': null,
    'new.mdx': '---\ntitle: New\n---\n\nNew.\n',
  }
  const { push } = await repository.push({ files: changed, branch: 'topic' })
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull, push.before))
  const last = (await idle()).at(-1)
  const statusId = last?.update._id ?? ''
  const { comparison, site } = last?.details ?? {}
  expect(comparison).toMatchObject({ state: 'taken', pages: [{ route: 'guide', title: 'A *guide*' }] })
  expect(comparison?.pages[0]?.changedShare).toBeGreaterThan(0)
  expect(comparison?.pages[0]?.changedShare).toBeLessThan(0.2)
  expect(site?.changedPages.map(({ kind, route }) => `${kind} ${route}`).sort()).toEqual([
    'added new',
    'modified guide',
    'removed more',
  ])
  expect(warningsOf(connected)).toEqual([])
  expect(repository.comments).toEqual([])

  const summary = repository.checkRuns.at(-1)?.output?.summary ?? ''
  const link = /\[before and after\]\((?<link>[^)]+)\)/.exec(summary)?.groups?.['link'] ?? ''
  expect(link).toContain(`/updates/${statusId}?`)
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } })
  onTestFinished(() => withoutScripts.close())
  const page = await withoutScripts.newPage()
  await page.goto(link)
  const section = page.locator('[data-part=changed-pages]')
  expect(new URL(link).hash).toBe(`#${await section.locator('h2').getAttribute('id')}`)
  expect(await section.getByText('/more').count()).toBe(1)
  expect(await section.getByRole('link', { name: '/new' }).getAttribute('href')).toMatch(/--[0-9a-f]{12}\.localhost:\d+\/new\/$/)
  const visible = () => section.locator('img:visible').evaluateAll((images) => images.map((image) => image.getAttribute('alt')))
  expect(await visible()).toEqual(['A *guide*: before', 'A *guide*: after'])
  await section.getByLabel('Difference', { exact: true }).check()
  expect(await visible()).toEqual(['A *guide*: difference: added in green, removed in red, changed in amber'])
  await section.getByLabel('Side by side').check()

  const sources = await section.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''))
  expect(sources).toHaveLength(3)
  const [before, after, difference] = await Promise.all(sources.map((source) => look(new URL(source, link).href)))
  for (const image of [before, after, difference]) {
    expect([image?.answer.status, image?.answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    // The site is private.
    expect(image?.answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(image?.brightness).toBeGreaterThan(200)
  }
  expect(before?.bytes.equals(after?.bytes ?? Buffer.alloc(0))).toBe(false)
  for (const [from, to] of [
    ['before0', 'after0'],
    ['before0', 'before1'],
    ['before0-', 'before0-A'],
  ] as const) {
    expect((await fetch(new URL((sources[0] ?? '').replace(from, to), link))).status).toBe(404)
  }

  for (const { name, ...options } of looks) {
    const open = await browser.newContext(options)
    onTestFinished(() => open.close())
    const shown = await open.newPage()
    await shown.goto(link)
    await shown.locator('.shots img:visible').first().evaluate('(image) => image.decode()')
    if (shotFolder) {
      mkdirSync(shotFolder, { recursive: true })
      await shown.screenshot({ path: join(shotFolder, `changes-${name}.png`) })
      await shown.getByLabel('Difference', { exact: true }).check()
      await shown.screenshot({ path: join(shotFolder, `difference-${name}.png`) })
    }
    expect(await shown.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await shown.evaluate(readFileSync(axePath, 'utf8'))
    expect(await shown.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
  }

  await store.projects.apply([{ kind: 'delete-repository', repositoryId: repository.id }])
  expect((await fetch(new URL(sources[0] ?? '', link))).status).toBe(404)
  await app.stop()
})

test('PICTURE_CHANGED_PAGES=0 disables screenshots of changed pages', { timeout: 90_000 }, async () => {
  const connected = await connect({ CHROMIUM_PATH: testBrowserPath, PICTURE_CHANGED_PAGES: '0' })
  const { idle, repository } = connected
  await repository.push({ files: { a: 'a' } })
  await idle()
  await repository.push({ files: { 'guide.mdx': `${files['guide.mdx']}More.` }, branch: 'topic' })
  const last = (await idle()).at(-1)
  expect(last?.details).toMatchObject({ pictures: 'taken', site: { changedCount: 1 } })
  expect(last?.details).not.toHaveProperty('comparison')
  expect(repository.checkRuns.at(-1)?.output?.summary).not.toContain('before and after')
})

test('screenshots of a private site are readable by URL and not stored in shared caches', { timeout: 60_000 }, async () => {
  const { app, idle, repository } = await connect({ CHROMIUM_PATH: testBrowserPath }, { private: true })
  await repository.push({ files: { a: 'a' } })
  const [stored] = await idle()
  const { answer, brightness } = await look(stored?.update.screenshotLight)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable'])
  expect(brightness).toBeGreaterThan(200)
  expect((await fetch(`${app.address}/pictures/${stored?.update._id}/light.png`)).status).toBe(404)
})

function writeProgram(text: string): string {
  const path = join(makeTemporaryFolder(), 'chromium')
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

test.each([
  [
    'hangs at the start',
    () => writeProgram('#!/bin/sh\nexec sleep 600\n'),
    /Cannot take screenshots of a site: .*(?:Timeout|longer than 1 s)/,
  ],
  ['ends at once', () => writeProgram('#!/bin/sh\nexit 3\n'), /Cannot take screenshots of a site: /],
  ['is missing', () => join(makeTemporaryFolder(), 'none'), /^Cannot take screenshots: CHROMIUM_PATH is /],
] as const)('ends the update without screenshots if Chromium %s', { timeout: 60_000 }, async (_what, make, warning) => {
  const connected = await connect({ CHROMIUM_PATH: make(), PICTURE_TIMEOUT_SECONDS: '1' })
  const { idle, repository, app } = connected
  await repository.push({ files: { a: 'a' } })
  const [stored] = await idle()
  expect(stored?.update).toMatchObject({ status: 'success' })
  expect(stored?.update).not.toHaveProperty('screenshot')
  expect(repository.checkRuns.at(-1)).toMatchObject({ conclusion: 'success' })
  expect(repository.checkRuns.at(-1)?.output?.summary).toContain('**Preview:**')
  expect(warningsOf(connected)).toEqual([expect.stringMatching(warning)])
  await app.stop()
})
