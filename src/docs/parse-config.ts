import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { defaultLimits, type LimitValues } from '../text/limits.ts'
import { parseSource } from '../text/parse-source.ts'
import type { SourceFile } from '../text/source-file.ts'
import { suggest } from '../text/suggest.ts'
import { type Config, defaultConfig, type GitHubSetting, toDefaultConfig } from './config.ts'
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
  github: readGitHub,
  limits: (value, report, { ceilings }) => readLimits(value, report, ceilings),
  rules: readRules,
  ignore: (value, report, { file }) => readIgnores(value, report, file),
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
      github: readers.github(value['github'], report, context),
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
  if (value === undefined) return github
  if (!isObject(value)) {
    const hint = 'write for example `github: { comment: off }`'
    report({ code: 'wrong-type', message: 'Unexpected value for `github`, expected a mapping', pointer: '/github', hint })
    return github
  }
  const keys = Object.keys(github)
  for (const key of Object.keys(value).filter((name) => !keys.includes(name))) {
    const near = suggest(key, keys)
    const message = `Unexpected setting \`${key}\` in \`github\`, expected ${keys.map((name) => `\`${name}\``).join(', ')}`
    const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
    report({ code: 'unknown-field', message, pointer: pointerChild('/github', key), on: 'key', ...hint })
  }
  return {
    check: readWord('check', value['check'], gitHubWords.check, report) ?? github.check,
    comment: readWord('comment', value['comment'], gitHubWords.comment, report) ?? github.comment,
    'commit-status': readSwitch('commit-status', value['commit-status'], report) ?? github['commit-status'],
    deployment: readSwitch('deployment', value['deployment'], report) ?? github.deployment,
  }
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

/** One of the words of a setting in `github`; `false` is `off`, as people write it. */
function readWord<Word extends string>(key: string, value: unknown, words: readonly Word[], report: Report): Word | undefined {
  if (value === undefined) return undefined
  const given = value === false ? 'off' : value
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  const near = typeof given === 'string' ? suggest(given, words) : undefined
  report({
    code: 'wrong-value',
    message: `Unexpected value for \`${key}\`, expected ${words.map((word) => `\`${word}\``).join(', ')}`,
    pointer: pointerChild('/github', key),
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  })
  return undefined
}
