import { checkDescription, type DescriptionCheck } from '../openapi/check-description.ts'
import type { LoadDocument } from '../openapi/load-document.ts'
import type { IntegerReading } from '../text/parse-json.ts'
import { isUrl, parentPath } from '../text/relative-path.ts'
import { readNearestConfig } from './read-config.ts'
import { toLoadDocument } from './to-load-document.ts'
import type { UpdateEnvironment } from './types.ts'

/** The check of one description, and what its files were read with. */
export interface EntryCheck extends DescriptionCheck {
  readonly load: LoadDocument
}

/**
 * Checks one description within the limits of the nearest configuration file, without its `rules` and `ignore`: for commands that need a
 * valid one. What is wrong with the configuration file is among the findings.
 */
export async function checkEntry(
  entry: string,
  environment: UpdateEnvironment,
  integers: IntegerReading = 'rounded',
): Promise<EntryCheck> {
  const { files, limitCeilings } = environment
  const { config, findings, source } = await readNearestConfig(isUrl(entry) ? '' : parentPath(entry), files, limitCeilings)
  const load = toLoadDocument(environment, entry, config.limits)
  const check = await checkDescription(entry, load, {
    limits: config.limits,
    integers,
    // Who writes a description again shows errors only, and examples give none.
    ...(integers === 'exact' ? { exampleLimit: -1 } : {}),
  })
  const sources = source ? new Map([...check.sources, [source.path, source]]) : check.sources
  return { ...check, findings: [...findings, ...check.findings], sources, load }
}
