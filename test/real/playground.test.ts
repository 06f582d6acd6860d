import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { runsOr } from '../support/properties.ts'
import { runBin } from '../support/run-bin.ts'
import { serveSite } from '../support/serve-site.ts'
import { buildGitHubSite, gitHubDescription } from './github-site.ts'

/**
 * GitHub's description, and those that `OPENAPI_PAGES_DOCUMENTS` names (paths between colons; on Windows semicolons). Files beside a document come along, as far as it
 * refers to them.
 */
const documents = [
  gitHubDescription(),
  ...(process.env['OPENAPI_PAGES_DOCUMENTS'] ?? '').split(delimiter).filter((path) => path !== ''),
]
/** Dialogs that are opened of each document. */
const sampleSize = runsOr(10, 300)

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe.each(documents)('the playground of %s', (document) => {
  let folder: string | undefined
  let server: Server
  let origin: string
  let routes: readonly string[]
  beforeAll(async () => {
    let site: string
    if (document === gitHubDescription()) site = await buildGitHubSite()
    else {
      folder = mkdtempSync(join(tmpdir(), 'openapi-pages-real-playground-'))
      cpSync(dirname(document), join(folder, 'in'), { recursive: true, filter: (path) => isWanted(path, document) })
      site = join(folder, 'site')
      const { code, stderr } = await runBin(['build', basename(document), '-o', site], { cwd: join(folder, 'in') })
      expect(code, stderr).toBe(0)
    }
    const served = await serveSite(site, '/')
    server = served.server
    origin = served.origin
    routes = readdirSync(site, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.openapi.json') && !/(^|[/\\])webhooks[/\\]/.test(path))
      .map((path) => `/${path.replaceAll('\\', '/').replace(/\.openapi\.json$/, '/')}`)
      .sort()
  }, 300_000)
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    // Thousands of files, on a machine that has other work.
  }, 60_000)

  test('opens, fills, sends and closes every dialog without errors', { timeout: 1_800_000 }, async () => {
    expect(routes.length).toBeGreaterThan(0)
    const step = Math.max(1, routes.length / sampleSize)
    const sampled = Array.from(
      { length: Math.min(routes.length, sampleSize) },
      (_, index) => routes[Math.floor(index * step)] ?? '',
    )
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const complaints: string[] = []
    page.on('console', (message) => {
      const isAdvice = message.text().startsWith('[DOM]')
      if (message.type() !== 'log' && !isAdvice) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)))
    // Nothing of it leaves this machine.
    await page.route(
      (url) => url.origin !== origin,
      (route) => route.fulfill({ json: { ok: true }, headers: { 'access-control-allow-origin': '*' } }),
    )
    const failed: string[] = []
    for (const route of sampled) {
      complaints.length = 0
      try {
        await page.goto(`${origin}${route}`)
        // Webhooks have a slice and no dialog: they are sent by the server.
        if ((await page.locator('[data-slice]').count()) > 0) await tryOut(page)
      } catch (error) {
        complaints.push(String(error))
      }
      if (complaints.length > 0) failed.push(`${route}: ${complaints.join('; ')}`)
    }
    await context.close()
    expect(failed).toEqual([])
  })
})

/** What a reader does at most: opens everything, fills in the example, reads it as text and goes back, sends, closes. */
async function tryOut(page: Page): Promise<void> {
  await page.locator('[data-slice]').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  // It is drawn in parts.
  await dialog.locator('.form[aria-busy=false]').waitFor()
  await page.evaluate("document.querySelectorAll('dialog .more-rows').forEach((one) => (one.open = true))")
  const example = dialog.getByRole('button', { name: 'Use an example', exact: true })
  if ((await example.count()) > 0) await example.click()
  const raw = dialog.getByRole('radio', { name: 'Raw', exact: true })
  if ((await raw.count()) > 0) {
    await raw.check()
    await dialog.locator('.raw .cm-editor').waitFor()
    await dialog.getByRole('radio', { name: 'Form', exact: true }).check()
  }
  await dialog.locator('.out pre').first().waitFor()
  // Values without an example stay empty. A request needs all parts of its path and server, and even a default can have a placeholder.
  const serverSection = dialog.locator('details.sec').filter({ has: page.locator('summary', { hasText: /^Server\b/ }) })
  for (const part of await serverSection.locator('input').all())
    if (/^$|[{}]/.test(await part.inputValue())) await part.fill('api.example.com')
  const pathSection = dialog.locator('details.sec').filter({ has: page.locator('summary', { hasText: /^Path\b/ }) })
  for (const part of await pathSection.locator('input, textarea').all())
    if ((await part.inputValue()) === '') await part.fill('1')
  for (const part of await pathSection.locator('select').all()) {
    if (['', '-1'].includes(await part.inputValue())) await part.selectOption({ index: 1 })
  }
  // A server of any name is in no policy, which is said before and after.
  const isOutside = (await serverSection.getByText('is not one of them').count()) > 0
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const end = isOutside ? "This site's security policy blocks the server" : '200 OK'
  await dialog.getByRole('region', { name: 'Response' }).getByText(end, { exact: true }).last().waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  // Closing goes back in the history, which would stop the next page.
  await page.waitForURL((url) => url.hash === '')
}

/** Of documents in YAML, the files around them may be parts. */
function isWanted(path: string, document: string): boolean {
  const hasParts = /\.ya?ml$/.test(document)
  if (statSync(path).isDirectory()) return hasParts || path === dirname(document)
  return path === document || (hasParts && /\.(?:json|ya?ml|md)$/.test(path))
}
