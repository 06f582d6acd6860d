import { expect, onTestFinished, test } from 'vitest'
import { serveSite } from '../../site/page/api/serve-site.ts'
import { browser, shareBrowser } from '../../support/browser.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'

shareBrowser()

const languages = [
  { language: 'en', groups: [{ group: 'Pets', pages: ['index', 'more'] }] },
  { language: 'de', groups: [{ group: 'Tiere', pages: ['de/index', 'de/more'] }] },
]
const tree = {
  'docs.json': JSON.stringify({ name: 'Zoo', navigation: { languages } }),
  'index.mdx': '---\ntitle: Pets\n---\nAll about pets.\n',
  'more.mdx': '---\ntitle: More\n---\nText.\n',
  'de/index.mdx': '---\ntitle: Tiere\n---\nAlles über Tiere.\n',
  'de/more.mdx': '---\ntitle: Mehr\n---\nText.\n',
}

test('a German reader gets the German start page until they choose another language', async () => {
  const { files } = await serveSite(tree, false, { appliesRedirects: true })
  const app = await startPeopleApp()
  const { project } = await app.addRepository('acme/zoo', { octocat: 'admin' })
  await endUpdate(app.store, project, { sha: toSha('1'), site: Object.fromEntries(files) })
  const site = app.base.replace('localhost', `${project.subdomain}.localhost`)
  // Headless browsers are treated as crawlers.
  const context = await browser.newContext({ locale: 'de-AT', userAgent: 'Mozilla/5.0 Chrome/150.0.0.0' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const open = async () => {
    await page.goto(`${site}/`)
    return new URL(page.url()).pathname
  }
  const choose = async (name: string, path: string) => {
    await page.locator('.switch summary').first().click()
    await page.getByRole('link', { name }).first().click()
    await page.waitForURL(`${site}${path}`)
  }
  expect([await open(), await context.cookies()]).toEqual(['/de/', []])
  await choose('English', '/')
  expect(await open()).toBe('/')
  expect(await context.cookies()).toMatchObject([{ name: 'site-language', value: 'en', sameSite: 'Lax' }])
  await page.goto(`${site}/more/`)
  await choose('Deutsch', '/de/more/')
  expect(await open()).toBe('/de/')
})
