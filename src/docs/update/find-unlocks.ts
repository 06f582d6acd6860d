import { type DiagnosticCode, formatCount } from '../../diagnostics/diagnostic.ts'
import { findBlockingCode } from '../../diagnostics/finish-diagnostics.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { lockFileName } from '../config/config-files.ts'
import type { Update, UpdateEnvironment, UpdateOptions } from '../types.ts'
import { runUpdate } from './run-update.ts'

/** A setting that gives pages to documents with errors. */
export interface Unlock {
  /** Lines of the configuration file, in one line. */
  readonly setting: string
  /** The pages that the next update adds with the setting, and does not add without it. */
  readonly pageCount: number
}

/**
 * Finds the settings that would add pages in a docs directory that has none because of errors. Plans an update with each setting, so that the numbers are exact.
 *
 * Returns nothing if the docs directory has pages, or no setting adds any. A baseline adds none: it only accepts the errors.
 *
 * @param update the update without these settings.
 */
export async function findUnlocks(
  update: Update,
  options: UpdateOptions,
  environment: UpdateEnvironment,
): Promise<readonly Unlock[]> {
  const isBlocked = update.documents.some(({ valid, skipped }) => !valid && skipped === undefined)
  if (!isBlocked || (await environment.files.read(joinPath(options.root, lockFileName), 0)).kind !== 'missing') return []
  const { checkDocuments: _, ...planning } = environment
  const count = async (more: Partial<UpdateOptions>, rules?: UpdateEnvironment['rules']) => {
    const planned = await runUpdate({ ...options, ...more }, { ...planning, ...(rules && { rules }) })
    return countAdded(planned) - countAdded(update)
  }
  const lowered = listLowerable(update)
  const severities = new Map(lowered.map((code) => [code, 'warning' as const]))
  const unlocks: Unlock[] = [
    { setting: 'update: { onError: operation }', pageCount: await count({ onError: 'operation' }) },
    ...(lowered.length === 0
      ? []
      : [
          {
            setting: `rules: { ${lowered.map((code) => `${code}: warning`).join(', ')} }`,
            pageCount: await count({}, severities),
          },
        ]),
  ]
  return unlocks.filter(({ pageCount }) => pageCount > 0)
}

/** Explains the settings, one line each. */
export function describeUnlocks(unlocks: readonly Unlock[]): readonly string[] {
  return unlocks.map(({ setting, pageCount }) => `\`${setting}\`: ${formatCount(pageCount, 'page')}`)
}

function countAdded({ pages }: Update): number {
  return pages.filter(({ kind }) => kind === 'added').length
}

function listLowerable({ diagnostics }: Update): readonly DiagnosticCode[] {
  const codes = diagnostics.flatMap(({ severity, code }) =>
    severity === 'error' && findBlockingCode(code)?.mayBeWarning ? code : [],
  )
  return [...new Set(codes)].sort()
}
