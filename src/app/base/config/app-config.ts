import { accessSync, constants } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { joinOwned, type OwnPath } from '../../../files/boundary.ts'
import { readRealFile } from '../../../files/disk-files.ts'
import { disk, replaceFile } from '../../../files/disk-writes.ts'
import { toGitHubServer } from '../../../github/requests/github-client.ts'
import { ConfigError } from '../../../text/errors.ts'
import { escapePointerSegment, isObject, parseJson } from '../../../text/json/json-values.ts'
import { locatePointers, type ParsedSource, parseSource } from '../../../text/parse-source.ts'
import { toLineStarts, toPosition, toSourceFile } from '../../../text/plain/source-file.ts'
import { suggest } from '../../../text/plain/suggest.ts'
import { fileSettings, readers, type SettingName, type SettingValues, settings, showDefault, toVariable } from './settings.ts'

/** The settings file in the data directory. Environment variables override it. */
export const configFileName = 'openapi-pages.app.yaml'

/** All settings of the app, validated. */
export interface AppConfig extends Omit<SettingValues, KeySetting> {
  /** From the settings, or from the file of the setup page. With `databaseUrl`, the store has those of the setup page. */
  readonly credentials: Credentials | undefined
  /** The OAuth client of the settings. It replaces the one of the setup page. */
  readonly oauth: Credentials['oauth']
  /** URL of the REST API of `githubUrl`, without a trailing `/`. */
  readonly githubApiUrl: string
}

type KeySetting = 'githubAppId' | 'githubPrivateKey' | 'githubWebhookSecret' | 'githubClientId' | 'githubClientSecret'

interface Mistake {
  readonly where: string
  readonly message: string
  readonly fix: string
}

interface Given {
  readonly text: string
  /** `PORT`, or `data/openapi-pages.app.yaml:3:7 port`. */
  readonly where: string
}

/**
 * Reads the settings: from the environment, then `openapi-pages.app.yaml` in the data directory, then the credentials from the setup page.
 *
 * An empty variable is treated as unset.
 *
 * @throws {ConfigError} that lists every mistake with its location and fix, but never the value of a secret.
 */
export async function readConfig(env: Readonly<Record<string, string | undefined>>): Promise<AppConfig> {
  const mistakes: Mistake[] = []
  const dataDir = findDataDir(env)
  const fromFile = await readConfigFile(joinOwned(dataDir, configFileName), mistakes)
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const [name, setting] of entriesOf(settings)) {
    const variable = toVariable(name)
    const value = env[variable]?.trim()
    const given: Given | undefined = value ? { text: value, where: variable } : fromFile.get(name)
    const text = given?.text ?? setting.default
    if (text === undefined) continue
    const reading = readers[name](text)
    if ('value' in reading) values[name] = reading.value
    else {
      const message = toMessage(reading.mistake, text, setting.secret === true)
      mistakes.push({ where: given?.where ?? variable, message, fix: reading.fix })
    }
  }
  // The loop above set each name to the result of its reader, or left it unset, as the type says.
  const { githubAppId, githubPrivateKey, githubWebhookSecret, githubClientId, githubClientSecret, ...rest } =
    values as SettingValues
  const parts = { GITHUB_APP_ID: githubAppId, GITHUB_PRIVATE_KEY: githubPrivateKey, GITHUB_WEBHOOK_SECRET: githubWebhookSecret }
  const missing = Object.entries(parts).filter(([, value]) => value === undefined)
  if (missing.length > 0 && missing.length < 3) {
    for (const [where] of missing.filter(([name]) => !mistakes.some((mistake) => mistake.where === name))) {
      mistakes.push({
        where,
        message: 'is missing: GITHUB_APP_ID, GITHUB_PRIVATE_KEY and GITHUB_WEBHOOK_SECRET must be set together',
        fix: 'Set it, or remove all three and use the setup page',
      })
    }
  }
  if ((githubClientId === undefined) !== (githubClientSecret === undefined)) {
    mistakes.push({
      where: githubClientId === undefined ? 'GITHUB_CLIENT_ID' : 'GITHUB_CLIENT_SECRET',
      message: 'is missing: sign-in needs both client ID and client secret',
      fix: 'Set both, or remove both to disable sign-in',
    })
  }
  mistakes.push(...checkRole(rest))
  const stored = rest.databaseUrl === undefined ? readCredentials(dataDir) : undefined
  if (stored && 'mistake' in stored) {
    mistakes.push({ where: joinOwned(dataDir, credentialsFileName), message: stored.mistake, fix: stored.fix })
  }
  if (mistakes.length > 0) throw toConfigError(mistakes)
  const fromSettings: Credentials | undefined =
    githubAppId && githubPrivateKey && githubWebhookSecret
      ? { appId: githubAppId, privateKey: githubPrivateKey, webhookSecret: githubWebhookSecret }
      : undefined
  const credentials = fromSettings ?? (stored && 'appId' in stored ? stored : undefined)
  const oauth = githubClientId && githubClientSecret ? { clientId: githubClientId, clientSecret: githubClientSecret } : undefined
  return {
    ...rest,
    credentials: credentials && (oauth ? { ...credentials, oauth } : credentials),
    oauth,
    githubApiUrl: toGitHubServer(rest.githubUrl).apiUrl,
  }
}

/** The data directory, absolute. It need not exist. */
export function findDataDir(env: Readonly<Record<string, string | undefined>>): OwnPath {
  return readers.dataDir(env['DATA_DIR'] || settings.dataDir.default || '').value
}

/** SQLite files cannot be shared between machines, and a worker does not know the URL of the web processes. */
function checkRole({ role, databaseUrl, baseUrl }: Pick<SettingValues, 'role' | 'databaseUrl' | 'baseUrl'>): Mistake[] {
  if (role === 'all') return []
  const message = `is missing: processes with the role \`${role}\` share a PostgreSQL database and a public URL`
  return [
    ...(databaseUrl === undefined
      ? [{ where: 'DATABASE_URL', message, fix: 'Set it to the same database for all processes, or use the role `all`' }]
      : []),
    ...(baseUrl === undefined
      ? [{ where: 'BASE_URL', message, fix: 'Set it to the URL of the proxy in front of the `web` processes' }]
      : []),
  ]
}

/** Reads the settings in the file with their locations. Syntax errors and unknown keys go to `mistakes`. */
async function readConfigFile(path: OwnPath, mistakes: Mistake[]): Promise<Map<SettingName, Given>> {
  const found = new Map<SettingName, Given>()
  const bytes = readRealFile(path)
  if (bytes === undefined) return found
  const parsed = await parseSource(toSourceFile(path, bytes))
  const lines = toLineStarts(parsed.source.text)
  const at = (offset: number) => {
    const { line, column } = toPosition(lines, offset)
    return `${path}:${line}:${column}`
  }
  for (const fault of parsed.faults.filter(({ code }) => code !== 'empty-document')) {
    mistakes.push({ where: at(fault.offsets.start), message: fault.message, fix: fault.hint ?? 'Correct the YAML' })
  }
  if (parsed.faults.length > 0) return found
  if (!isObject(parsed.value)) {
    mistakes.push({ where: at(0), message: 'Unexpected value, expected a mapping of settings', fix: 'For example `port: 8080`' })
    return found
  }
  const places = await placesOfKeys(parsed, Object.keys(parsed.value))
  for (const [key, value] of Object.entries(parsed.value)) {
    const where = at(places.get(key) ?? 0)
    const name = entriesOf(settings).find(([one]) => one === key && fileSettings.includes(key))?.[0]
    if (!name) mistakes.push({ where, ...unknownKey(key) })
    else if (value === null) continue
    else if (typeof value === 'object' && !Array.isArray(value)) {
      mistakes.push({
        where,
        message: `Unexpected mapping for \`${key}\`, expected a single value`,
        fix: `Use \`${key}: ${showDefault(settings[name]) || '…'}\``,
      })
    } else found.set(name, { text: Array.isArray(value) ? value.join(',') : String(value), where: `${where} ${key}` })
  }
  return found
}

async function placesOfKeys(parsed: ParsedSource, keys: readonly string[]): Promise<Map<string, number>> {
  const pointers = new Map(keys.map((key) => [key, `/${escapePointerSegment(key)}`]))
  const places = await locatePointers(parsed.source, pointers.values())
  return new Map([...pointers].map(([key, pointer]) => [key, places.get(pointer)?.key?.start ?? 0]))
}

function unknownKey(key: string): { message: string; fix: string } {
  if (key === 'dataDir') {
    return { message: 'Unexpected `dataDir`: this file is in the data directory', fix: 'Set `DATA_DIR` in the environment' }
  }
  if (Object.hasOwn(settings, key)) {
    return {
      message: `Unexpected \`${key}\`: this file cannot contain secrets`,
      fix: `Set \`${toVariable(key)}\` in the environment`,
    }
  }
  const near = suggest(key, fileSettings)
  return {
    message: `Unexpected setting \`${key}\``,
    fix: near ? `Did you mean \`${near}\`?` : `Available settings: ${fileSettings.join(', ')}`,
  }
}

/** Quotes the value unless it is a secret. */
function toMessage(mistake: string, text: string, secret: boolean): string {
  if (secret) return `has an invalid value: ${mistake}`
  return `is \`${text.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 200)}\`: ${mistake}`
}

function toConfigError(mistakes: readonly Mistake[]): ConfigError {
  const lines = mistakes.map(({ where, message, fix }) => `  ${where} ${message}\n    ${fix}`)
  const count = formatCount(mistakes.length, 'error')
  return new ConfigError(`Cannot start: ${count} in the settings\n${lines.join('\n')}`, {
    hint: 'See `openapi-pages-app serve --help`',
  })
}

function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  // `Object.entries` widens the keys to strings, but these tables are closed literals.
  return Object.entries(record) as [Key, Value][]
}

const StoredCredentials = Type.Object({
  appId: Type.Number(),
  /** PEM. */
  privateKey: Type.String(),
  webhookSecret: Type.String(),
  /** `https://github.com/apps/…`, known if the setup page created the app. */
  appUrl: Type.Optional(Type.String()),
  /** The OAuth client; absent if sign-in is off. */
  oauth: Type.Optional(Type.Object({ clientId: Type.String(), clientSecret: Type.String() })),
})

/** The credentials of the GitHub App. Never write them to logs or records. */
export type Credentials = Readonly<Static<typeof StoredCredentials>>

export const credentialsFileName = 'github-app.json'

/** Reads the credentials that the setup page stored; `undefined` if there are none. */
export function readCredentials(dataDir: OwnPath): Credentials | { mistake: string; fix: string } | undefined {
  const path = joinOwned(dataDir, credentialsFileName)
  const bytes = readRealFile(path)
  if (bytes === undefined) return undefined
  return (
    parseCredentials(bytes.toString()) ?? {
      mistake: 'does not contain valid credentials of a GitHub App',
      fix: 'Restore it from a backup, or remove it and open the setup page again',
    }
  )
}

/** Parses stored credentials; `undefined` if they are damaged. */
export function parseCredentials(text: string): Credentials | undefined {
  const value = parseJson(text)
  return Check(StoredCredentials, value) ? value : undefined
}

/** Writes the credentials atomically to a file that only its owner can read (mode 0600). */
export function writeCredentials(dataDir: OwnPath, credentials: Credentials): void {
  prepareDataDir(dataDir)
  const text = `${JSON.stringify(credentials, undefined, 2)}\n`
  replaceFile(joinOwned(dataDir, credentialsFileName), text, { mode: 0o600, flush: true })
}

/** Creates the data directory, where runs unpack archives, also with PostgreSQL. Throws a system error if it cannot be used. */
export function prepareDataDir(dataDir: OwnPath): void {
  disk.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  accessSync(dataDir, constants.W_OK | constants.X_OK)
}
