import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageSize } from 'image-size'
import { expect, onTestFinished, test } from 'vitest'
import { browser, shareBrowser, testBrowserPath } from '../../support/browser.ts'
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

shareBrowser()

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

const warningsOf = ({ logLines }: Pick<ConnectedApp, 'logLines'>) =>
  logLines.flatMap((line) => {
    const { level, msg, err } = JSON.parse(line)
    return level === 'warn' || level === 'error' ? [`${msg}: ${err?.message ?? ''}`] : []
  })

test('takes screenshots in both themes and lists the changed pages of a pull request', async () => {
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

test('screenshots of a private site are readable by URL and not stored in shared caches', async () => {
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
] as const)('ends the update without screenshots if Chromium %s', async (_what, make, warning) => {
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
