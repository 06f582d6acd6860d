import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toSignedLink } from '../../../../src/app/base/signed-links.ts'
import { claimNext } from '../../../store/store-fixture.ts'
import { browser, shareBrowser } from '../../../support/browser.ts'
import { failedReport, validReport } from '../../support/sample-report.ts'
import { addProject, addUpdate, finishNext, startNext, startTestApp, type TestApp } from '../../support/test-app.ts'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Set to a folder to save screenshots for review. */
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']

shareBrowser()

// Both themes and both layouts. Images of the pages show all four combinations.
const looks: readonly { name: string; options: BrowserContextOptions }[] = [
  { name: 'light', options: { colorScheme: 'light', viewport: { width: 1280, height: 900 } } },
  { name: 'dark phone', options: { colorScheme: 'dark', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } },
]

type Kind = 'queued' | 'running' | 'failed' | 'succeeded' | 'superseded' | 'missing' | 'setup' | 'local setup'

async function addressOf(app: TestApp, kind: Kind): Promise<string> {
  if (kind === 'missing') return `${app.address}/updates/none`
  if (kind === 'setup' || kind === 'local setup') return app.setupUrl ?? ''
  const project = await addProject(app.store, { owner: 'octo', repo: 'tracker-docs' })
  const update = await addUpdate(app.store, project, { details: { trigger: 'push', pullNumber: 482 } })
  if (kind === 'running') await startNext(app.store)
  if (kind === 'failed' || kind === 'succeeded') {
    const running = await startNext(app.store)
    await finishNext(app.store, running, {
      status: kind === 'failed' ? 'failure' : 'success',
      summary:
        kind === 'failed'
          ? 'Failed: 2 errors in `openapi.yaml` (first error at 214:21: reference-unresolved).'
          : 'Valid: 1 document, 64 operations. 3 pages would change.',
      report: kind === 'failed' ? failedReport : validReport,
      logs: [
        'Reading octo/tracker-docs at b70d5e2',
        '1 project, 1 OpenAPI document, 148 pages',
        `openapi.yaml: ${'a line that is much longer than a phone is wide, '.repeat(4)}`,
        'Ended',
      ],
    })
  }
  if (kind === 'superseded') {
    const job = await claimNext(app.store)
    if (job?.kind !== 'run' || job.stored.update.status !== 'queued') throw new Error('No update waits')
    const { finishUpdate } = await import('../../../../src/status/update-record.ts')
    const ended = finishUpdate(job.stored.update, {
      status: 'failure',
      summary: 'Not run: superseded by 9f8e7d6.',
      endedAt: new Date().toISOString(),
    })
    await app.store.queue.finish(job.lease, ended)
  }
  return toSignedLink(app.context.urls.linkKey, app.address, update._id, new Date())
}

const gapsBeforeCode = `[...document.querySelectorAll('.note code')].map((code) => {
  const words = document.createRange()
  words.selectNodeContents(code.previousSibling)
  const end = [...words.getClientRects()].at(-1)
  const start = code.getClientRects()[0]
  return start.top > end.top + 8 || start.left - end.right < 8
})`

/** A page in its own browser context, with all its errors and warnings. */
async function openPage(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser itself logs 404 responses.
    if (message.type() !== 'log' && !/status of 404/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
  return { page, complaints }
}

async function findAccessibilityFaults(page: Page): Promise<string[]> {
  // The policy of the page blocks other scripts, so evaluate this one directly.
  await page.evaluate(await (await import('node:fs/promises')).readFile(axePath, 'utf8'))
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
  )
  return Array.isArray(found) ? found.map(String) : ['axe did not run']
}

describe.each(looks)('in $name', ({ name, options }) => {
  test.each<Kind>(['queued', 'running', 'failed', 'succeeded', 'superseded', 'missing', 'setup', 'local setup'])(
    'the page of an update that is %s: nothing overflows, axe finds nothing, the policy stops nothing',
    async (kind) => {
      const app = await startTestApp(onTestFinished, kind === 'setup' ? { env: { BASE_URL: 'https://pages.example.com' } } : {})
      const url = await addressOf(app, kind)
      const { page, complaints } = await openPage(options)
      await page.goto(url.replace('https://pages.example.com', app.address))
      await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBeDefined()
      if (shotFolder) {
        mkdirSync(shotFolder, { recursive: true })
        await page.screenshot({ path: join(shotFolder, `${kind}-${name.replace(' ', '-')}.png`), fullPage: true })
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await findAccessibilityFaults(page)).toEqual([])
      const left = (selector: string) => page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().left`)
      if (kind === 'missing' || kind === 'setup') expect(await left('main > *')).toBe(await left('.brand'))
      // The text of a warning is one paragraph: its code elements follow the words before them.
      if (kind === 'local setup') expect(await page.evaluate(gapsBeforeCode)).toEqual([true, true, true])
      expect(complaints).toEqual([])
    },
  )
})

describe('live', () => {
  test('updates the page without a reload, keeps folds open, and stops at the end', async () => {
    const app = await startTestApp(onTestFinished)
    const { page, complaints } = await openPage({})
    await page.goto(await addressOf(app, 'queued'))
    await page.evaluate('window.untouched = true')
    const running = await startNext(app.store)
    await page.getByRole('status').filter({ hasText: 'In progress' }).waitFor()
    await finishNext(app.store, running, {
      status: 'failure',
      summary: 'Failed: 2 errors.',
      report: failedReport,
      logs: ['one', 'two'],
    })
    await page.getByRole('status').filter({ hasText: 'Failure' }).waitFor()
    await page.getByText('Unexpected field').waitFor()
    expect(
      await page.evaluate("[...document.querySelectorAll('main > [data-part]')].map(({ dataset }) => dataset.part)"),
    ).toEqual([
      'head',
      'findings',
      'steps',
      'facts',
      'screenshots',
      'api-changes',
      'changed-pages',
      'documents',
      'changes',
      'logs',
    ])
    await expect.poll(() => page.title()).toMatch(/^Failure: /)
    expect(await page.evaluate('window.untouched')).toBe(true)
    await expect.poll(() => app.tools.waiters.size).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is complete without JavaScript, and reloads while the update is running', async () => {
    const app = await startTestApp(onTestFinished)
    const { page } = await openPage({ javaScriptEnabled: false })
    await page.goto(await addressOf(app, 'queued'))
    expect(await page.getByRole('status').textContent()).toBe('Queued')
    const running = await startNext(app.store)
    await page.getByRole('status').filter({ hasText: 'In progress' }).waitFor({ timeout: 15_000 })
    await finishNext(app.store, running, { status: 'failure', summary: 'Failed.', report: failedReport, logs: ['one'] })
    await page.getByRole('status').filter({ hasText: 'Failure' }).waitFor({ timeout: 15_000 })
    // Wait for the end of the page, which follows the state.
    await page.waitForLoadState()
    expect(await page.locator('noscript').count()).toBe(0)
    expect(await page.getByText('Unexpected field').isVisible()).toBe(true)
    expect(await page.locator('.theme').isVisible()).toBe(false)
  })

  test('uses the theme of the system until the reader chooses one, and remembers the choice', async () => {
    const app = await startTestApp(onTestFinished)
    const { page } = await openPage({ colorScheme: 'light' })
    await page.goto(await addressOf(app, 'succeeded'))
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(255, 255, 255)')
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    expect(await ground()).toBe('rgb(14, 17, 22)')
    // The headers of the 304 replace the earlier ones.
    await page.reload()
    expect(await ground()).toBe('rgb(14, 17, 22)')
  })
})
