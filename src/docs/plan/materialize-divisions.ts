import { isObject } from '../../text/json/json-values.ts'
import type { DocsConfig } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import type { LockedDivision, LockedPage, LockedSource, LockFile } from '../pages/lock-file.ts'
import type { DeclaredDivision, PagePlan } from '../pages/subjects.ts'

export interface KeyMoves {
  readonly edits: readonly JsonEdit[]
  /** Divisions to record in the lock file. */
  readonly divisions: readonly LockedDivision[]
  /** IDs of divisions with generated pages for the first time. */
  readonly materialized: readonly string[]
}

/**
 * Plans the move of `openapi` keys: from a division with written pages to the lock file, and its documents to `api.openapi`.
 *
 * If the key stayed, the host would list every page twice. Without `api.openapi`, the host would not find the documents. The key
 * stays if explicit entries inherit it, and for documents with errors or without operations.
 */
export function planKeyMoves(
  docsConfig: DocsConfig | undefined,
  declared: readonly DeclaredDivision[],
  plan: PagePlan,
  locked: { readonly before: LockFile; readonly pages: readonly LockedPage[] },
): KeyMoves {
  const edits: JsonEdit[] = []
  const divisions: LockedDivision[] = []
  const materialized: string[] = []
  const forApi = new Map<string, unknown>()
  const inUse = new Set(locked.pages.map(({ division }) => division))
  for (const division of declared) {
    const served = plan.divisions.find(({ id }) => id === division.id)?.served ?? []
    const previous = locked.before.divisions.find(({ id }) => id === division.lockedId)
    const stays = ({ source, isInKey, adopted }: DeclaredDivision['sources'][number]) =>
      isInKey && (adopted !== undefined || division.keepsKey || division.mode !== 'automatic' || !served.includes(source))
    const sources = division.sources.map((entry): LockedSource => {
      const { source, directory, adopted } = entry
      return {
        source,
        directory,
        order: division.order,
        pending: stays(entry),
        ...(adopted ? { adopted } : {}),
      }
    })
    const isAdopted = division.sources.some(({ adopted, isInKey }) => adopted !== undefined && isInKey)
    if (division.mode === 'automatic' && (served.length > 0 || sources.some(({ pending }) => !pending))) {
      divisions.push({ id: division.id, sources })
      if (!previous) materialized.push(division.id)
    } else if (division.mode === 'virtual' && inUse.has(division.id)) {
      const hasPages = ({ source, adopted }: LockedSource) => adopted || locked.pages.some((page) => page.document === source)
      divisions.push({ id: division.id, sources: sources.filter(hasPages) })
    } else if (previous && (isAdopted || inUse.has(division.id))) {
      divisions.push({ ...previous, id: division.id })
    }
    const own = docsConfig?.divisions.find(({ id }) => id === division.id)
    if (!own || own.sources.length === 0) continue
    const staying = new Set(division.sources.filter(stays).map(({ source }) => source))
    const moving = own.sources.filter(({ source }) => !staying.has(source))
    if (moving.length === 0) continue
    const left = own.sources.filter(({ source }) => staying.has(source)).map(({ raw }) => raw)
    if (left.length === 0) edits.push({ kind: 'remove', pointer: `${own.pointer}/openapi` })
    else edits.push({ kind: 'set', object: own.pointer, key: 'openapi', value: left.length === 1 ? left[0] : left })
    for (const { source, raw } of moving) forApi.set(source, toApiSource(raw))
  }
  for (const previous of locked.before.divisions) {
    const isDeclared = declared.some(({ lockedId }) => previous.id === lockedId)
    if (!isDeclared && inUse.has(previous.id)) divisions.push(previous)
  }
  if (docsConfig) edits.push(...nameInApi(docsConfig, forApi))
  return { edits, divisions, materialized }
}

/** The path or URL of a source with its overlays, without the directory of its pages. */
function toApiSource(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const { source, overlays } = raw
  return overlays === undefined ? source : { source, overlays }
}

function nameInApi({ value, apiSources }: DocsConfig, moved: ReadonlyMap<string, unknown>): JsonEdit[] {
  const named = new Set(apiSources.map(({ source }) => source))
  const missing = [...moved].filter(([source]) => !named.has(source)).map(([, location]) => location)
  if (missing.length === 0) return []
  const one = missing.length === 1 ? missing[0] : missing
  const api = value['api']
  if (api === undefined) return [{ kind: 'set', object: '', key: 'api', value: { openapi: one } }]
  // An invalid value is reported elsewhere and must not be replaced.
  if (!isObject(api)) return []
  const openapi = api['openapi']
  if (openapi === undefined) return [{ kind: 'set', object: '/api', key: 'openapi', value: one }]
  if (Array.isArray(openapi)) return [{ kind: 'insert', array: '/api/openapi', index: openapi.length, values: missing }]
  return [{ kind: 'set', object: '/api', key: 'openapi', value: [openapi, ...missing] }]
}
