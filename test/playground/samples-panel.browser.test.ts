import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../app/support/browser.ts'
import { openDialog } from './support/open-dialog.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('there is a sample in every language, and rarer ones are loaded when they are chosen', async () => {
  const { page, complaints } = await openDialog(browser, { servers: [{ url: 'https://api.example.com' }] })
  const sample = page.getByRole('dialog').getByRole('group', { name: /^Sample in/ })
  await expect.poll(() => sample.innerText()).toContain('curl')
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.getByRole('dialog').getByLabel('Other languages').selectOption({ label: 'Rust' })
  await expect.poll(() => sample.innerText()).toContain('reqwest::blocking')
  expect(loaded.filter((url) => /other-samples/.test(url))).toHaveLength(1)
  const names = await page.getByRole('dialog').getByLabel('Other languages').locator('option').allInnerTexts()
  for (const name of names.slice(1)) {
    await page.getByRole('dialog').getByLabel('Other languages').selectOption({ label: name })
    await expect.poll(() => sample.getAttribute('aria-label')).toBe(`Sample in ${name}`)
    expect(await sample.innerText()).toContain('https://api.example.com/pets')
    expect(await sample.locator('.s').count()).toBeGreaterThan(0)
  }
  // Those of one script come together, and every script once.
  expect(loaded.filter((url) => /other-samples/.test(url))).toHaveLength(1)
  expect(new Set(loaded).size).toBe(loaded.length)
  expect(complaints).toEqual([])
})
