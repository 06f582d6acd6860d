import { resolve } from 'node:path'
import {
  bucket,
  domain,
  issuer,
  longSecret,
  oneOf,
  origin,
  postgresUrl,
  privateKey,
  type Reading,
  repositoryPath,
  text,
  trustProxy,
  webhookSecret,
  wholeNumber,
} from './setting-readers.ts'

/** A setting: its environment variable, its key in the settings file, and its parser. */
interface Setting {
  readonly env: string
  /** Key in `openapi-pages.app.yaml`; absent for settings that only the environment can set. */
  readonly key?: string
  /** Description for `serve --help` and `docs/self-hosting.md`. */
  readonly about: string
  /** The default as shown in the help; `''` for none. */
  readonly shownDefault: string
  /** Never shown, not even in error messages. */
  readonly secret?: true
  /** The value if the setting is not set. */
  readonly fallback: unknown
  readonly read: (text: string) => Reading<unknown>
}

/** Every setting of the app, in the order of the help. */
export const settings = {
  host: {
    env: 'HOST',
    key: 'host',
    shownDefault: '127.0.0.1',
    about: 'IP address to listen on; `0.0.0.0` in a container',
    fallback: '127.0.0.1',
    read: text,
  },
  port: {
    env: 'PORT',
    key: 'port',
    shownDefault: '3000',
    about: 'port to listen on; `0` selects a free port',
    fallback: 3000,
    read: wholeNumber(0, 65_535, 3000),
  },
  baseUrl: {
    env: 'BASE_URL',
    key: 'baseUrl',
    shownDefault: 'http://localhost:PORT',
    about: 'public URL of this server',
    fallback: undefined,
    read: origin('https://pages.example.com'),
  },
  trustProxy: {
    env: 'TRUST_PROXY',
    key: 'trustProxy',
    shownDefault: 'false',
    about: 'proxies to trust for `X-Forwarded-*` headers',
    fallback: false,
    read: trustProxy,
  },
  dataDir: {
    env: 'DATA_DIR',
    shownDefault: './data',
    about: 'directory for the database, keys and `openapi-pages.app.yaml`',
    fallback: resolve('data'),
    read: (value: string) => ({ value: resolve(value) }),
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    shownDefault: 'SQLite in DATA_DIR',
    about: 'PostgreSQL database: `postgres://user:password@host:5432/name`',
    secret: true,
    fallback: undefined,
    read: postgresUrl,
  },
  databaseConnections: {
    env: 'DATABASE_CONNECTIONS',
    key: 'databaseConnections',
    shownDefault: '10',
    about: 'maximum connections of one process to PostgreSQL',
    fallback: 10,
    read: wholeNumber(2, 1_000, 10),
  },
  role: {
    env: 'ROLE',
    key: 'role',
    shownDefault: 'all',
    about: '`web`, `worker` or `all`; the first two need `DATABASE_URL` and `BASE_URL`',
    fallback: 'all',
    read: oneOf('web', 'worker', 'all'),
  },
  logFormat: {
    env: 'LOG_FORMAT',
    key: 'logFormat',
    shownDefault: 'text on a terminal, else json',
    about: '`json` or `text`',
    fallback: undefined,
    read: oneOf('json', 'text'),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    key: 'logLevel',
    shownDefault: 'info',
    about: 'lowest level to log: `trace`, `debug`, `info`, `warn`, `error` or `silent`',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
  githubAppId: {
    env: 'GITHUB_APP_ID',
    key: 'githubAppId',
    shownDefault: '',
    about: 'ID of the GitHub App, if the setup page did not create it',
    fallback: undefined,
    read: wholeNumber(1, 999_999_999_999, 123456),
  },
  githubPrivateKey: {
    env: 'GITHUB_PRIVATE_KEY',
    shownDefault: '',
    about: 'its private key: PEM, PEM with `\\n` for line breaks, or PEM in base64',
    secret: true,
    fallback: undefined,
    read: privateKey,
  },
  githubWebhookSecret: {
    env: 'GITHUB_WEBHOOK_SECRET',
    shownDefault: '',
    about: 'its webhook secret',
    secret: true,
    fallback: undefined,
    read: webhookSecret,
  },
  githubClientId: {
    env: 'GITHUB_CLIENT_ID',
    key: 'githubClientId',
    shownDefault: '',
    about: 'its client ID, required for sign-in',
    fallback: undefined,
    read: text,
  },
  githubClientSecret: {
    env: 'GITHUB_CLIENT_SECRET',
    shownDefault: '',
    about: 'its client secret, required for sign-in',
    secret: true,
    fallback: undefined,
    read: text,
  },
  githubUrl: {
    env: 'GITHUB_URL',
    key: 'githubUrl',
    shownDefault: 'https://github.com',
    about: 'URL of GitHub or a GitHub Enterprise Server',
    fallback: 'https://github.com',
    read: origin('https://github.example.com'),
  },
  githubOidcIssuer: {
    env: 'GITHUB_OIDC_ISSUER',
    key: 'githubOidcIssuer',
    shownDefault: '',
    about: 'OIDC issuer of workflow tokens, if your enterprise has one',
    fallback: undefined,
    read: issuer,
  },
  metricsToken: {
    env: 'METRICS_TOKEN',
    shownDefault: '',
    about: 'bearer token for `/metrics`, at least 16 characters; `admin` API tokens also work',
    secret: true,
    fallback: undefined,
    read: longSecret,
  },
  tokenRequestsPerMinute: {
    env: 'TOKEN_REQUESTS_PER_MINUTE',
    key: 'tokenRequestsPerMinute',
    shownDefault: '600',
    about: 'API requests for each token',
    fallback: 600,
    read: wholeNumber(1, 100_000_000, 600),
  },
  addressRequestsPerMinute: {
    env: 'ADDRESS_REQUESTS_PER_MINUTE',
    key: 'addressRequestsPerMinute',
    shownDefault: '1200',
    about: 'API requests for each IP address',
    fallback: 1200,
    read: wholeNumber(1, 100_000_000, 1200),
  },
  runsAtOnce: {
    env: 'RUNS_AT_ONCE',
    key: 'runsAtOnce',
    shownDefault: '2',
    about: 'concurrent updates',
    fallback: 2,
    read: wholeNumber(1, 64, 2),
  },
  runMemoryMb: {
    env: 'RUN_MEMORY_MB',
    key: 'runMemoryMb',
    shownDefault: '1024',
    about: 'JavaScript heap limit for checking a commit; the process may use 1.5 times this plus 256 MB',
    fallback: 1024,
    read: wholeNumber(64, 65_536, 1024),
  },
  runTimeoutSeconds: {
    env: 'RUN_TIMEOUT_SECONDS',
    key: 'runTimeoutSeconds',
    shownDefault: '300',
    about: 'limit of elapsed time and of CPU time for checking a commit',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  installationCpuMinutes: {
    env: 'INSTALLATION_CPU_MINUTES',
    key: 'installationCpuMinutes',
    shownDefault: '60',
    about: 'CPU time per hour for checks and builds of one installation',
    fallback: 60,
    read: wholeNumber(1, 100_000, 60),
  },
  installationStoredMb: {
    env: 'INSTALLATION_STORED_MB',
    key: 'installationStoredMb',
    shownDefault: '20000',
    about: 'storage for the sites of one installation',
    fallback: 20_000,
    read: wholeNumber(1, 100_000_000, 20_000),
  },
  installationQueuedUpdates: {
    env: 'INSTALLATION_QUEUED_UPDATES',
    key: 'installationQueuedUpdates',
    shownDefault: '1000',
    about: 'queued updates of one installation',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000, 1_000),
  },
  organizationRuleset: {
    env: 'ORGANIZATION_RULESET',
    key: 'organizationRuleset',
    shownDefault: '.spectral.yaml',
    about: 'ruleset in the repository `.github` of an organization; `off` applies none',
    fallback: '.spectral.yaml',
    read: repositoryPath('.spectral.yaml'),
  },
  sitesDomain: {
    env: 'SITES_DOMAIN',
    key: 'sitesDomain',
    shownDefault: 'localhost if BASE_URL is on localhost, else off',
    about: 'parent domain of hosted sites; `off` disables hosting',
    fallback: undefined,
    read: domain('sites.example.com'),
  },
  sitesBucket: {
    env: 'SITES_BUCKET',
    key: 'sitesBucket',
    shownDefault: 'the database',
    about: 'S3-compatible bucket for the files of sites: `s3://name/prefix`',
    fallback: undefined,
    read: bucket,
  },
  sitesBucketEndpoint: {
    env: 'SITES_BUCKET_ENDPOINT',
    key: 'sitesBucketEndpoint',
    shownDefault: 'Amazon S3',
    about: 'URL of another S3-compatible server',
    fallback: undefined,
    read: origin('https://s3.example.com'),
  },
  sitesBucketRegion: {
    env: 'SITES_BUCKET_REGION',
    key: 'sitesBucketRegion',
    shownDefault: 'AWS_REGION, else us-east-1',
    about: 'region of the bucket',
    fallback: undefined,
    read: text,
  },
  sitePreviews: {
    env: 'SITE_PREVIEWS',
    key: 'sitePreviews',
    shownDefault: '20',
    about: 'previews to keep per project',
    fallback: 20,
    read: wholeNumber(0, 1_000, 20),
  },
  sitePreviewDays: {
    env: 'SITE_PREVIEW_DAYS',
    key: 'sitePreviewDays',
    shownDefault: '30',
    about: 'days to keep a preview',
    fallback: 30,
    read: wholeNumber(1, 3_650, 30),
  },
  siteMaxFiles: {
    env: 'SITE_MAX_FILES',
    key: 'siteMaxFiles',
    shownDefault: '50000',
    about: 'files of one site',
    fallback: 50_000,
    read: wholeNumber(100, 1_000_000, 50_000),
  },
  siteMaxMb: {
    env: 'SITE_MAX_MB',
    key: 'siteMaxMb',
    shownDefault: '1000',
    about: 'size of one site before compression',
    fallback: 1_000,
    read: wholeNumber(1, 100_000, 1_000),
  },
  siteMemoryMb: {
    env: 'SITE_MEMORY_MB',
    key: 'siteMemoryMb',
    shownDefault: '2048',
    about: 'like `RUN_MEMORY_MB`, for building a site',
    fallback: 2_048,
    read: wholeNumber(64, 65_536, 2_048),
  },
  siteTimeoutSeconds: {
    env: 'SITE_TIMEOUT_SECONDS',
    key: 'siteTimeoutSeconds',
    shownDefault: '300',
    about: 'like `RUN_TIMEOUT_SECONDS`, for building a site',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  playgroundRelay: {
    env: 'PLAYGROUND_RELAY',
    key: 'playgroundRelay',
    shownDefault: 'off',
    about: 'who may send blocked playground requests through this server: `off`, `private` or `all`',
    fallback: 'off',
    read: oneOf('off', 'private', 'all'),
  },
  playgroundRelayPerMinute: {
    env: 'PLAYGROUND_RELAY_PER_MINUTE',
    key: 'playgroundRelayPerMinute',
    shownDefault: '30',
    about: 'relayed requests for each signed-in reader or IP address',
    fallback: 30,
    read: wholeNumber(1, 10_000, 30),
  },
  chromiumPath: {
    env: 'CHROMIUM_PATH',
    key: 'chromiumPath',
    shownDefault: 'an installed browser',
    about: 'Chromium, Chrome or Edge for screenshots; `off` disables them',
    fallback: undefined,
    read: text,
  },
  chromiumSandbox: {
    env: 'CHROMIUM_SANDBOX',
    key: 'chromiumSandbox',
    shownDefault: 'on',
    about: '`off` runs the browser without its sandbox',
    fallback: 'on',
    read: oneOf('on', 'off'),
  },
  pictureTimeoutSeconds: {
    env: 'PICTURE_TIMEOUT_SECONDS',
    key: 'pictureTimeoutSeconds',
    shownDefault: '20',
    about: 'limit for the screenshots of one site',
    fallback: 20,
    read: wholeNumber(1, 300, 20),
  },
  stopTimeoutSeconds: {
    env: 'STOP_TIMEOUT_SECONDS',
    key: 'stopTimeoutSeconds',
    shownDefault: '20',
    about: 'time for running updates when the server stops',
    fallback: 20,
    read: wholeNumber(0, 600, 20),
  },
  stopDelaySeconds: {
    env: 'STOP_DELAY_SECONDS',
    key: 'stopDelaySeconds',
    shownDefault: '0',
    about: 'time to accept requests after a stop was requested, while `/readyz` returns 503',
    fallback: 0,
    read: wholeNumber(0, 600, 5),
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

/** The parsed and validated value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]:
    | Extract<ReturnType<(typeof settings)[Name]['read']>, { readonly value: unknown }>['value']
    | (typeof settings)[Name]['fallback']
}

/** The list of settings for `serve --help`. */
export function listSettings(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, about, shownDefault }) => [env, `${about}${shownDefault ? ` (default: ${shownDefault})` : ''}`] as const,
  )
  const width = Math.max(...rows.map(([env]) => env.length))
  return [
    '',
    'Set these environment variables, or (except secrets) the keys in openapi-pages.app.yaml in the data directory:',
    ...rows.map(([env, about]) => `  ${env.padEnd(width)}  ${about}`),
  ].join('\n')
}

/** The settings as a Markdown table. A test compares it with `docs/self-hosting.md`. */
export function formatSettingsTable(): string {
  const rows = Object.values<Setting>(settings).map(
    ({ env, about, shownDefault }) => `| \`${env}\` | ${about} | ${shownDefault && `\`${shownDefault}\``} |`,
  )
  return ['| Variable | Value | Default |', '| --- | --- | --- |', ...rows].join('\n')
}
