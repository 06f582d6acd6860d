import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, readOwn, setOwn } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'
import { defaultLimits } from '../source/limits.ts'
import { listChoices } from '../source/list-choices.ts'
import { parseSource } from '../source/parse-source.ts'
import type { SourceFile } from '../source/source-file.ts'
import { type Place, type Settings, unknownKey } from './config-setting.ts'
import { type Config, settings, toDefaultConfig } from './project-config.ts'

/**
 * Parses the configuration file (YAML or JSON). A setting with an invalid value is reported and keeps its default.
 *
 * @param ceilings the maximum values for `limits`.
 */
export async function parseConfig(
  source: SourceFile,
  ceilings = defaultLimits.ceilings,
): Promise<{ config: Config; findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const report: Place['report'] = (finding) => findings.push({ ...finding, file: source.path })
  const byDefault = toDefaultConfig(ceilings)
  const parsed = await parseSource(source)
  for (const { related: _, ...fault } of parsed.faults) {
    if (fault.code !== 'empty-document') report({ ...fault, pointer: '' })
  }
  if (parsed.value === undefined) return { config: byDefault, findings }
  if (!isObject(parsed.value)) {
    report({ code: 'wrong-type', message: 'Unexpected configuration file content, expected a mapping', pointer: '' })
    return { config: byDefault, findings }
  }
  const { value } = parsed
  const known: Settings = settings
  const spellings = new Map(Object.entries(known).flatMap(([key, { alias }]) => (alias === undefined ? [] : [[alias, key]])))
  const read: { [key: string]: unknown } = {}
  for (const [written, given] of Object.entries(value)) {
    const pointer = pointerChild('', written)
    const key = spellings.get(written) ?? written
    if (key !== written && readOwn(value, key) !== undefined) {
      const message = `Unexpected setting \`${written}\` in addition to \`${key}\`, which is the same setting`
      report({ code: 'wrong-value', message, pointer, on: 'key', hint: 'Remove one of them' })
    } else if (Object.hasOwn(known, key)) {
      if (key !== written) {
        const message = `The setting \`${written}\` is now spelled \`${key}\``
        report({ code: 'config-spelling', message, pointer, on: 'key', hint: `Rename it to \`${key}\`` })
      }
      const own = known[key]?.read(given, { key: written, pointer, file: source.path, ceilings, report })
      if (own !== undefined) setOwn(read, key, own)
    } else if (written !== '$schema' || typeof given !== 'string') {
      // Editors read `$schema`.
      const message = `Unexpected setting \`${written}\`, expected ${listChoices(Object.keys(settings))}`
      report(unknownKey(message, written, pointer, [...Object.keys(settings), '$schema']))
    }
  }
  // Each value was read by the setting of its key.
  return { config: { ...byDefault, ...(read as Partial<Config>) }, findings }
}
