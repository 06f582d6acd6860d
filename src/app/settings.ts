import { resolve } from 'node:path'
import {
  domain,
  issuer,
  longSecret,
  oneOf,
  origin,
  privateKey,
  type Reading,
  text,
  trustProxy,
  webhookSecret,
  wholeNumber,
} from './setting-readers.ts'

/** One setting: its name in the environment, its key in the file, and how it is read. */
interface Setting {
  readonly env: string
  /** Key in `openapi-pages.app.yaml`; absent for what only the environment may say. */
  readonly key?: string
  /** One line for `serve --help` and `docs/self-hosting.md`. */
  readonly about: string
  /** The default as the help shows it; `''` for none. */
  readonly usual: string
  /** Never shown, not even in a message about a mistake. */
  readonly secret?: true
  /** For a setting that is not given. */
  readonly fallback: unknown
  readonly read: (text: string) => Reading<unknown>
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
  githubClientId: {
    env: 'GITHUB_CLIENT_ID',
    key: 'githubClientId',
    usual: '',
    about: 'its client id, for people to sign in',
    fallback: undefined,
    read: text,
  },
  githubClientSecret: {
    env: 'GITHUB_CLIENT_SECRET',
    usual: '',
    about: 'its client secret',
    secret: true,
    fallback: undefined,
    read: text,
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
  metricsToken: {
    env: 'METRICS_TOKEN',
    usual: '',
    about: 'bearer token for `/metrics`; an `admin` API token works as well',
    secret: true,
    fallback: undefined,
    read: longSecret,
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
    about:
      'megabytes of JavaScript values in the process that checks one commit; the process may use half as much again plus 256 MB',
    fallback: 1024,
    read: wholeNumber(64, 65_536, 1024),
  },
  runTimeoutSeconds: {
    env: 'RUN_TIMEOUT_SECONDS',
    key: 'runTimeoutSeconds',
    usual: '300',
    about: 'seconds that checking one commit may take, elapsed and of CPU time',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  installationCpuMinutes: {
    env: 'INSTALLATION_CPU_MINUTES',
    key: 'installationCpuMinutes',
    usual: '60',
    about: 'CPU minutes that checks and builds of one installation of the GitHub App may use in an hour; further updates wait',
    fallback: 60,
    read: wholeNumber(1, 100_000, 60),
  },
  installationStoredMb: {
    env: 'INSTALLATION_STORED_MB',
    key: 'installationStoredMb',
    usual: '20000',
    about: 'megabytes that the stored sites of one installation may take; beyond, commits are checked but get no site',
    fallback: 20_000,
    read: wholeNumber(1, 100_000_000, 20_000),
  },
  installationQueuedUpdates: {
    env: 'INSTALLATION_QUEUED_UPDATES',
    key: 'installationQueuedUpdates',
    usual: '1000',
    about: 'updates of one installation that may wait; beyond, the oldest end as failures that say so',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000, 1_000),
  },
  sitesDomain: {
    env: 'SITES_DOMAIN',
    key: 'sitesDomain',
    usual: 'localhost on this machine, else off',
    about: 'domain below which sites are hosted, each at a name of its own; `off` hosts none',
    fallback: undefined,
    read: domain('sites.example.com'),
  },
  sitePreviews: {
    env: 'SITE_PREVIEWS',
    key: 'sitePreviews',
    usual: '20',
    about: 'sites of other commits that are kept for a project',
    fallback: 20,
    read: wholeNumber(0, 1_000, 20),
  },
  sitePreviewDays: {
    env: 'SITE_PREVIEW_DAYS',
    key: 'sitePreviewDays',
    usual: '30',
    about: 'days after which they go in any case',
    fallback: 30,
    read: wholeNumber(1, 3_650, 30),
  },
  siteMaxFiles: {
    env: 'SITE_MAX_FILES',
    key: 'siteMaxFiles',
    usual: '50000',
    about: 'files of one site',
    fallback: 50_000,
    read: wholeNumber(100, 1_000_000, 50_000),
  },
  siteMaxMb: {
    env: 'SITE_MAX_MB',
    key: 'siteMaxMb',
    usual: '1000',
    about: 'megabytes of one site, before they are compressed',
    fallback: 1_000,
    read: wholeNumber(1, 100_000, 1_000),
  },
  siteMemoryMb: {
    env: 'SITE_MEMORY_MB',
    key: 'siteMemoryMb',
    usual: '2048',
    about: 'as `RUN_MEMORY_MB`, for the process that builds one site',
    fallback: 2_048,
    read: wholeNumber(64, 65_536, 2_048),
  },
  siteTimeoutSeconds: {
    env: 'SITE_TIMEOUT_SECONDS',
    key: 'siteTimeoutSeconds',
    usual: '300',
    about: 'as `RUN_TIMEOUT_SECONDS`, for building one site',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  chromiumPath: {
    env: 'CHROMIUM_PATH',
    key: 'chromiumPath',
    usual: 'an installed browser',
    about: 'path of the Chromium, Chrome or Edge that takes screenshots of sites; `off` disables screenshots',
    fallback: undefined,
    read: text,
  },
  chromiumSandbox: {
    env: 'CHROMIUM_SANDBOX',
    key: 'chromiumSandbox',
    usual: 'on',
    about: '`off` runs it without its sandbox, which root and some containers have to',
    fallback: 'on',
    read: oneOf('on', 'off'),
  },
  pictureTimeoutSeconds: {
    env: 'PICTURE_TIMEOUT_SECONDS',
    key: 'pictureTimeoutSeconds',
    usual: '20',
    about: 'time of taking the pictures of one site',
    fallback: 20,
    read: wholeNumber(1, 300, 20),
  },
  stopTimeoutSeconds: {
    env: 'STOP_TIMEOUT_SECONDS',
    key: 'stopTimeoutSeconds',
    usual: '20',
    about: 'time to finish running updates when stopped',
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

/** The settings as `serve --help` lists them. */
export function listSettings(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, about, usual }) => [env, `${about}${usual ? ` (${usual})` : ''}`] as const,
  )
  const width = Math.max(...rows.map(([env]) => env.length))
  return [
    '',
    'Settings, from the environment or (except secrets) from openapi-pages.app.yaml in the data folder:',
    ...rows.map(([env, about]) => `  ${env.padEnd(width)}  ${about}`),
  ].join('\n')
}

/** The settings as a Markdown table, for `docs/self-hosting.md`; a test holds the two together. */
export function formatSettingsTable(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, key, about, usual }) =>
      `| \`${env}\` | ${key === undefined ? '' : `\`${key}\``} | ${about} | ${usual ? `\`${usual}\`` : ''} |`,
  )
  return ['| environment | file | what it is | when not given |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
