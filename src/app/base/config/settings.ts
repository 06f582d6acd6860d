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
  repositories,
  repositoryPath,
  text,
  trustProxy,
  webhookSecret,
  wholeNumber,
} from './setting-readers.ts'

/** A setting, and its parser. */
interface Setting {
  /** Description for `serve --help` and `docs/self-hosting.md`. */
  readonly about: string
  /** Only the environment can set it. Never shown, not even in error messages. */
  readonly secret?: true
  /** The value if the setting is not set. Default: `undefined`. */
  readonly fallback?: unknown
  /** The default as shown in the help. Default: that of `fallback`, if it has one. */
  readonly shownDefault?: string
  readonly read: (text: string) => Reading<unknown>
}

/**
 * Every setting of the app, in the order of the help. `toVariable` gives its environment variable: `runMemoryMb` is RUN_MEMORY_MB. Its name is also
 * its key in `openapi-pages.app.yaml`, except for those that only the environment can set.
 */
export const settings = {
  host: {
    about: 'IP address to listen on; `0.0.0.0` in a container',
    fallback: '127.0.0.1',
    read: text,
  },
  port: {
    about: 'port to listen on; `0` selects a free port',
    fallback: 3000,
    read: wholeNumber(0, 65_535, 3000),
  },
  baseUrl: {
    about: 'public URL of this server',
    shownDefault: 'http://localhost:PORT',
    read: origin('https://pages.example.com'),
  },
  trustProxy: {
    about: 'proxies to trust for `X-Forwarded-*` headers',
    fallback: false,
    read: trustProxy,
  },
  dataDir: {
    about: 'directory for the database, keys and `openapi-pages.app.yaml`',
    fallback: resolve('data'),
    shownDefault: './data',
    read: (value: string) => ({ value: resolve(value) }),
  },
  databaseUrl: {
    about: 'PostgreSQL database: `postgres://user:password@host:5432/name`',
    secret: true,
    shownDefault: 'SQLite in DATA_DIR',
    read: postgresUrl,
  },
  databaseConnections: {
    about: 'maximum connections of one process to PostgreSQL',
    fallback: 10,
    read: wholeNumber(2, 1_000, 10),
  },
  role: {
    about: '`web`, `worker` or `all`; the first two need `DATABASE_URL` and `BASE_URL`',
    fallback: 'all',
    read: oneOf('web', 'worker', 'all'),
  },
  logFormat: {
    about: '`json` or `text`',
    shownDefault: 'text on a terminal, else json',
    read: oneOf('json', 'text'),
  },
  logLevel: {
    about: 'lowest level to log: `trace`, `debug`, `info`, `warn`, `error` or `silent`',
    fallback: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  },
  githubAppId: {
    about: 'ID of the GitHub App, if the setup page did not create it',
    read: wholeNumber(1, 999_999_999_999, 123456),
  },
  githubPrivateKey: {
    about: 'its private key: PEM, PEM with `\\n` for line breaks, or PEM in base64',
    secret: true,
    read: privateKey,
  },
  githubWebhookSecret: {
    about: 'its webhook secret',
    secret: true,
    read: webhookSecret,
  },
  githubClientId: {
    about: 'its client ID, required for sign-in',
    read: text,
  },
  githubClientSecret: {
    about: 'its client secret, required for sign-in',
    secret: true,
    read: text,
  },
  githubUrl: {
    about: 'URL of GitHub or a GitHub Enterprise Server',
    fallback: 'https://github.com',
    read: origin('https://github.example.com'),
  },
  githubOidcIssuer: {
    about: 'OIDC issuer of workflow tokens, if your enterprise has one',
    read: issuer,
  },
  metricsToken: {
    about: 'bearer token for `/metrics`, at least 16 characters; `admin` API tokens also work',
    secret: true,
    read: longSecret,
  },
  tokenRequestsPerMinute: {
    about: 'API requests for each token',
    fallback: 600,
    read: wholeNumber(1, 100_000_000, 600),
  },
  addressRequestsPerMinute: {
    about: 'API requests for each IP address',
    fallback: 1200,
    read: wholeNumber(1, 100_000_000, 1200),
  },
  runsAtOnce: {
    about: 'concurrent updates',
    fallback: 2,
    read: wholeNumber(1, 64, 2),
  },
  runMemoryMb: {
    about: 'JavaScript heap limit for checking a commit; the process may use 1.5 times this plus 256 MB',
    fallback: 1024,
    read: wholeNumber(64, 65_536, 1024),
  },
  runTimeoutSeconds: {
    about: 'limit of elapsed time and of CPU time for checking a commit',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  installationCpuMinutes: {
    about: 'CPU time per hour for checks and builds of one installation',
    fallback: 60,
    read: wholeNumber(1, 100_000, 60),
  },
  installationStoredMb: {
    about: 'storage for the sites of one installation',
    fallback: 20_000,
    read: wholeNumber(1, 100_000_000, 20_000),
  },
  installationQueuedUpdates: {
    about: 'queued updates of one installation',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000, 1_000),
  },
  organizationRuleset: {
    about: 'ruleset in the repository `.github` of an organization; `off` applies none',
    fallback: '.spectral.yaml',
    read: repositoryPath('.spectral.yaml'),
  },
  ignoredRepositories: {
    about: 'repositories that get no project: `acme/sandbox, acme/legacy-*`',
    read: repositories,
  },
  sitesDomain: {
    about: 'parent domain of hosted sites; `off` disables hosting',
    shownDefault: 'localhost if BASE_URL is on localhost, else off',
    read: domain('sites.example.com'),
  },
  sitesBucket: {
    about: 'S3-compatible bucket for the files of sites: `s3://name/prefix`',
    shownDefault: 'the database',
    read: bucket,
  },
  sitesBucketEndpoint: {
    about: 'URL of another S3-compatible server',
    shownDefault: 'Amazon S3',
    read: origin('https://s3.example.com'),
  },
  sitesBucketRegion: {
    about: 'region of the bucket',
    shownDefault: 'AWS_REGION, else us-east-1',
    read: text,
  },
  recordDays: {
    about: 'days to keep updates, their reports and API changes, with the names of people in them',
    fallback: 730,
    read: wholeNumber(30, 36_500, 730),
  },
  sitePreviews: {
    about: 'previews to keep per project',
    fallback: 20,
    read: wholeNumber(0, 1_000, 20),
  },
  sitePreviewDays: {
    about: 'days to keep a preview',
    fallback: 30,
    read: wholeNumber(1, 3_650, 30),
  },
  siteMaxFiles: {
    about: 'files of one site',
    fallback: 50_000,
    read: wholeNumber(100, 1_000_000, 50_000),
  },
  siteMaxMb: {
    about: 'size of one site before compression',
    fallback: 1_000,
    read: wholeNumber(1, 100_000, 1_000),
  },
  siteMemoryMb: {
    about: 'like `RUN_MEMORY_MB`, for building a site',
    fallback: 2_048,
    read: wholeNumber(64, 65_536, 2_048),
  },
  siteTimeoutSeconds: {
    about: 'like `RUN_TIMEOUT_SECONDS`, for building a site',
    fallback: 300,
    read: wholeNumber(1, 7_200, 300),
  },
  playgroundRelay: {
    about: 'who may send blocked playground requests through this server: `off`, `private` or `all`',
    fallback: 'off',
    read: oneOf('off', 'private', 'all'),
  },
  playgroundRelayPerMinute: {
    about: 'relayed requests for each signed-in reader or IP address',
    fallback: 30,
    read: wholeNumber(1, 10_000, 30),
  },
  chromiumPath: {
    about: 'Chromium, Chrome or Edge for screenshots; `off` disables them',
    shownDefault: 'an installed browser',
    read: text,
  },
  chromiumSandbox: {
    about: '`off` runs the browser without its sandbox',
    fallback: 'on',
    read: oneOf('on', 'off'),
  },
  pictureTimeoutSeconds: {
    about: 'limit for the screenshots of one site',
    fallback: 20,
    read: wholeNumber(1, 300, 20),
  },
  stopTimeoutSeconds: {
    about: 'time for running updates when the server stops',
    fallback: 20,
    read: wholeNumber(0, 600, 20),
  },
  stopDelaySeconds: {
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
    | ((typeof settings)[Name] extends { readonly fallback: infer Fallback } ? Fallback : undefined)
}

/** The environment variable of a setting. */
export function toVariable(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}

/** The settings that `openapi-pages.app.yaml` can have. The file is in the data directory, and has no secrets. */
export const fileSettings = Object.entries<Setting>(settings).flatMap(([name, { secret }]) =>
  secret || name === 'dataDir' ? [] : [name],
)

/** The default of a setting as shown in the help; `''` for none. */
export function showDefault({ shownDefault, fallback }: Setting): string {
  return shownDefault ?? (fallback === undefined ? '' : String(fallback))
}

/** The list of settings for `serve --help`. */
export function listSettings(): string {
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => {
    const shown = showDefault(setting)
    return [toVariable(name), `${setting.about}${shown && ` (default: ${shown})`}`] as const
  })
  const width = Math.max(...rows.map(([variable]) => variable.length))
  return [
    '',
    'Set these environment variables, or (except secrets) the keys in openapi-pages.app.yaml in the data directory:',
    ...rows.map(([variable, about]) => `  ${variable.padEnd(width)}  ${about}`),
  ].join('\n')
}

/** The settings as a Markdown table. A test compares it with `docs/self-hosting.md`. */
export function formatSettingsTable(): string {
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => {
    const shown = showDefault(setting)
    return `| \`${toVariable(name)}\` | ${setting.about} | ${shown && `\`${shown}\``} |`
  })
  return ['| Variable | Value | Default |', '| --- | --- | --- |', ...rows].join('\n')
}
