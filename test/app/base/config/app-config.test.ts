import { generateKeyPairSync } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type AppConfig,
  configFileName,
  parseCredentials,
  readConfig,
  readCredentials,
  writeCredentials,
} from '../../../../src/app/base/config/app-config.ts'
import { toOwnPath } from '../../../../src/files/boundary.ts'
import { ConfigError } from '../../../../src/text/errors.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const pkcs1 = rsa.export({ type: 'pkcs1', format: 'pem' }).toString()
const pkcs8 = rsa.export({ type: 'pkcs8', format: 'pem' }).toString()
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const secret = 'a-webhook-secret-of-good-length'
const github = { GITHUB_APP_ID: '7', GITHUB_PRIVATE_KEY: pkcs1, GITHUB_WEBHOOK_SECRET: secret }

function read(env: Record<string, string> = {}, file?: string): Promise<AppConfig> {
  const dataDir = makeTemporaryFolder()
  if (file !== undefined) writeFileSync(join(dataDir, configFileName), file)
  return readConfig({ DATA_DIR: dataDir, ...env })
}

/** The lines of the error with the folder's name taken out. */
async function mistakesOf(env: Record<string, string>, file?: string): Promise<string[]> {
  const error = await read(env, file).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error instanceof ConfigError ? error : { message: '' }
  return message.split('\n').map((line) => line.trim().replace(/^\S*openapi-pages\.app\.yaml/, 'FILE'))
}

describe('settings', () => {
  test('uses the documented defaults', async () => {
    expect(await read()).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      trustProxy: false,
      logLevel: 'info',
      credentials: undefined,
      githubApiUrl: 'https://api.github.com',
    })
  })

  test('prefers the environment to the file, and ignores empty variables', async () => {
    const file = 'port: 4000\nhost: 0.0.0.0\nlogLevel: warn\n'
    expect(await read({ PORT: '5000', LOG_LEVEL: '' }, file)).toMatchObject({ port: 5000, host: '0.0.0.0', logLevel: 'warn' })
  })

  test.each([
    ['PORT', '0', { port: 0 }],
    ['BASE_URL', 'https://pages.example.com/', { baseUrl: 'https://pages.example.com' }],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8', { trustProxy: ['loopback', '10.0.0.0/8'] }],
    ['LOG_FORMAT', 'JSON', { logFormat: 'json' }],
    ['OPERATORS', 'Octo-Cat, id:583231,eve_acme', { operators: ['octo-cat', 'id:583231', 'eve_acme'] }],
    ['ORGANIZATION_RULESET', 'rules/api.yaml', { organizationRuleset: 'rules/api.yaml' }],
    ['IGNORED_REPOSITORIES', 'acme/a.b-*', { ignoredRepositories: ['acme/a.b-*'] }],
    ['ORGANIZATION_RULESET', 'off', { organizationRuleset: undefined }],
    ['GITHUB_URL', 'https://github.example.com', { githubApiUrl: 'https://github.example.com/api/v3' }],
  ])('%s=%s', async (name, value, expected) => {
    expect(await read({ [name]: value })).toMatchObject(expected)
  })

  test.each([
    ['PEM of PKCS #1', pkcs1],
    ['PEM of PKCS #8', pkcs8],
    ['PEM with literal \\n', pkcs1.replaceAll('\n', '\\n')],
    ['base64', Buffer.from(pkcs1).toString('base64')],
  ])('accepts the private key as %s', async (_name, key) => {
    const { credentials } = await read({ ...github, GITHUB_PRIVATE_KEY: key })
    expect(credentials).toEqual({ appId: 7, privateKey: pkcs8, webhookSecret: secret })
  })
})

describe('errors in the settings', () => {
  test.each([
    ['PORT', '99999', 'PORT is `99999`: expected an integer from 0 to 65535', 'For example `3000`'],
    [
      'IGNORED_REPOSITORIES',
      'acme',
      'IGNORED_REPOSITORIES is `acme`: expected `owner/name`, separated by commas',
      'For example `acme/sandbox, acme/legacy-*`',
    ],
    [
      'ORGANIZATION_RULESET',
      '../rules.yaml',
      'ORGANIZATION_RULESET is `../rules.yaml`: expected a path relative to the repository, or `off`',
      'For example `.spectral.yaml`',
    ],
    ...['583231', '*', 'octocat,,', '@octocat', 'id:x'].map((value) => [
      'OPERATORS',
      value,
      `OPERATORS is \`${value}\`: expected logins or IDs of GitHub accounts, separated by commas`,
      'For example `octocat, id:583231`',
    ]),
    ['PORT', '80x', 'PORT is `80x`: expected an integer from 0 to 65535', 'For example `3000`'],
    [
      'BASE_URL',
      'pages.example.com',
      'BASE_URL is `pages.example.com`: expected a server URL without a path',
      'For example `https://pages.example.com`',
    ],
    [
      'BASE_URL',
      'https://a.example/b',
      'BASE_URL is `https://a.example/b`: expected a server URL without a path',
      'For example `https://pages.example.com`',
    ],
    [
      'TRUST_PROXY',
      'my proxy',
      'TRUST_PROXY is `my proxy`: expected `true`, `false`, the number of proxies, or their IP addresses',
      'For example `loopback` or `10.0.0.0/8,127.0.0.1`',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL is `loud`: expected `trace`, `debug`, `info`, `warn`, `error` or `silent`',
      'Use one of these values',
    ],
    [
      'LOG_LEVEL',
      'x\u001b[31m\nfake',
      'LOG_LEVEL is `x?[31m?fake`: expected `trace`, `debug`, `info`, `warn`, `error` or `silent`',
      'Use one of these values',
    ],
  ])('reports %s=%j', async (name, value, message, fix) => {
    expect(await mistakesOf({ [name]: value })).toEqual(['Cannot start: 1 error in the settings', message, fix])
  })

  test('reports all errors of the environment and the file, with locations', async () => {
    const file = 'port: 1\nhots: 0.0.0.0\nlimits:\n  a: 1\ngithubPrivateKey: x\nlogFormat: {a: 1}\n'
    expect(await mistakesOf({ GITHUB_APP_ID: 'seven', LOG_FORMAT: 'xml' }, file)).toEqual([
      'Cannot start: 6 errors in the settings',
      'FILE:2:1 Unexpected setting `hots`',
      'Did you mean `host`?',
      expect.stringMatching(/^FILE:3:1 Unexpected setting `limits`/),
      expect.stringMatching(/^Available settings: host, port,/),
      'FILE:5:1 Unexpected `githubPrivateKey`: this file cannot contain secrets',
      'Set `GITHUB_PRIVATE_KEY` in the environment',
      'FILE:6:1 Unexpected mapping for `logFormat`, expected a single value',
      expect.stringMatching(/^Use `logFormat: /),
      'LOG_FORMAT is `xml`: expected `json` or `text`',
      'Use one of these values',
      'GITHUB_APP_ID is `seven`: expected an integer from 1 to 999999999999',
      'For example `123456`',
    ])
  })

  test('reports the location of an invalid value in the file', async () => {
    expect(await mistakesOf({}, '# comment\nport: no\n')).toContain('FILE:2:1 port is `no`: expected an integer from 0 to 65535')
  })

  test('rejects a file that is not a YAML mapping', async () => {
    expect((await mistakesOf({}, 'port: [1\n'))[1]).toMatch(/^FILE:\d+:\d+ /)
    expect(await mistakesOf({}, '- port\n')).toContain('FILE:1:1 Unexpected value, expected a mapping of settings')
  })

  test.each([
    ['not a key', 'c2VjcmV0LXNlY3JldA'],
    ['a key of another kind', elliptic],
    ['a broken key', pkcs1.replace(/^(-.*\n.*\n)[^-]*/, '$1')],
  ])('does not show the value of an invalid private key: %s', async (_name, key) => {
    const lines = (await mistakesOf({ ...github, GITHUB_PRIVATE_KEY: key })).join('\n')
    expect(lines).toContain('GITHUB_PRIVATE_KEY has an invalid value: expected an RSA private key')
    expect(lines).not.toContain(key.slice(0, 16))
  })

  test('reports a missing setting of the GitHub App', async () => {
    const { GITHUB_WEBHOOK_SECRET: _, ...rest } = github
    expect(await mistakesOf(rest)).toEqual([
      'Cannot start: 1 error in the settings',
      'GITHUB_WEBHOOK_SECRET is missing: GITHUB_APP_ID, GITHUB_PRIVATE_KEY and GITHUB_WEBHOOK_SECRET must be set together',
      'Set it, or remove all three and use the setup page',
    ])
  })
})

describe('the role', () => {
  const shared = { DATABASE_URL: 'postgres://user@db.example.com/pages', BASE_URL: 'https://pages.example.com' }

  test('is `all` by default, and one of three', async () => {
    expect([(await read()).role, (await read({ ...shared, ROLE: 'web' })).role]).toEqual(['all', 'web'])
    expect((await mistakesOf({ ROLE: 'both' }))[1]).toBe('ROLE is `both`: expected `web`, `worker` or `all`')
  })

  test('needs a shared database and a public URL', async () => {
    expect(await mistakesOf({}, 'role: worker')).toEqual([
      'Cannot start: 2 errors in the settings',
      'DATABASE_URL is missing: processes with the role `worker` share a PostgreSQL database and a public URL',
      'Set it to the same database for all processes, or use the role `all`',
      'BASE_URL is missing: processes with the role `worker` share a PostgreSQL database and a public URL',
      'Set it to the URL of the proxy in front of the `web` processes',
    ])
  })
})

describe('stored credentials', () => {
  const credentials = { appId: 9, privateKey: pkcs8, webhookSecret: secret, appUrl: 'https://github.com/apps/pages' }

  test('are readable only by their owner', async () => {
    const dataDir = join(makeTemporaryFolder(), 'data')
    writeCredentials(toOwnPath(dataDir), credentials)
    expect(statSync(join(dataDir, 'github-app.json')).mode & 0o777).toBe(0o600)
    expect(readCredentials(toOwnPath(dataDir))).toEqual(credentials)
    expect((await readConfig({ DATA_DIR: dataDir })).credentials).toEqual(credentials)
    expect((await readConfig({ DATA_DIR: dataDir, ...github })).credentials?.appId).toBe(7)
  })

  test('rejects a damaged file', async () => {
    const dataDir = makeTemporaryFolder()
    writeFileSync(join(dataDir, 'github-app.json'), '{')
    await expect(readConfig({ DATA_DIR: dataDir })).rejects.toThrow(/does not contain valid credentials of a GitHub App/)
  })
})

test('refuses stored credentials with a damaged part', () => {
  const credentials = { appId: 1, privateKey: 'key', webhookSecret: 'secret' }
  expect(parseCredentials(JSON.stringify(credentials))).toEqual(credentials)
  expect(parseCredentials(JSON.stringify({ ...credentials, appId: '1' }))).toBeUndefined()
  expect(parseCredentials(JSON.stringify({ ...credentials, oauth: { clientId: 1 } }))).toBeUndefined()
})

describe('OIDC_ISSUERS', () => {
  const corp = { name: 'corp', url: 'https://id.example.com/realms/a', clientId: 'docs', clientSecret: 'hidden-value' }
  const write = (...list: readonly object[]) => ({ OIDC_ISSUERS: JSON.stringify(list) })

  test('is a list of issuers', async () => {
    const all = { ...corp, scope: 'openid', groups: ['a.b', 'c'], mapping: { id: 'partners' }, origins: ['https://a.example'] }
    expect((await read(write(all, { ...corp, name: 'other', url: 'http://localhost:8080/' }))).oidcIssuers).toHaveLength(2)
    expect((await read()).oidcIssuers).toBeUndefined()
  })

  test.each<readonly [string, Record<string, string>]>([
    ['text', { OIDC_ISSUERS: 'hidden-value' }],
    ['an object', { OIDC_ISSUERS: JSON.stringify(corp) }],
    ['an issuer without a client', write({ ...corp, clientId: undefined })],
    ['an unknown field', write({ ...corp, secret: 'hidden-value' })],
    ['the name of GitHub', write({ ...corp, name: 'github' })],
    ['a name with a slash', write({ ...corp, name: 'a/b' })],
    ['a name twice', write(corp, { ...corp, url: 'https://other.example' })],
    ['plain http', write({ ...corp, url: 'http://id.example.com' })],
    ['plain http elsewhere', write({ ...corp, origins: ['http://id.example.com'] })],
    ['no URL', write({ ...corp, url: 'id.example.com' })],
    ['a list of nothing', write({ ...corp, groups: [] })],
  ])('rejects %s, without showing a value', async (_name, env) => {
    const lines = await mistakesOf(env)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^OIDC_ISSUERS has an invalid value: /)
    expect(lines.join()).not.toContain('hidden-value')
    expect(lines[1]).not.toContain('undefined')
  })

  test('cannot be in the file', async () => {
    expect((await mistakesOf({}, 'oidcIssuers: a'))[1]).toContain('this file cannot contain secrets')
  })
})
