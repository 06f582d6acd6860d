import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import type { Files } from '../../files/files.ts'
import { defaultLimits, type LimitValues } from '../../text/plain/limits.ts'
import { joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { configFileNames } from '../config/config-files.ts'
import { type Config, toDefaultConfig } from '../config/project-config.ts'
import { toFailure } from './to-load-document.ts'

/** The configuration for a document outside a docs directory. */
interface NearestConfig {
  readonly config: Config
  readonly findings: readonly Finding[]
  /** Absent without a configuration file. */
  readonly source: SourceFile | undefined
}

/** Reads the nearest configuration file, searching from a folder upward within the boundary. */
export async function readNearestConfig(
  folder: string,
  files: Files,
  ceilings: LimitValues = defaultLimits.ceilings,
): Promise<NearestConfig> {
  const byDefault = toDefaultConfig(ceilings)
  for (let current = folder; ; current = parentPath(current)) {
    for (const name of configFileNames) {
      const path = joinPath(current, name)
      const result = await files.read(path)
      if (result.kind === 'missing' || result.kind === 'folder' || result.kind === 'outside') continue
      if (result.kind === 'file') {
        const source = toSourceFile(path, result.bytes)
        const { parseConfig } = await import('../config/parse-config.ts')
        return { ...(await parseConfig(source, ceilings)), source }
      }
      const { code, reason } = toFailure(result)
      const finding: Finding = { code, message: `Cannot read \`${path}\`: ${reason}`, file: path, pointer: '' }
      return { config: byDefault, findings: [finding], source: undefined }
    }
    if (current === '') return { config: byDefault, findings: [], source: undefined }
  }
}

/** Overrides the rules of a configuration. */
export function overrideRules(config: Config, rules: RuleSettings['severities'] | undefined): Config {
  return rules === undefined || rules.size === 0 ? config : { ...config, rules: new Map([...config.rules, ...rules]) }
}
