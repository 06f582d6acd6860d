import { mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { relayPath } from '../../../src/playground/request/relay-format.ts'
import { serveSite } from '../../site/page/api/serve-site.ts'
import { browser, shareBrowser } from '../../support/browser.ts'
import { localNetwork, serveHttps } from '../../support/serve-https.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Set to a folder to save screenshots for review. */
const shotFolder = process.env['OPENAPI_PAGES_SHOTS']

shareBrowser()

/** An app with a public site for an API without CORS, and the playground of its operation in a browser. */
async function open(env: Readonly<Record<string, string>>) {
  const received: IncomingMessage[] = []
  const api = await serveHttps((request, response) => {
    received.push(request)
    response.setHeader('Content-Type', 'application/json').setHeader('X-Request', '7')
    response.end(JSON.stringify({ name: 'Minka', asked: request.url }))
  })
  const { files } = await serveSite({
    'docs.json': JSON.stringify({ name: 'Pets', navigation: { pages: ['pets'] }, api: { openapi: 'openapi.json' } }),
    'pets.mdx': '---\ntitle: Create a pet\nopenapi: POST /pets\n---\n',
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: [{ url: `${api}/v1` }],
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: {
        '/pets': {
          post: {
            summary: 'Create a pet',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
            },
            responses: { 201: { description: 'Created' } },
          },
        },
      },
    }),
  })
  const app = await startPeopleApp({ network: localNetwork, env })
  const { project } = await app.addRepository('acme/pets', { reader: 'read' })
  await endUpdate(app.store, project, { sha: toSha('1'), site: Object.fromEntries(files) })
  // The API has a certificate that the browser does not know.
  const context = await browser.newContext({ reducedMotion: 'reduce', ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const relayed: string[] = []
  page.on('request', (request) => request.url().endsWith(relayPath) && relayed.push(request.method()))
  const site = app.base.replace('localhost', `${project.subdomain}.localhost`)
  await page.goto(`${site}/pets/`)
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.form[aria-busy=false]').waitFor()
  await dialog.getByLabel('token').fill('s3cr3t-t0k3n')
  await dialog.getByRole('textbox', { name: 'name' }).fill('Minka-secret')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('heading', { name: 'The browser blocked the response' }).waitFor()
  const offer = dialog.getByRole('button', { name: 'Send through this server' })
  return { app, page, dialog, offer, received, relayed, site }
}

/** Checks a state with axe in both themes, on wide and narrow screens, and saves screenshots. */
async function check(page: Page, state: string): Promise<void> {
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      const found = await page.evaluate(
        'axe.run("dialog").then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))',
      )
      expect(found, `${state}, ${colorScheme}, ${width}`).toEqual([])
      if (shotFolder === undefined) continue
      mkdirSync(shotFolder, { recursive: true })
      await page.locator('.choices, [role=tree], .res h3').last().scrollIntoViewIfNeeded()
      await page.screenshot({ path: join(shotFolder, `relay-${state}-${colorScheme}-${width}.png`) })
    }
  }
}

test('sends a blocked request through the server of the site, after the reader chooses so', async () => {
  const { app, page, dialog, offer, received, relayed, site } = await open({
    PLAYGROUND_RELAY: 'all',
    PLAYGROUND_RELAY_PER_MINUTE: '1',
  })
  const { host } = new URL(site)
  await offer.waitFor()
  // Only the preflight of the browser reached the API, and nothing was sent to the relay.
  expect([received.map(({ method }) => method), relayed]).toEqual([['OPTIONS'], []])
  const note = await dialog.locator('#play-relay').innerText()
  expect(note).toContain(
    `${host}, the server of this site, would receive the whole request with your credentials, and pass it on to`,
  )
  expect(await offer.getAttribute('aria-describedby')).toBe('play-relay')
  await check(page, 'offer')
  await offer.focus()
  await page.keyboard.press('Enter')
  const response = dialog.getByRole('region', { name: 'Response' })
  await response.getByText('200 OK', { exact: true }).waitFor()
  await response.getByText('"/v1/pets"', { exact: true }).waitFor()
  expect(await response.innerText()).toContain(`Sent through ${host}`)
  const [, sent] = received
  expect([sent?.method, sent?.headers.authorization, sent?.headers['content-type']]).toEqual([
    'POST',
    'Bearer s3cr3t-t0k3n',
    'application/json',
  ])
  await check(page, 'response')
  await response.getByLabel('Headers').check()
  await expect.poll(() => response.innerText()).toMatch(/x-request\s+7/)
  expect(relayed).toEqual(['POST'])

  // Sending again is a direct request, which the browser blocks again.
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await offer.click()
  await dialog.getByRole('heading', { name: 'The request through this server failed' }).waitFor()
  expect(await response.innerText()).toContain(`${host} refused the request: More than 1 request per minute from this IP address`)
  await check(page, 'refused')
  expect(app.logLines.join('')).not.toMatch(/s3cr3t|Minka-secret/)
})

test('offers nothing unless an administrator enabled it', async () => {
  const { offer, dialog, relayed } = await open({})
  await dialog.getByRole('button', { name: 'Check connection' }).waitFor()
  expect([await offer.count(), relayed]).toEqual([0, []])
})
