import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../support/engine-views.ts'
import { type Engine, startEngines } from '../support/engines.ts'
import { runBin } from '../support/run-bin.ts'
import { serve } from '../support/serve.ts'
import { type ArrivedRequest, serveEcho } from '../support/serve-echo.ts'
import { serveSite } from '../support/serve-site.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** A request that a reader sends with the playground. */
interface SentRequest {
  /** The summary of its operation, and its path. */
  readonly name: string
  /** Fields of the operation. Its examples are in the form when it opens. */
  readonly operation: Readonly<Record<string, unknown>>
  /** Texts to type, by the label of their field. */
  readonly typed?: Readonly<Record<string, string>>
  /** The button that gets a token. */
  readonly button?: 'Sign in' | 'Get a token'
  /** What the server receives: the end of the path and the query, the headers that the request sets, and the body. */
  readonly received: readonly string[]
}

const awkward = `a b/c?d#e&f=g+h;i%20'"|é`
const colors = ['blue', 'black', 'brown']
const shades = { R: 100, G: 200 }

const parameter = (more: object) => ({ parameters: [{ name: 'color', in: 'query', ...more }] })
const body = (mediaType: string, example: unknown, schema: object = {}) => ({
  requestBody: { required: true, content: { [mediaType]: { schema, ...(example !== undefined && { example }) } } },
})
const list = { schema: { type: 'array', items: { type: 'string' } }, example: colors }
const map = { schema: { type: 'object', additionalProperties: { type: 'integer' } }, example: shades }
const name = { type: 'object', properties: { name: { type: 'string' } } }

const requests: readonly SentRequest[] = [
  {
    name: 'path',
    operation: parameter({ in: 'path', required: true, schema: { type: 'string' } }),
    typed: { color: awkward },
    received: ['/a%20b%2Fc%3Fd%23e%26f%3Dg%2Bh%3Bi%2520%27%22%7C%C3%A9'],
  },
  {
    name: 'matrix',
    operation: parameter({ in: 'path', required: true, style: 'matrix', explode: true, ...list }),
    received: ['/;color=blue;color=black;color=brown'],
  },
  {
    name: 'query',
    operation: parameter({ schema: { type: 'string' } }),
    typed: { color: awkward },
    received: ['?color=a%20b%2Fc%3Fd%23e%26f%3Dg%2Bh%3Bi%2520%27%22%7C%C3%A9'],
  },
  { name: 'list', operation: parameter(list), received: ['?color=blue&color=black&color=brown'] },
  { name: 'commas', operation: parameter({ ...list, explode: false }), received: ['?color=blue,black,brown'] },
  { name: 'map', operation: parameter({ ...map, style: 'deepObject' }), received: ['?color%5BR%5D=100&color%5BG%5D=200'] },
  {
    name: 'reserved',
    operation: parameter({ schema: { type: 'string' }, allowReserved: true, example: "a/b?c:@,;$'|" }),
    // URLs of the web encode more than those of OpenAPI.
    received: ['?color=a/b?c:@,;$%27%7C'],
  },
  {
    name: 'json-in-query',
    operation: parameter({ content: { 'application/json': { schema: {}, example: shades } } }),
    received: ['?color=%7B%22R%22%3A100%2C%22G%22%3A200%7D'],
  },
  {
    name: 'header',
    operation: parameter({ name: 'X-Color', in: 'header', ...list }),
    received: ['x-color: blue,black,brown'],
  },
  {
    name: 'json',
    operation: body('application/json', undefined, name),
    typed: { name: awkward },
    received: ['content-type: application/json', JSON.stringify({ name: awkward })],
  },
  {
    name: 'null',
    operation: body('application/json', null, { type: ['object', 'null'] }),
    received: ['content-type: application/json', 'null'],
  },
  {
    name: 'patch',
    operation: body('application/merge-patch+json', { name: null }, name),
    received: ['content-type: application/merge-patch+json', '{"name":null}'],
  },
  {
    name: 'lines',
    operation: body('application/x-ndjson', [{ a: 1 }, { b: 'é' }], { type: 'array', items: {} }),
    received: ['content-type: application/x-ndjson', '{"a":1}\n{"b":"é"}\n'],
  },
  {
    name: 'form',
    operation: body('application/x-www-form-urlencoded', undefined, name),
    typed: { name: awkward },
    received: ['content-type: application/x-www-form-urlencoded', 'name=a+b%2Fc%3Fd%23e%26f%3Dg%2Bh%3Bi%2520%27%22%7C%C3%A9'],
  },
  {
    name: 'parts',
    operation: body('multipart/form-data', undefined, {
      type: 'object',
      properties: { name: { type: 'string' }, photo: { type: 'string', format: 'binary' } },
    }),
    typed: { name: 'é\n"x"', photo: 'bytes\r\nof a picture' },
    received: [
      'content-type: multipart/form-data; boundary=boundary',
      '--boundary\r\nContent-Disposition: form-data; name="name"\r\n\r\né\n"x"\r\n' +
        '--boundary\r\nContent-Disposition: form-data; name="photo"; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\nof a picture\r\n--boundary--\r\n',
    ],
  },
  {
    name: 'text',
    operation: body('text/plain', 'a\n"b" é', { type: 'string' }),
    received: ['content-type: text/plain', 'a\n"b" é'],
  },
  {
    name: 'xml',
    operation: body('application/xml', undefined, { ...name, xml: { name: 'pet' } }),
    typed: { name: '<&>' },
    received: [
      'content-type: application/xml',
      '<?xml version="1.0" encoding="UTF-8"?>\n<pet>\n  <name>&lt;&amp;&gt;</name>\n</pet>\n',
    ],
  },
  {
    name: 'file',
    operation: body('image/png', undefined),
    typed: { Body: 'bytes' },
    received: ['content-type: image/png', 'bytes'],
  },
]

const secured = (...schemes: readonly string[]) => ({ security: [Object.fromEntries(schemes.map((scheme) => [scheme, []]))] })

const authentications: readonly SentRequest[] = [
  { name: 'bearer', operation: secured('bearer'), typed: { token: 'abc' }, received: ['authorization: Bearer abc'] },
  {
    name: 'basic',
    operation: secured('basic'),
    typed: { username: 'ann', password: 'pä:ss' },
    received: [`authorization: Basic ${Buffer.from('ann:pä:ss').toString('base64')}`],
  },
  { name: 'key', operation: secured('key'), typed: { 'X-Key': 'k1' }, received: ['x-key: k1'] },
  { name: 'key-in-query', operation: secured('inQuery'), typed: { key: 'k 2&' }, received: ['?key=k%202%26'] },
  // Browsers let no page set it, which the form says.
  { name: 'key-in-cookie', operation: secured('inCookie'), typed: { session: 'k3' }, received: [] },
  {
    name: 'both',
    operation: secured('key', 'bearer'),
    typed: { 'X-Key': 'k1', token: 'abc' },
    received: ['authorization: Bearer abc', 'x-key: k1'],
  },
  {
    name: 'machine',
    operation: secured('machine'),
    typed: { client_id: 'page', client_secret: 's3' },
    button: 'Get a token',
    received: [`authorization: Bearer client_credentials-Basic-${Buffer.from('page:s3').toString('base64')}`],
  },
  {
    name: 'person',
    operation: secured('person'),
    typed: { client_id: 'page' },
    button: 'Sign in',
    received: ['authorization: Bearer authorization_code-verified'],
  },
  {
    name: 'discovered',
    operation: secured('discovered'),
    typed: { client_id: 'page' },
    button: 'Sign in',
    received: ['authorization: Bearer authorization_code-verified'],
  },
]

const rows = [...requests, ...authentications]

/** An authorization server that lets everyone in. Its tokens say how they were requested. */
async function serveTokens(): Promise<string> {
  const challenges: (string | null)[] = []
  const issuer = await serve(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', 'authorization')
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    if (pathname === '/auth') {
      const target = new URL(searchParams.get('redirect_uri') ?? '')
      target.searchParams.set('code', String(challenges.push(searchParams.get('code_challenge')) - 1))
      target.searchParams.set('state', searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: target.href }).end()
    }
    const endpoints = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
    if (pathname !== '/token') return void response.end(JSON.stringify(endpoints))
    const form = new URLSearchParams(await text(request))
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isVerified = challenge === challenges[Number(form.get('code') ?? -1)]
    const proof = isVerified ? 'verified' : request.headers.authorization?.replace(' ', '-')
    response.end(JSON.stringify({ access_token: `${form.get('grant_type')}-${proof}`, token_type: 'Bearer', expires_in: 3600 }))
  })
  return issuer
}

/** Builds a site with one operation for each row. Returns its origin. */
async function buildSite(api: string, issuer: string): Promise<string> {
  const [tokenUrl, scopes] = [`${issuer}/token`, {}]
  const paths = rows.map(({ name: summary, operation }) => {
    const isInPath = JSON.stringify(operation).includes('"in":"path"')
    const method = 'requestBody' in operation ? 'post' : 'get'
    const responses = { 200: { description: 'OK' } }
    return [`/${summary}${isInPath ? '/{color}' : ''}`, { [method]: { summary, responses, ...operation } }]
  })
  const securitySchemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    basic: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    inQuery: { type: 'apiKey', in: 'query', name: 'key' },
    inCookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    machine: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes } } },
    person: { type: 'oauth2', flows: { authorizationCode: { authorizationUrl: `${issuer}/auth`, tokenUrl, scopes } } },
    discovered: { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Engines', version: '1' },
    servers: [{ url: api }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes },
  }
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const { stderr, code } = await runBin(['build', 'openapi.json', '-o', 'site', '--quiet'], { cwd: folder })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const { server, origin } = await serveSite(join(folder, 'site'), '/')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return origin
}

/** In the page: waits for an element of the dialog with this label or text, and types a text or chooses a file with it. */
const find = (
  label: string,
  selector: string,
) => `${until}(() => [...document.querySelectorAll(${JSON.stringify(selector)})].find(
  (one) => (one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent).trim() === ${JSON.stringify(label)}))`
const type = (label: string, typed: string) => `${find(label, 'dialog input, dialog textarea')}.then((field) => {
  if (field.type === 'file') {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(typed)}], 'a "b".png', { type: 'image/png' }))
    field.files = transfer.files
  } else field.value = ${JSON.stringify(typed)}
  for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }))
  return null
})`

async function press(engine: Engine, label: string): Promise<void> {
  await engine.evaluate(`${find(label, 'dialog button:enabled')}.then((button) => { button.id = 'pressed' })`)
  await engine.press('#pressed')
}

async function send(engine: Engine, url: string, { typed = {}, button }: SentRequest): Promise<void> {
  await engine.open(url, 1440, 900)
  await engine.evaluate(
    `${until}(() => document.querySelector('dialog .form[aria-busy=false]') && !document.querySelector('dialog .loading'))`,
  )
  for (const [label, value] of Object.entries(typed)) await engine.evaluate(type(label, value))
  const sees = (words: string) =>
    engine.evaluate(`${until}(() => document.querySelector('dialog').innerText.includes('${words}'))`)
  if (button) {
    await press(engine, button)
    await sees('The token expires at')
  }
  await press(engine, 'Send')
  await sees('200 OK')
}

function describeArrived({ target, headers, body: sent }: ArrivedRequest, path: string): string[] {
  const boundary = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1] ?? '\0'
  const named = ['authorization', 'content-type', 'cookie', 'x-color', 'x-key'].flatMap((key) => {
    const value = headers.get(key)
    return value === undefined ? [] : [`${key}: ${value.replaceAll('"', '')}`]
  })
  const lines = [target.slice(path.length), ...named, sent].map((line) => line.replaceAll(boundary, 'boundary'))
  return lines.filter((line) => line !== '')
}

test('Chromium, Firefox and WebKit send every kind of request and credential in the same way', async () => {
  const echo = await serveEcho()
  onTestFinished(() => echo.close())
  const site = await buildSite(echo.address, await serveTokens())
  const expected: Record<string, readonly string[]> = {}
  const received: Record<string, readonly string[]> = {}
  for (const engine of await startEngines()) {
    for (const row of rows) {
      echo.arrived.length = 0
      const failure = await send(engine, `${site}/${row.name}/#try`, row).then(
        () => [],
        (error) => [String(error)],
      )
      const arrived = echo.arrived.flatMap((one) => describeArrived(one, `/${row.name}`))
      received[`${engine.name}, ${row.name}`] = [...arrived, ...failure]
      expected[`${engine.name}, ${row.name}`] = row.received
    }
  }
  expect(received).toEqual(expected)
})
