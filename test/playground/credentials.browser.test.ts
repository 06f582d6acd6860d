import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { serveOAuth } from '../support/serve-oauth.ts'
import { openDialog, reopenAuthorization } from './support/open-dialog.ts'

shareBrowser()

const hostile = [
  '"><img src=x onerror="window.hacked=1">',
  "'; window.hacked=1; //",
  '`window.hacked=1`',
  '\u202e\u0000\r\nX-Evil: 1',
  '{{7*7}}',
  '__proto__',
]
const secrets = { token: 'bearer-of-ann-7261', key: 'key-of-ann-7261', password: 'password-of-ann-7261' }
const basic = Buffer.from(`ann:${secrets.password}`).toString('base64')
const wanted = [...Object.values(secrets), basic, basic.replaceAll('=', '')]

const has = (text: string) => wanted.some((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))

test('credentials reach the selected server only: no storage, URL, log or other host', async () => {
  const requested: string[] = []
  const answerAll = (origin: string) =>
    serve((request, response) => {
      requested.push(`${origin} ${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
      response.setHeader('content-type', 'text/html').end(hostile.join('\n'))
    })
  const api = await answerAll('api')
  const other = await answerAll('other')
  const { page, site, browserErrors } = await openDialog(browser, {
    servers: [{ url: `${api}/{version}`, variables: { version: { default: 'v1' } } }, { url: other }],
    security: [{ token: [], key: [] }, { basic: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  })
  const context = page.context()
  const logs: string[] = []
  const requests: { readonly url: string; readonly text: string }[] = []
  const addresses: string[] = []
  page.on('console', (message) => logs.push(message.text()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  context.on('request', (request) =>
    requests.push({
      url: request.url(),
      text: `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    }),
  )
  const dialog = page.getByRole('dialog')
  const stored = () =>
    page.evaluate(async () => ({
      local: JSON.stringify(localStorage),
      session: JSON.stringify(sessionStorage),
      rest: `${document.cookie} ${location.href} ${JSON.stringify(history.state)} ${(await indexedDB.databases()).length} ${(await caches.keys()).length} ${name}`,
    }))
  const send = async () => {
    const { length } = requested
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => requested.length).toBeGreaterThan(length)
    await page.getByText('200 OK', { exact: true }).waitFor()
    await reopenAuthorization(page)
  }
  const authorization = page.getByRole('combobox', { name: 'Authorization' })

  await page.getByLabel('Remember in this tab').uncheck()
  await page.getByLabel('token').fill(secrets.token)
  await page.getByLabel('X-Key').fill(secrets.key)
  await send()
  await authorization.selectOption('1')
  await page.getByLabel('username').fill('ann')
  await page.getByLabel('password').fill(secrets.password)
  await send()
  expect(requested.filter(has).map((line) => line.split(' ', 3).join(' '))).toEqual(['api GET /v1/pets', 'api GET /v1/pets'])
  // Select the other server and put hostile strings into every field.
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  for (const text of hostile) {
    await authorization.selectOption('0')
    for (const label of ['token', 'X-Key']) await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await reopenAuthorization(page)
    await authorization.selectOption('1')
    for (const label of ['username', 'password']) await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await reopenAuthorization(page)
  }
  await dialog.getByLabel('Server', { exact: true }).selectOption('0')
  for (const text of hostile) {
    await page.getByLabel('version').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await page.getByLabel('version').fill('last value')
  await send()
  // The values are stored for the tab after a delay, without the credentials.
  await expect.poll(async () => (await stored()).session).toContain('last value')
  const { local, session, rest } = await stored()
  expect([has(local), has(session), has(rest)]).toEqual([false, false, false])

  // Otherwise, credentials are stored for this tab and server.
  await page.getByLabel('Remember in this tab').check()
  expect(has((await stored()).session)).toBe(true)
  expect(has((await stored()).local)).toBe(false)
  await page.reload()
  await page.getByRole('dialog').locator('.form[aria-busy=false]').waitFor()
  await reopenAuthorization(page)
  await authorization.selectOption('1')
  expect(await page.getByLabel('password').inputValue()).toBe(secrets.password)
  // The other server has only what was entered for it.
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  expect(await page.getByLabel('password').inputValue()).toBe(hostile.at(-1))
  await dialog.getByLabel('Server', { exact: true }).selectOption('0')
  await page.getByLabel('Remember in this tab').uncheck()
  expect(has((await stored()).session)).toBe(false)

  const elsewhere = requests.filter(({ text, url }) => has(text) && !url.startsWith(`${api}/`))
  expect(elsewhere).toEqual([])
  const hosts = [...new Set(requests.filter(({ url }) => !/^(?:blob|data):/.test(url)).map(({ url }) => new URL(url).origin))]
  expect(hosts.sort()).toEqual([api, other, site.address].sort())
  expect(logs.filter(has)).toEqual([])
  expect([...addresses, page.url()].filter(has)).toEqual([])
  expect(requested.filter((line) => /"x-evil":/i.test(line))).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(browserErrors.filter((line) => /policy|csp|violat/i.test(line))).toEqual([])
})

test('tokens, codes and secrets of OAuth reach their servers only', async () => {
  const oauth = await serveOAuth()
  const answerAll = () =>
    serve((_request, response) => {
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization').end()
    })
  const [api, other] = [await answerAll(), await answerAll()]
  const tokenUrl = `${oauth.issuer}/token`
  const flow = { authorizationUrl: `${oauth.issuer}/auth`, tokenUrl, scopes: { read: '' } }
  const { page, site } = await openDialog(browser, {
    servers: [{ url: api }, { url: other }],
    security: [{ person: ['read'] }, { machine: ['read'] }],
    components: {
      securitySchemes: {
        person: { type: 'oauth2', flows: { authorizationCode: flow } },
        machine: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: { read: '' } } } },
      },
    },
  })
  const requests: { readonly origin: string; readonly text: string }[] = []
  const logs: string[] = []
  const answers: Promise<string>[] = []
  page.context().on('request', (request) =>
    requests.push({
      origin: new URL(request.url()).origin,
      text: `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
    }),
  )
  page.context().on('console', (message) => logs.push(message.text()))
  page.context().on('response', (response) => {
    if (response.url() === tokenUrl && response.request().method() === 'POST') answers.push(response.text())
  })
  const dialog = page.getByRole('dialog')
  const send = async () => {
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('200 OK', { exact: true }).waitFor()
  }
  await dialog.getByLabel('Remember in this tab').uncheck()
  await dialog.getByLabel('client_id').fill('page')
  const [window] = await Promise.all([page.waitForEvent('popup'), dialog.getByRole('button', { name: 'Sign in' }).click()])
  await window.locator('[name=login]').fill('ann')
  await window.locator('[name=password]').fill('any')
  await window.locator('[type=submit]').click()
  await Promise.all([window.waitForEvent('close'), window.getByRole('button', { name: 'Continue' }).click()])
  await dialog.getByText('The token expires at').waitFor()
  await send()
  await reopenAuthorization(page)
  await dialog.getByRole('combobox', { name: 'Authorization' }).selectOption('1')
  await dialog.getByLabel('client_id').fill('machine')
  await dialog.getByLabel('client_secret').fill('secret of machine')
  await dialog.getByRole('button', { name: 'Get a token' }).click()
  await dialog.getByText('The token expires at').waitFor()
  await send()
  // Another server receives no token.
  await dialog.getByLabel('Server', { exact: true }).selectOption('1')
  await send()
  await dialog.getByRole('combobox', { name: 'Authorization' }).selectOption('0')
  await send()
  await expect.poll(() => requests.filter(({ origin }) => origin === other).length).toBe(2)
  // The selected server is stored after a delay.
  const writtenDown = () => page.evaluate(() => Object.values({ ...sessionStorage }).join())
  await expect.poll(writtenDown).toContain('"index":1')
  await dialog.getByLabel('Server', { exact: true }).selectOption('0')
  await expect.poll(writtenDown).not.toContain('"index":1')

  const given = (await Promise.all(answers)).map((text): Record<string, string> => JSON.parse(text))
  const post = new URLSearchParams(
    requests
      .find(({ text }) => text.includes('grant_type=authorization_code'))
      ?.text.split(' ')
      .at(-1),
  )
  const texts = {
    access: given.map(({ access_token }) => access_token ?? ''),
    refresh: [given[0]?.['refresh_token'] ?? ''],
    code: [post.get('code') ?? ''],
    verifier: [post.get('code_verifier') ?? ''],
    secret: ['secret of machine', 'secret%20of%20machine', 'secret+of+machine', btoa('machine:secret+of+machine')],
  }
  expect(
    Object.values(texts)
      .flat()
      .filter((text) => text.length < 17),
  ).toEqual([])
  const placesOf = (kind: keyof typeof texts) => [
    ...new Set(requests.filter(({ text }) => texts[kind].some((one) => text.includes(one))).map(({ origin }) => origin)),
  ]
  expect({
    access: placesOf('access'),
    refresh: placesOf('refresh'),
    verifier: placesOf('verifier'),
    secret: placesOf('secret'),
    // The code is part of a URL of this site, which removes it. It is useless without the verifier.
    code: placesOf('code'),
  }).toEqual({ access: [api], refresh: [], verifier: [oauth.issuer], secret: [oauth.issuer], code: [site.address, oauth.issuer] })
  const hasAny = (text: string) =>
    Object.values(texts)
      .flat()
      .some((one) => text.includes(one))
  const stored = () =>
    page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state]),
    )
  expect(hasAny(await stored())).toBe(false)
  expect(logs.filter(hasAny)).toEqual([])
  // Otherwise, access tokens are stored for this tab, but no refresh tokens and secrets.
  await dialog.getByLabel('Remember in this tab').check()
  const kept = await stored()
  expect(texts.access.every((token) => kept.includes(token))).toBe(true)
  expect([...texts.refresh, ...texts.secret].filter((text) => kept.includes(text))).toEqual([])
})
