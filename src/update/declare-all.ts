import { declareDivisions } from '../pages/declare-divisions.ts'
import type { DeclaredDivision } from '../pages/types.ts'
import type { DocsRoot } from './read-docs-root.ts'
import type { UpdateOptions } from './types.ts'

/**
 * Lists the divisions that have pages of ours. None where the lock file or `docs.json` cannot be used: nothing may be touched then.
 *
 * A docs root without `docs.json` is one division of its own, with the documents of the caller (`extra`, relative to the docs root), else
 * those that the lock file remembers.
 */
export function declareAll(
  { docsConfig, hasDocsConfig, lock, config }: DocsRoot,
  extra: readonly string[],
  { directory, materialise }: Pick<UpdateOptions, 'directory' | 'materialise'>,
): readonly DeclaredDivision[] {
  if (!lock || (hasDocsConfig && !docsConfig)) return []
  if (docsConfig) {
    const settings = materialise === undefined ? config : { ...config, materialise: { byDefault: materialise, byLabel: [] } }
    return declareDivisions(docsConfig, lock, settings)
  }
  const remembered = lock.divisions.find(({ id }) => id === '')?.sources ?? []
  const declared = extra.length > 0 ? [...new Set(extra)].map((source) => ({ source, directory })) : remembered
  if (declared.length === 0) return []
  const sources = declared.map((source) => ({ source: source.source, directory: source.directory, isInKey: false }))
  const none = { lockedId: undefined, pointer: undefined, version: undefined }
  const { materialise: materialised, schemas, overviews, order } = config
  return [
    {
      id: '',
      label: '',
      ...none,
      mode: (materialise ?? materialised.byDefault) ? 'automatic' : 'virtual',
      keepsKey: false,
      schemas: schemas.byDefault,
      overviews: overviews.byDefault,
      sources,
      order: order.byDefault,
      lockedSources: remembered,
    },
  ]
}
