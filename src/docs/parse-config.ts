import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { defaultLimits, type LimitValues } from '../text/limits.ts'
import { parseSource } from '../text/parse-source.ts'
import { isUrl, joinPath, parentPath } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { suggest } from '../text/suggest.ts'
import {
  type Config,
  defaultConfig,
  forkPreviewSettings,
  type GitHubSetting,
  onErrorSettings,
  type SiteSetting,
  toDefaultConfig,
  type UpdateSetting,
} from './config.ts'
import { readMaterialise, readOrder, readOverviews, readSchemas, readUnlisted } from './read-division-settings.ts'
import { readLimits } from './read-limits.ts'
import { readIgnores, readRules } from './read-rules.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

interface ReadContext {
  /** The path of the configuration file. */
  readonly file: string
  readonly ceilings: LimitValues
}

/** How each setting is read. A setting of a later release is one row more. */
const readers: { readonly [Key in keyof Config]: (value: unknown, report: Report, context: ReadContext) => Config[Key] } = {
  materialise: readMaterialise,
  order: readOrder,
  unlisted: readUnlisted,
  renames: readRenames,
  schemas: readSchemas,
  overviews: readOverviews,
  update: readUpdate,
  github: readGitHub,
  site: readSite,
  limits: (value, report, { ceilings }) => readLimits(value, report, ceilings),
  rules: readRules,
  ignore: (value, report, { file }) => readIgnores(value, report, file),
  baseline: (value, report, { file }) => readBaseline(value, report, file),
}

/**
 * Reads the configuration file, YAML or JSON. A setting that cannot be read is a finding and keeps its default.
 *
 * Paths in `ignore` count from the folder of the file. `materialise`, `order`, `unlisted`, `schemas` and `overviews` are one value for every division, or a mapping of labels to the values of single ones.
 *
 * @param ceilings what `limits` can be set to at most.
 */
export async function parseConfig(
  source: SourceFile,
  ceilings = defaultLimits.ceilings,
): Promise<{ config: Config; findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report: Report = (finding) => findings.push({ ...finding, file: source.path })
  const context: ReadContext = { file: source.path, ceilings }
  const none = toDefaultConfig(ceilings)
  const parsed = await parseSource(source)
  for (const { related: _, ...fault } of parsed.faults) {
    if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  }
  if (parsed.value === undefined) return { config: none, findings }
  if (!isObject(parsed.value)) {
    report({ code: 'wrong-type', message: 'Unexpected content of the configuration file, expected a mapping', pointer: '' })
    return { config: none, findings }
  }
  const { value } = parsed
  const keys = Object.keys(readers)
  for (const key of Object.keys(value).filter((name) => !keys.includes(name))) {
    const near = suggest(key, keys)
    const expected = keys.map((name) => `\`${name}\``).join(', ')
    const message = `Unexpected setting \`${key}\`, expected ${expected}`
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer: pointerChild('', key), on: 'key', ...hint })
  }
  return {
    config: {
      materialise: readers.materialise(value['materialise'], report, context),
      order: readers.order(value['order'], report, context),
      unlisted: readers.unlisted(value['unlisted'], report, context),
      renames: readers.renames(value['renames'], report, context),
      schemas: readers.schemas(value['schemas'], report, context),
      overviews: readers.overviews(value['overviews'], report, context),
      limits: readers.limits(value['limits'], report, context),
      rules: readers.rules(value['rules'], report, context),
      ignore: readers.ignore(value['ignore'], report, context),
      baseline: readers.baseline(value['baseline'], report, context),
      update: readers.update(value['update'], report, context),
      github: readers.github(value['github'], report, context),
      site: readers.site(value['site'], report, context),
    },
    findings,
  }
}

function readRenames(value: unknown, report: Report): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? defaultConfig.renames
  report({
    code: 'wrong-type',
    message: 'Unexpected value for `renames`, expected `true` or `false`',
    pointer: '/renames',
  })
  return defaultConfig.renames
}

const gitHubWords = { check: ['failure', 'neutral', 'off'], comment: ['failure', 'off'] } as const

function readGitHub(value: unknown, report: Report): GitHubSetting {
  const { github } = defaultConfig
  const given = readSection('github', value, { keys: Object.keys(github), example: 'comment: off' }, report)
  if (!given) return github
  return {
    check: readWord('/github/check', given['check'], gitHubWords.check, report) ?? github.check,
    comment: readWord('/github/comment', given['comment'], gitHubWords.comment, report) ?? github.comment,
    'commit-status': readSwitch('commit-status', given['commit-status'], report) ?? github['commit-status'],
    deployment: readSwitch('deployment', given['deployment'], report) ?? github.deployment,
    forkPreviews: readWord('/github/forkPreviews', given['forkPreviews'], forkPreviewSettings, report) ?? github.forkPreviews,
  }
}

function readSite(value: unknown, report: Report): SiteSetting {
  const { site } = defaultConfig
  const given = readSection('site', value, { keys: Object.keys(site), example: 'publish: always' }, report)
  return given ? { publish: readWord('/site/publish', given['publish'], ['success', 'always'], report) ?? site.publish } : site
}

function readBaseline(value: unknown, report: Report, file: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !isUrl(value) && !/^([/\\]|[a-z]:)/i.test(value)) {
    return joinPath(parentPath(file), value)
  }
  report({
    code: 'wrong-value',
    message: 'Unexpected value for `baseline`, expected a path relative to the configuration file',
    pointer: '/baseline',
    hint: 'write for example `baseline: openapi-baseline.json`',
  })
  return undefined
}

function readUpdate(value: unknown, report: Report): UpdateSetting {
  const { update } = defaultConfig
  const given = readSection('update', value, { keys: Object.keys(update), example: 'onError: operation' }, report)
  return given ? { onError: readWord('/update/onError', given['onError'], onErrorSettings, report) ?? update.onError } : update
}

/** A mapping of settings, of which it tells those that do not exist; `undefined` where there is none. */
function readSection(
  name: string,
  value: unknown,
  { keys, example }: { readonly keys: readonly string[]; readonly example: string },
  report: Report,
): { readonly [key: string]: unknown } | undefined {
  if (value === undefined) return undefined
  if (!isObject(value)) {
    const hint = `write for example \`${name}: { ${example} }\``
    report({ code: 'wrong-type', message: `Unexpected value for \`${name}\`, expected a mapping`, pointer: `/${name}`, hint })
    return undefined
  }
  for (const key of Object.keys(value).filter((one) => !keys.includes(one))) {
    const near = suggest(key, keys)
    const message = `Unexpected setting \`${key}\` in \`${name}\`, expected ${keys.map((one) => `\`${one}\``).join(', ')}`
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer: pointerChild(`/${name}`, key), on: 'key', ...hint })
  }
  return value
}

function readSwitch(key: string, value: unknown, report: Report): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  report({
    code: 'wrong-type',
    message: `Unexpected value for \`${key}\`, expected \`true\` or \`false\``,
    pointer: pointerChild('/github', key),
  })
  return undefined
}

/** One of the words of a setting; `false` is `off`, as people write it. */
function readWord<Word extends string>(
  pointer: string,
  value: unknown,
  words: readonly Word[],
  report: Report,
): Word | undefined {
  if (value === undefined) return undefined
  const given = value === false ? 'off' : value
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  const near = typeof given === 'string' ? suggest(given, words) : undefined
  const key = pointer.slice(pointer.lastIndexOf('/') + 1)
  report({
    code: 'wrong-value',
    message: `Unexpected value for \`${key}\`, expected ${words.map((word) => `\`${word}\``).join(', ')}`,
    pointer,
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  })
  return undefined
}
