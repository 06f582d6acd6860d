import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, shareBrowser } from '../support/browser.ts'
import { serve } from '../support/serve.ts'
import { type OAuthServerOfTest, serveOAuth } from '../support/serve-oauth.ts'
import { openDialog } from './support/open-dialog.ts'

shareBrowser()

interface Opened {
  readonly page: Page
  readonly oauth: OAuthServerOfTest
  readonly browserErrors: string[]
  /** Every URL of every window. */
  readonly addresses: string[]
  /** The parameters of the last authorization request. */
  readonly begun: () => Record<string, string>
  /** Sends a request and returns the scopes of the token that the API received. */
  readonly sendForScopes: () => Promise<string | undefined>
}

async function open(toScheme: (issuer: string) => object, scopes: readonly string[] = [], seconds?: number): Promise<Opened> {
  const oauth = await serveOAuth(seconds)
  const seen: (string | undefined)[] = []
  const api = await serve(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', 'authorization')
    const token = request.headers.authorization?.replace('Bearer ', '')
    if (request.method !== 'OPTIONS') seen.push(token === undefined ? 'no token' : await oauth.scopesOf(token))
    response.end()
  })
  const { page, browserErrors } = await openDialog(browser, {
    servers: [{ url: api }],
    security: [{ oauth: scopes }],
    components: { securitySchemes: { oauth: toScheme(oauth.issuer) } },
  })
  const addresses: string[] = []
  const requested: string[] = []
  page.context().on('request', (request) => requested.push(request.url()))
  page.context().on('page', (window) => window.on('framenavigated', (frame) => addresses.push(frame.url())))
  return {
    page,
    oauth,
    browserErrors,
    addresses,
    begun: () =>
      Object.fromEntries(new URL(requested.findLast((url) => url.startsWith(`${oauth.issuer}/auth?`)) ?? 'none:').searchParams),
    sendForScopes: async () => {
      const { length } = seen
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => seen.length).toBe(length + 1)
      return seen[length]
    },
  }
}

/** Signs in on the pages of the authorization server. */
async function signInAs(window: Page, name: string): Promise<void> {
  await window.locator('[name=login]').fill(name)
  await window.locator('[name=password]').fill('any')
  await window.locator('[type=submit]').click()
  await window.getByRole('button', { name: 'Continue' }).click()
}

const codeFlow = (issuer: string, more: object = {}) => ({
  type: 'oauth2',
  flows: {
    authorizationCode: {
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      scopes: { read: 'Read pets', write: 'Write pets' },
    },
    ...more,
  },
})

test('signs in with PKCE, closes the window, removes the code from the URL and renews the token', async () => {
  const { page, browserErrors, addresses, begun, sendForScopes } = await open((issuer) => codeFlow(issuer), ['read'], 8)
  await page.getByLabel('client_id').fill('page')
  await page.getByLabel('write').check()
  const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Sign in' }).click()])
  await window.waitForURL(/\/interaction\//)
  expect(await window.evaluate('opener')).toBeNull()
  expect(begun()).toMatchObject({ response_type: 'code', scope: 'read write', code_challenge_method: 'S256' })
  const closed = window.waitForEvent('close')
  await signInAs(window, 'ann')
  await closed
  await page.getByText('The token expires at').waitFor()
  expect(await sendForScopes()).toBe('read write')
  // The redirect page removes the code from the URL.
  expect(addresses.at(-1)).toMatch(/\/_oauth\/$/)
  const first = await page.getByLabel('access token').inputValue()
  await expect.poll(() => page.getByLabel('access token').inputValue(), { timeout: 15_000 }).not.toBe(first)
  expect(await sendForScopes()).toBe('read write')
  expect(browserErrors).toEqual([])
})

test('makes signing in the main action, or accepts a token', async () => {
  const { page } = await open((issuer) => codeFlow(issuer))
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Sign in' }).getAttribute('class')).toContain('primary')
  expect(await dialog.locator('.row', { has: page.getByLabel('access token') }).innerText()).toContain('or paste a token')
})

test('offers a link if no window opens, ignores another state and reports a refusal', async () => {
  const { page, addresses } = await open((issuer) => codeFlow(issuer), ['read'])
  await page.evaluate(() => void Object.assign(globalThis, { open: () => null }))
  await page.getByLabel('client_id').fill('page')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const link = page.getByRole('link', { name: 'Open the sign-in page' })
  await link.waitFor()
  // An attacker opens the redirect page with a forged code.
  const forged = await page.context().newPage()
  await forged.goto(new URL('/_oauth/?code=forged&state=forged', page.url()).href)
  await forged.getByText('Go back to it and sign in again.').waitFor()
  expect(forged.url()).toMatch(/\/_oauth\/$/)
  expect(await link.isVisible()).toBe(true)
  const [window] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await window.waitForURL(/\/interaction\//)
  const closed = window.waitForEvent('close')
  // The window may close before it is loaded.
  await window.goto(new URL('abort', `${window.url()}/`).href, { waitUntil: 'commit' })
  await page.getByText('The server rejected the sign-in: access_denied').waitFor()
  await closed
  expect(addresses.at(-1)).toMatch(/\/_oauth\/$/)
  // Start again and cancel.
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test("requests a token with client credentials, warns about secrets and reports the server's error", async () => {
  const { page, browserErrors, sendForScopes } = await open((issuer) => ({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: `${issuer}/token`, scopes: { read: '' } } },
  }))
  await page.getByText('Browser extensions can read a client secret').waitFor()
  await page.getByLabel('client_id').fill('machine')
  await page.getByLabel('client_secret').fill('wrong')
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('rejected the request: invalid_client').waitFor()
  browserErrors.length = 0
  await page.getByLabel('client_secret').fill('secret of machine')
  await page.getByLabel('read').check()
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('The token expires at').waitFor()
  expect(await sendForScopes()).toBe('read')
  expect(browserErrors).toEqual([])
})

test('discovers the endpoints of OpenID Connect', async () => {
  const toScheme = (issuer: string) => ({ type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` })
  const { page, sendForScopes, browserErrors } = await open(toScheme, ['openid'])
  await page.getByLabel('client_id').fill('page')
  const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Sign in' }).click()])
  await window.waitForURL(/\/interaction\//)
  await signInAs(window, 'bob')
  await page.getByText('The token expires at').waitFor()
  expect(await sendForScopes()).toBe('openid')
  expect(browserErrors).toEqual([])
})

test('reads the metadata of an OAuth server (3.2, RFC 8414)', async () => {
  const { page, sendForScopes, browserErrors } = await open((issuer) => ({
    type: 'oauth2',
    oauth2MetadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    flows: { clientCredentials: { scopes: { write: '' } } },
  }))
  await page.getByLabel('client_id').fill('machine')
  await page.getByLabel('client_secret').fill('secret of machine')
  await page.getByLabel('write').check()
  await page.getByRole('button', { name: 'Get a token' }).click()
  await page.getByText('The token expires at').waitFor()
  expect(await sendForScopes()).toBe('write')
  expect(browserErrors).toEqual([])
})

test('sends nothing more to a server with a different issuer or a redirect', async () => {
  const requested: string[] = []
  const other = await serve((request, response) => {
    requested.push(`other ${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*').end('{}')
  })
  const issuers: Readonly<Record<string, (origin: string) => unknown>> = {
    '/none': () => undefined,
    '/elsewhere': () => other,
    '/longer': (origin) => `${origin}/longer/more`,
    '/case': (origin) => `${origin}/CASE`,
    '/right': (origin) => `${origin}/right/`,
  }
  const wrong = await serve((request, response) => {
    const { url = '' } = request
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*, authorization')
    if (url.endsWith('/token') && request.method === 'POST') {
      requested.push('token')
      return void response.writeHead(307, { location: `${other}/stolen` }).end()
    }
    const origin = `http://${request.headers.host}`
    const path = url.replace('/.well-known/openid-configuration', '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: issuers[path]?.(origin), token_endpoint: `${origin}${path}/token` }))
  })
  const names = Object.keys(issuers)
  const { page } = await openDialog(browser, {
    servers: [{ url: other }],
    security: names.map((name) => ({ [name]: [] })),
    components: {
      securitySchemes: Object.fromEntries(
        names.map((name) => [
          name,
          { type: 'openIdConnect', openIdConnectUrl: `${wrong}${name}/.well-known/openid-configuration` },
        ]),
      ),
    },
  })
  const messages: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    await page.getByRole('combobox', { name: 'Authorization' }).selectOption(String(index))
    await page.getByLabel('Flow').selectOption('clientCredentials')
    await page.getByLabel('client_id').fill('page')
    await page.getByLabel('client_secret').fill('secret-7261')
    await page.getByRole('button', { name: 'Get a token' }).click()
    messages[name] = await page.locator('.row .err').innerText()
  }
  const mismatch = (name: string, issuer: string) =>
    `${wrong}${name}/.well-known/openid-configuration has the issuer ${issuer}, which does not match this URL. No token was requested.`
  expect(messages).toEqual({
    '/none': `${wrong}/none/.well-known/openid-configuration has no issuer. No token was requested.`,
    '/elsewhere': mismatch('/elsewhere', other),
    '/longer': mismatch('/longer', `${wrong}/longer/more`),
    '/case': mismatch('/case', `${wrong}/CASE`),
    '/right': expect.stringContaining('responded with a redirect. It was not followed'),
  })
  expect(requested).toEqual(['token'])
})
