import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { browser, shareBrowser } from '../../../support/browser.ts'
import { startFakeGitHub } from '../../../support/fake-github/fake-github.ts'
import { startTestApp } from '../../support/test-app.ts'

// Run with `evaluate`, because the page's Content Security Policy would block the script.
const axeText = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

shareBrowser()

/** Opens the setup page of a new server. */
async function openSetup(env: Record<string, string>) {
  const app = await startTestApp(onTestFinished, { env })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const { pathname, search } = new URL(app.setupUrl ?? '')
  await page.goto(app.address + pathname + search)
  return { app, page }
}

/** The axe violations and the horizontal overflow of a page, on wide and narrow screens in both themes. */
async function findFaults(page: Page): Promise<unknown[]> {
  const faults: unknown[] = []
  for (const width of [1280, 360])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.evaluate(axeText)
      const { axe, overflow } = await page.evaluate<{ axe: string[]; overflow: number }>(
        `axe.run().then(({ violations }) => ({
          axe: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
          overflow: document.documentElement.scrollWidth - innerWidth,
        }))`,
      )
      if (axe.length > 0 || overflow > 0) faults.push({ title: await page.title(), width, colorScheme, axe, overflow })
    }
  return faults
}

test('the setup, its result and its failure have no axe violations and fit a phone', async () => {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const { app, page } = await openSetup({ GITHUB_URL: github.url, BASE_URL: 'https://pages.example.com' })
  await page.getByRole('heading', { name: 'Connect to GitHub' }).waitFor()
  const faults = await findFaults(page)
  const form = page.locator('form[method=post]')
  const readState = async () => new URL((await form.getAttribute('action')) ?? '').searchParams.get('state')
  const finish = async (code: string) => {
    const state = await readState()
    await page.goto(`${app.address}/setup/created?code=${code}&state=${state}`)
  }
  await finish('wrong')
  await page.getByRole('heading', { name: 'Could not connect to GitHub' }).waitFor()
  faults.push(...(await findFaults(page)))
  await page.getByRole('link', { name: 'Start again' }).click()
  const manifest: unknown = JSON.parse((await page.locator('input[name=manifest]').getAttribute('value')) ?? '')
  await finish(github.confirmManifest(manifest as Record<string, unknown>)) // An object, written by the setup page.
  await page.getByRole('heading', { name: 'GitHub App created' }).waitFor()
  faults.push(...(await findFaults(page)))
  expect(faults).toEqual([])
})
