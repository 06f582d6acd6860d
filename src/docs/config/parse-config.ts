import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild, setOwn } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { defaultLimits } from '../../text/plain/limits.ts'
import { listChoices } from '../../text/plain/lists.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
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
  const read: { [key: string]: unknown } = {}
  for (const [key, given] of Object.entries(value)) {
    const pointer = pointerChild('', key)
    if (Object.hasOwn(known, key)) {
      const own = known[key]?.read(given, { key, pointer, file: source.path, ceilings, report })
      if (own !== undefined) setOwn(read, key, own)
    } else if (key !== '$schema' || typeof given !== 'string') {
      // Editors read `$schema`.
      const message = `Unexpected setting \`${key}\`, expected ${listChoices(Object.keys(settings))}`
      report(unknownKey(message, key, pointer, [...Object.keys(settings), '$schema']))
    }
  }
  // Each value was read by the setting of its key.
  return { config: { ...byDefault, ...(read as Partial<Config>) }, findings }
}
