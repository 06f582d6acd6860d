import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { collectBrowserErrors, type ServedSite, serveSite } from '../../site/page/api/serve-site.ts'

interface OpenedDialog {
  readonly page: Page
  readonly site: ServedSite
  /** Policy violations, errors and failed requests of the page. */
  readonly browserErrors: string[]
  /** Returns the text of the response area. */
  readonly answer: () => Promise<string>
}

/** The `paths` of an OpenAPI document. */
type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>

/** Builds a site for an OpenAPI document with one operation, by default `GET /pets`, and opens its playground. */
export async function openDialog(
  browser: Browser,
  description: { readonly paths?: Paths; readonly [field: string]: unknown },
  docs: object = {},
): Promise<OpenedDialog> {
  const paths = description.paths ?? { '/pets': { get: { summary: 'Pets', responses: { 200: { description: 'OK' } } } } }
  const [path = '', item = {}] = Object.entries(paths)[0] ?? []
  const site = await serveSite({
    'docs.json': JSON.stringify({
      name: 'Pets',
      navigation: { pages: ['pets'] },
      api: { openapi: 'openapi.json', examples: { prefill: false } },
      ...docs,
    }),
    'pets.mdx': `---\ntitle: Pets\nopenapi: ${Object.keys(item)[0]?.toUpperCase()} ${path}\n---\n`,
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      ...description,
      paths,
    }),
  })
  const context = await browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const browserErrors = collectBrowserErrors(page)
  await page.goto(`${site.address}/pets/`)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('dialog').waitFor()
  // The dialog renders in stages.
  await page.getByRole('dialog').locator('.form[aria-busy=false]').waitFor()
  return { page, site, browserErrors, answer: () => page.getByRole('region', { name: 'Response' }).innerText() }
}

/** Opens the credential fields, which collapse when they are filled in and a request is sent. */
export async function reopenAuthorization(page: Page): Promise<void> {
  const line = page.getByRole('dialog').locator('details.sec:not([open]) > summary', { hasText: 'Authorization' })
  await line.click()
}
