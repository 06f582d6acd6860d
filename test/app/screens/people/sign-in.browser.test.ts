import { expect, onTestFinished, test } from 'vitest'
import { browser, shareBrowser } from '../../../support/browser.ts'
import { endUpdate, startPeopleApp, toSha } from '../../support/people-app.ts'

shareBrowser()

test('opens a private site through the sign-in, without policy violations', async () => {
  const app = await startPeopleApp()
  const { store } = app
  const { project } = await app.addRepository('octo/tracker-docs', { octocat: 'admin' }, { private: true })
  const site = { 'index.html': 'a', 'pets.html': 'b'.repeat(40_000) }
  await endUpdate(store, project, { sha: toSha('3'), site })
  const details = { trigger: 'pull_request', pullNumber: 479 } as const
  const ref = 'refs/heads/french'
  await endUpdate(store, project, { sha: toSha('4'), message: 'Traduire le guide', ref, details, site })
  await store.accept({ pullHeads: [{ projectId: project.id, pullNumber: 479, sha: toSha('4') }] })
  app.github.signedInAs = 'octocat'
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!/status of 404/.test(message.text())) complaints.push(message.text())
  })
  const address = app.base.replace('localhost', `${project.subdomain}.localhost`)
  await page.goto(`${address}/pets.html`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await page.waitForURL(`${address}/pets.html`)
  expect(await page.textContent('body')).toMatch(/^b+$/)
  const cookies = await context.cookies()
  expect(cookies.map(({ name, domain }) => `${name} ${domain}`).sort()).toEqual([
    'openapi-pages-session localhost',
    `openapi-pages-site ${project.subdomain}.localhost`,
  ])
  await page.goto(`${app.base}/projects/${project.id}`)
  // Afterwards, no prompt is needed, not even for a preview that was never opened.
  await page.locator('[data-part=branches]').getByRole('link', { name: 'Visit #479 Traduire le guide' }).click()
  await page.waitForURL(`${address.replace(project.subdomain, `${project.subdomain}--pr-479`)}/`)
  await page.goto(`${app.base}/projects/${project.id}`)
  await page.getByText('Share with people').click()
  await page.getByLabel('Expires in').selectOption('30')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Link').inputValue()
  const guest = await browser.newContext()
  onTestFinished(() => guest.close())
  const opened = await guest.newPage()
  await opened.goto(link)
  expect([opened.url(), await opened.textContent('body')]).toEqual([`${address}/`, 'a'])
  expect(complaints).toEqual([])
})
