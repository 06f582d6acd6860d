import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { parseSource } from '../text/parse-source.ts'
import type { SourceFile } from '../text/source-file.ts'
import { suggest } from '../text/suggest.ts'
import { type Config, defaultConfig, type MaterialiseSetting, type UnlistedSetting } from './config.ts'
import { readIgnores, readRules } from './read-rules.ts'

const unlistedSettings = ['report', 'add', 'ignore'] as const

type Report = (finding: Omit<Finding, 'file'>) => void

/** How each setting is read. A setting of a later release is one row more. */
const readers: { readonly [Key in keyof Config]: (value: unknown, report: Report, file: string) => Config[Key] } = {
  materialise: readMaterialise,
  unlisted: readUnlisted,
  rules: readRules,
  ignore: readIgnores,
}

/**
 * Reads the configuration file, YAML or JSON. A setting that cannot be read is a finding and keeps its default.
 *
 * Paths in `ignore` count from the folder of the file. `materialise: false` keeps every division virtual; a mapping of labels to `true` or `false` settles single ones.
 */
export async function parseConfig(source: SourceFile): Promise<{ config: Config; findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report: Report = (finding) => findings.push({ ...finding, file: source.path })
  const parsed = await parseSource(source)
  for (const { related: _, ...fault } of parsed.faults) {
    if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  }
  if (parsed.value === undefined) return { config: defaultConfig, findings }
  if (!isObject(parsed.value)) {
    report({ code: 'wrong-type', message: 'Unexpected content of the configuration file, expected a mapping', pointer: '' })
    return { config: defaultConfig, findings }
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
      materialise: readers.materialise(value['materialise'], report, source.path),
      unlisted: readers.unlisted(value['unlisted'], report, source.path),
      rules: readers.rules(value['rules'], report, source.path),
      ignore: readers.ignore(value['ignore'], report, source.path),
    },
    findings,
  }
}

function readMaterialise(value: unknown, report: Report): MaterialiseSetting {
  if (value === undefined) return defaultConfig.materialise
  if (typeof value === 'boolean') return { byDefault: value, byLabel: [] }
  if (!isObject(value)) {
    const message = 'Unexpected value for `materialise`, expected `true`, `false`, or a mapping of division labels to these'
    report({
      code: 'wrong-type',
      message,
      pointer: '/materialise',
      hint: 'write for example `materialise: { API Reference: false }`',
    })
    return defaultConfig.materialise
  }
  return { byDefault: true, byLabel: readLabels(value, report) }
}

function readLabels(value: JsonObject, report: Report): MaterialiseSetting['byLabel'] {
  return Object.entries(value).flatMap(([label, materialise]) => {
    const pointer = pointerChild('/materialise', label)
    if (typeof materialise === 'boolean') return [{ label, materialise, pointer }]
    report({ code: 'wrong-type', message: `Unexpected value for \`${label}\`, expected \`true\` or \`false\``, pointer })
    return []
  })
}

function readUnlisted(value: unknown, report: Report): UnlistedSetting {
  if (value === undefined) return defaultConfig.unlisted
  const setting = unlistedSettings.find((known) => known === value)
  if (setting) return setting
  const near = typeof value === 'string' ? suggest(value, unlistedSettings) : undefined
  report({
    code: 'wrong-value',
    message: 'Unexpected value for `unlisted`, expected `report`, `add`, `ignore`',
    pointer: '/unlisted',
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  })
  return defaultConfig.unlisted
}
