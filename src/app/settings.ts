import { createPrivateKey } from 'node:crypto'
import { resolve } from 'node:path'

/** What a setting's text means, or what is wrong with it (a fragment that follows the name of the setting). */
export type Reading<Value> = { readonly value: Value } | { readonly mistake: string; readonly fix: string }

/** One setting: its name in the environment, its key in the file, and how it is read. */
export interface Setting {
  readonly env: string
  /** Key in `openapi-pages.app.yaml`; absent for what only the environment may say. */
  readonly key?: string
  /** One line for `serve --help` and `docs/self-hosting.md`. */
  readonly about: string
  /** As it stands in the help; `''` for none. */
  readonly usual: string
  /** Never shown, not even in a message about a mistake. */
  readonly secret?: true
  /** For a setting that is not given. */
  readonly fallback: unknown
  readonly read: (text: string) => Reading<unknown>
}

const text = (value: string): Reading<string> => ({ value })

function wholeNumber(least: number, most: number, example: number): (value: string) => Reading<number> {
  return (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return { value: number }
    return { mistake: `expected a whole number from ${least} to ${most}`, fix: `for example \`${example}\`` }
  }
}

function oneOf<Word extends string>(...words: readonly Word[]): (value: string) => Reading<Word> {
  return (value) => {
    const found = words.find((word) => word === value.toLowerCase())
    return found ? { value: found } : { mistake: `expected ${words.map((word) => `\`${word}\``).join(', ')}`, fix: 'choose one' }
  }
}

/** An address without a path, query or user, and without the final `/`. */
function origin(example: string): (value: string) => Reading<string> {
  return (value) => {
    const mistake = { mistake: 'expected the address of a server, without a path', fix: `for example \`${example}\`` }
    if (!URL.canParse(value)) return mistake
    const url = new URL(value)
    const plain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
    return plain && /^https?:$/.test(url.protocol) ? { value: url.origin } : mistake
  }
}

function issuer(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected the address of an OIDC issuer',
    fix: 'for example `https://token.actions.githubusercontent.com/acme`',
  }
  if (!URL.canParse(value)) return mistake
  const { protocol, search, hash, href } = new URL(value)
  return /^https?:$/.test(protocol) && !search && !hash ? { value: href.replace(/\/$/, '') } : mistake
}

/** `true` believes every proxy; a number believes that many hops; else addresses and networks, as `proxy-addr` names them. */
function trustProxy(value: string): Reading<boolean | number | readonly string[]> {
  if (/^(true|false)$/i.test(value)) return { value: value.toLowerCase() === 'true' }
  if (/^\d{1,2}$/.test(value)) return { value: Number(value) }
  const networks = value.split(',').map((part) => part.trim())
  if (networks.every((part) => /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/[0-9.]{1,15})?)$/i.test(part))) {
    return { value: networks }
  }
  return {
    mistake: 'expected `false`, the number of proxies, or their addresses',
    fix: 'for example `loopback` or `10.0.0.0/8,127.0.0.1`',
  }
}

/** PEM as it is, with `\n` written out, or the whole in base64; the result is PKCS #8, which every consumer reads. */
function privateKey(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected an RSA private key: PEM, PEM with `\\n` for line ends, or base64 of PEM',
    fix: 'generate one on the page of the GitHub App under "Private keys" and give the whole file',
  }
  const pem = value.includes('-----BEGIN') ? value.replaceAll('\\n', '\n') : Buffer.from(value, 'base64').toString('utf8')
  if (!pem.includes('-----BEGIN')) return mistake
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType !== 'rsa') return mistake
    return { value: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
  } catch {
    return mistake
  }
}

function webhookSecret(value: string): Reading<string> {
  if (value.length >= 16) return { value }
  return {
    mistake: 'expected at least 16 characters',
    fix: 'make one with `openssl rand -hex 32` and set it on the GitHub App too',
  }
}

/** Every setting of the app, in the order of the help. */
export const settings = {
  host: {
    env: 'HOST',
    key: 'host',
    usual: '127.0.0.1',
    about: 'address to listen on; `0.0.0.0` in a container',
    fallback: '127.0.0.1',
    read: text,
  },
  port: {
    env: 'PORT',
    key: 'port',
    usual: '3000',
    about: 'port to listen on; `0` takes a free one',
    fallback: 3000,
    read: wholeNumber(0, 65_535, 3000),
  },
  baseUrl: {
    env: 'BASE_URL',
    key: 'baseUrl',
    usual: 'http://localhost:PORT',
    about: 'address that GitHub and people reach this server by',
    fallback: undefined,
    read: origin('https://pages.example.com'),
  },
  trustProxy: {
    env: 'TRUST_PROXY',
    key: 'trustProxy',
    usual: 'false',
    about: 'proxies whose `X-Forwarded-*` is believed',
    fallback: false,
    read: trustProxy,
  },
  dataDir: {
    env: 'DATA_DIR',
    usual: './data',
    about: 'folder of the database, the keys and `openapi-pages.app.yaml`',
    fallback: resolve('data'),
    read: (value: string) => ({ value: resolve(value) }),
  },
  logFormat: {
    env: 'LOG_FORMAT',
    key: 'logFormat',
    usual: 'text on a terminal, else json',
    about: '`json` or `text`',
    fallback: undefined,
    read: oneOf('json', 'text'),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    key: 'logLevel',
    usual: 'info',
    about: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
  githubAppId: {
    env: 'GITHUB_APP_ID',
    key: 'githubAppId',
    usual: '',
    about: 'number of the GitHub App; the setup page makes one',
    fallback: undefined,
    read: wholeNumber(1, 999_999_999_999, 123456),
  },
  githubPrivateKey: {
    env: 'GITHUB_PRIVATE_KEY',
    usual: '',
    about: 'its private key: PEM, with `\\n`, or base64',
    secret: true,
    fallback: undefined,
    read: privateKey,
  },
  githubWebhookSecret: {
    env: 'GITHUB_WEBHOOK_SECRET',
    usual: '',
    about: 'its webhook secret',
    secret: true,
    fallback: undefined,
    read: webhookSecret,
  },
  githubUrl: {
    env: 'GITHUB_URL',
    key: 'githubUrl',
    usual: 'https://github.com',
    about: 'a GitHub Enterprise Server',
    fallback: 'https://github.com',
    read: origin('https://github.example.com'),
  },
  githubOidcIssuer: {
    env: 'GITHUB_OIDC_ISSUER',
    key: 'githubOidcIssuer',
    usual: '',
    about: 'issuer of workflow tokens, where an enterprise has its own',
    fallback: undefined,
    read: issuer,
  },
  tokenRequestsPerMinute: {
    env: 'TOKEN_REQUESTS_PER_MINUTE',
    key: 'tokenRequestsPerMinute',
    usual: '600',
    about: 'calls of the API a token may make',
    fallback: 600,
    read: wholeNumber(1, 100_000_000, 600),
  },
  addressRequestsPerMinute: {
    env: 'ADDRESS_REQUESTS_PER_MINUTE',
    key: 'addressRequestsPerMinute',
    usual: '1200',
    about: 'calls of the API an address may make',
    fallback: 1200,
    read: wholeNumber(1, 100_000_000, 1200),
  },
  runsAtOnce: {
    env: 'RUNS_AT_ONCE',
    key: 'runsAtOnce',
    usual: '2',
    about: 'updates that run side by side',
    fallback: 2,
    read: wholeNumber(1, 64, 2),
  },
  runMemoryMb: {
    env: 'RUN_MEMORY_MB',
    key: 'runMemoryMb',
    usual: '1024',
    about: 'memory of one update',
    fallback: 1024,
    read: wholeNumber(64, 65_536, 1024),
  },
  runTimeoutSeconds: {
    env: 'RUN_TIMEOUT_SECONDS',
    key: 'runTimeoutSeconds',
    usual: '300',
    about: 'time of one update',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  stopTimeoutSeconds: {
    env: 'STOP_TIMEOUT_SECONDS',
    key: 'stopTimeoutSeconds',
    usual: '20',
    about: 'time to finish what is under way when stopped',
    fallback: 20,
    read: wholeNumber(0, 600, 20),
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

/** The value of each setting, read and checked. */
export type SettingValues = {
  readonly [Name in SettingName]:
    | Extract<ReturnType<(typeof settings)[Name]['read']>, { readonly value: unknown }>['value']
    | (typeof settings)[Name]['fallback']
}
