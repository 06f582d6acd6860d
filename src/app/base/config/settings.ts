import { resolve } from 'node:path'
import texts from '../../../../texts/app-settings.json' with { type: 'json' }
import { toOwnPath } from '../../../files/boundary.ts'
import { issuers } from './issuer-setting.ts'
import {
  accounts,
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

interface Setting {
  /** Description for `serve --help` and `docs/self-hosting.md`. */
  readonly about: string
  /** Only the environment can set it. Never shown, not even in error messages. */
  readonly secret?: boolean
  /** What is read if the setting is not set. */
  readonly default?: string
  /** What an unset setting without a default means. */
  readonly otherwise?: string
}

/**
 * Every setting of the app, in the order of the help. `toVariable` gives its environment variable: `runMemoryMb` is RUN_MEMORY_MB. Its name is also
 * its key in `openapi-pages.app.yaml`, except for those that only the environment can set.
 */
export const settings: Readonly<Record<SettingName, Setting>> = texts

export type SettingName = keyof typeof texts

/** How the text of each setting is read. */
export const readers = {
  host: text,
  port: wholeNumber(0, 65_535, 3000),
  baseUrl: origin('https://pages.example.com'),
  trustProxy,
  dataDir: (value: string) => ({ value: toOwnPath(resolve(value)) }),
  databaseUrl: postgresUrl,
  databaseConnections: wholeNumber(2, 1_000, 10),
  role: oneOf('web', 'worker', 'all'),
  logFormat: oneOf('json', 'text'),
  logLevel: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  githubAppId: wholeNumber(1, 999_999_999_999, 123456),
  githubPrivateKey: privateKey,
  githubWebhookSecret: webhookSecret,
  githubClientId: text,
  githubClientSecret: text,
  githubUrl: origin('https://github.example.com'),
  githubOidcIssuer: issuer,
  oidcIssuers: issuers,
  operators: accounts,
  metricsToken: longSecret,
  tokenRequestsPerMinute: wholeNumber(1, 100_000_000, 600),
  addressRequestsPerMinute: wholeNumber(1, 100_000_000, 1200),
  runsAtOnce: wholeNumber(1, 64, 2),
  runMemoryMb: wholeNumber(64, 65_536, 1024),
  runTimeoutSeconds: wholeNumber(1, 7_200, 300),
  installationCpuMinutes: wholeNumber(1, 100_000, 60),
  installationStoredMb: wholeNumber(1, 100_000_000, 20_000),
  installationQueuedUpdates: wholeNumber(1, 1_000_000, 1_000),
  organizationRuleset: repositoryPath('.spectral.yaml'),
  ignoredRepositories: repositories,
  sitesDomain: domain('sites.example.com'),
  sitesBucket: bucket,
  sitesBucketEndpoint: origin('https://s3.example.com'),
  sitesBucketRegion: text,
  recordDays: wholeNumber(30, 36_500, 730),
  sitePreviews: wholeNumber(0, 1_000, 20),
  sitePreviewDays: wholeNumber(1, 3_650, 30),
  siteMaxFiles: wholeNumber(100, 1_000_000, 50_000),
  siteMaxMb: wholeNumber(1, 100_000, 1_000),
  siteMemoryMb: wholeNumber(64, 65_536, 2_048),
  siteTimeoutSeconds: wholeNumber(1, 7_200, 300),
  playgroundRelay: oneOf('off', 'private', 'all'),
  playgroundRelayPerMinute: wholeNumber(1, 10_000, 30),
  chromiumPath: text,
  chromiumSandbox: oneOf('on', 'off'),
  pictureTimeoutSeconds: wholeNumber(1, 300, 20),
  stopTimeoutSeconds: wholeNumber(0, 600, 20),
  stopDelaySeconds: wholeNumber(0, 600, 5),
} as const satisfies Record<SettingName, (text: string) => Reading<unknown>>

/** The parsed and validated value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]:
    | Extract<ReturnType<(typeof readers)[Name]>, { readonly value: unknown }>['value']
    | ((typeof texts)[Name] extends { readonly default: string } ? never : undefined)
}

/** The environment variable of a setting. */
export function toVariable(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}

/** The settings that `openapi-pages.app.yaml` can have. The file is in the data directory, and has no secrets. */
export const fileSettings = Object.entries(settings).flatMap(([name, { secret }]) => (secret || name === 'dataDir' ? [] : [name]))

/** The default of a setting as shown in the help; `''` for none. */
export function showDefault(setting: Setting): string {
  return setting.default ?? setting.otherwise ?? ''
}

/** The list of settings for `serve --help`. */
export function listSettings(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
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
  const rows = Object.entries(settings).map(([name, setting]) => {
    const shown = showDefault(setting)
    return `| \`${toVariable(name)}\` | ${setting.about} | ${shown && `\`${shown}\``} |`
  })
  return ['| Variable | Value | Default |', '| --- | --- | --- |', ...rows].join('\n')
}
