import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { openDialog } from './support/open-dialog.ts'

shareBrowser()

test('shows a sample in every language and loads the less common ones on demand', async () => {
  const { page, browserErrors } = await openDialog(browser, { servers: [{ url: 'https://api.example.com' }] })
  const sample = page.getByRole('dialog').getByRole('group', { name: / sample$/ })
  await expect.poll(() => sample.innerText()).toContain('curl')
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.getByRole('dialog').getByLabel('Other languages').selectOption({ label: 'Rust' })
  await expect.poll(() => sample.innerText()).toContain('reqwest::blocking')
  expect(loaded.filter((url) => /other-samples/.test(url))).toHaveLength(1)
  const names = await page.getByRole('dialog').getByLabel('Other languages').locator('option').allInnerTexts()
  for (const name of names.slice(1)) {
    await page.getByRole('dialog').getByLabel('Other languages').selectOption({ label: name })
    await expect.poll(() => sample.getAttribute('aria-label')).toBe(`${name} sample`)
    expect(await sample.innerText()).toContain('https://api.example.com/pets')
    expect(await sample.locator('.s').count()).toBeGreaterThan(0)
  }
  // The less common languages share a script, and every script is loaded once.
  expect(loaded.filter((url) => /other-samples/.test(url))).toHaveLength(1)
  expect(new Set(loaded).size).toBe(loaded.length)
  expect(browserErrors).toEqual([])
})

test('samples have the same highlighting in the page and in the dialog, in both themes', async () => {
  const { page } = await openDialog(browser, {
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets': {
        post: {
          requestBody: { required: true, content: { 'application/json': { example: { name: 'Tom', age: 3, isCat: true } } } },
          responses: { 200: { description: 'OK' } },
        },
      },
    },
  })
  const dialog = page.getByRole('dialog')
  const sample = dialog.getByRole('group', { name: / sample$/ })
  await sample.locator('span[class]').first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), colorScheme)
    const colorsOf = (selector: string) =>
      page.evaluate((root) => {
        const tokens = [...document.querySelectorAll(`${root} pre code > *`)].filter((token) => token.checkVisibility())
        return Object.fromEntries(tokens.map((token) => [token.textContent, getComputedStyle(token).color]))
      }, selector)
    const inDialog = await colorsOf('dialog')
    const colors = Object.entries(await colorsOf('#samples')).filter(([text]) => Object.hasOwn(inDialog, text))
    expect(new Set(colors.map(([, color]) => color)).size).toBeGreaterThan(1)
    expect(inDialog).toMatchObject(Object.fromEntries(colors))
  }
})

test("shows the document's own samples and says that they do not change", async () => {
  const { page, browserErrors } = await openDialog(browser, {
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/pets/{id}': {
        get: {
          responses: { 200: { description: 'OK' } },
          'x-codeSamples': [
            { lang: 'Shell', label: 'pets CLI', source: 'pets get <id> && echo "done"' },
            { lang: 'Python', source: 'pets.get(1)' },
          ],
        },
      },
    },
  })
  const dialog = page.getByRole('dialog')
  const others = dialog.getByLabel('Other languages')
  // The samples are rendered after the form.
  await expect
    .poll(() => others.locator('optgroup[label="From the OpenAPI document"] option').allInnerTexts())
    .toEqual(['pets CLI', 'Python'])
  await others.selectOption({ label: 'pets CLI' })
  await dialog.getByText('does not follow your input').waitFor()
  expect(await dialog.getByRole('group', { name: 'pets CLI sample' }).innerText()).toBe('pets get <id> && echo "done"')
  await dialog.getByLabel('id', { exact: true }).fill('7')
  await dialog.getByRole('radio', { name: 'Python' }).check()
  await dialog.getByRole('group', { name: 'Python sample' }).getByText('/pets/7').waitFor()
  expect(await dialog.getByText('does not follow your input').count()).toBe(0)
  expect(browserErrors).toEqual([])
})
