import { entriesOf, isObject, listTexts, stringEntries, stringOf } from '../../text/json/json-values.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type Kind, type Setting, section, single } from './config-setting.ts'

/** A path that is relative to the configuration file. */
export const relativePath: Kind<string | undefined> = {
  expected: 'a path relative to the configuration file',
  code: 'wrong-value',
  schema: { type: 'string', minLength: 1, not: { pattern: '^([/\\\\]|[A-Za-z]:)' } },
  toValue: (written) =>
    typeof written === 'string' && written !== '' && !isUrl(written) && !/^([/\\]|[a-z]:)/i.test(written) ? written : undefined,
}

const paths: Kind<readonly string[]> = {
  expected: 'a list of paths relative to the configuration file',
  code: 'wrong-value',
  schema: { type: 'array', items: relativePath.schema },
  hint: () => 'Use a list, for example `recordings: [tests/cassettes]`',
  toValue: (written) =>
    Array.isArray(written) && written.every((one) => relativePath.toValue(one) !== undefined) ? written : undefined,
}

const day: Kind<string | undefined> = {
  expected: 'a date such as `2026-01-31`',
  code: 'wrong-value',
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
  toValue: (written) => (isDay(written) ? written : undefined),
}

/** Whether a value is a date such as `2026-01-31`. */
export function isDay(written: unknown): written is string {
  const time = /^\d{4}-\d\d-\d\d$/.test(stringOf(written) ?? '') ? Date.parse(String(written)) : Number.NaN
  // `Date.parse` accepts 31 February.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(String(written))
}

const names: Kind<readonly string[]> = {
  expected: 'a list of names',
  code: 'wrong-type',
  schema: { type: 'array', items: { type: 'string' } },
  toValue: (written) => (Array.isArray(written) && listTexts(written).length === written.length ? listTexts(written) : undefined),
}

const pathAliases: Kind<{ readonly [path: string]: string }> = {
  expected: 'a mapping from recorded paths to paths of the document',
  code: 'wrong-value',
  schema: { type: 'object', propertyNames: { pattern: '^/' }, additionalProperties: { type: 'string', pattern: '^/' } },
  hint: () => "Begin each path with `/`, for example `aliases: { '/repositories/{id}/*': '/repos/{owner}/{repo}/*' }`",
  toValue: (written) => {
    const isPath = (text: unknown) => typeof text === 'string' && text.startsWith('/')
    return isObject(written) && entriesOf(written).every((entry) => entry.every(isPath)) ? stringEntries(written) : undefined
  },
}

/** Resolves the paths of a setting against the folder of the configuration file. */
export function relativeTo<Value>(
  setting: Setting<Value>,
  resolve: (value: Value, toPath: (path: string) => string) => Value,
): Setting<Value> {
  return {
    ...setting,
    read: (written, place) => {
      const value = setting.read(written, place)
      return value === undefined ? undefined : resolve(value, (path) => joinPath(parentPath(place.file), path))
    },
  }
}

/** The settings for recorded traffic. */
export const traffic = section(
  { description: 'Recorded traffic', example: 'recordings: [tests/cassettes]' },
  {
    recordings: relativeTo(
      single(paths, {
        description: 'Files and folders with recordings that documents are compared with',
        shownDefault: 'none',
        example: '[tests/cassettes]',
        byDefault: [],
      }),
      (values, toPath) => values.map(toPath),
    ),
    since: single(day, {
      description: 'Older recordings are left out',
      shownDefault: 'none',
      example: '2026-01-31',
      byDefault: undefined,
    }),
    aliases: single(pathAliases, {
      description: 'Paths of requests that documents have under another path. `*` is the rest',
      shownDefault: 'none',
      example: "{ '/repositories/{id}/*': '/repos/{owner}/{repo}/*' }",
      byDefault: {},
    }),
    slashes: single(names, {
      description: 'Path parameters that can contain slashes, besides `path` and `ref`',
      shownDefault: 'none',
      example: '[file]',
      byDefault: [],
    }),
    clients: relativeTo(
      single(relativePath, {
        description: 'The folder with the files of recorded clients',
        shownDefault: '`clients` beside `docs.json`, else beside the document',
        example: 'clients',
        byDefault: undefined,
      }),
      (value, toPath) => value && toPath(value),
    ),
  },
)

export type TrafficSetting = (typeof traffic)['byDefault']

/** The folder with clients files. By default, it is beside `docs.json`, else beside the document. */
export function toClientsFolder({ clients }: Pick<TrafficSetting, 'clients'>, root: string): string {
  return clients ?? joinPath(root, 'clients')
}

/** Whether a file in a folder with recordings is read as one. */
export function isRecordingName(path: string): boolean {
  return /\.(?:har|json|ya?ml)$/i.test(path)
}
