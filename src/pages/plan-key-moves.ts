import type { JsonEdit } from '../docs/edit-json.ts'
import type { DocsConfig, LockedDivision, LockedPage, LockedSource, LockFile } from '../docs/types.ts'
import { isObject } from '../text/is-object.ts'
import type { DeclaredDivision, PagePlan } from './types.ts'

export interface KeyMoves {
  readonly edits: readonly JsonEdit[]
  /** The divisions as the lock file is to record them. */
  readonly divisions: readonly LockedDivision[]
  /** Ids of divisions that have pages of ours for the first time. */
  readonly materialised: readonly string[]
}

/**
 * Plans where `openapi` keys go: from a division whose pages are written to the lock file, and the documents to `api.openapi`.
 *
 * Left in place, the key would make the host list every page twice; without `api.openapi` the host would not find the documents. The key
 * stays where explicit entries inherit it, and as far as its documents have faults or no operations.
 */
export function planKeyMoves(
  docsConfig: DocsConfig | undefined,
  declared: readonly DeclaredDivision[],
  plan: PagePlan,
  locked: { readonly before: LockFile; readonly pages: readonly LockedPage[] },
): KeyMoves {
  const edits: JsonEdit[] = []
  const divisions: LockedDivision[] = []
  const materialised: string[] = []
  const forApi = new Map<string, string>()
  const named = new Set(docsConfig?.apiSources.map(({ source }) => source))
  const inUse = new Set(locked.pages.map(({ division }) => division))
  for (const division of declared) {
    const served = plan.divisions.find(({ id }) => id === division.id)?.served ?? []
    const previous = locked.before.divisions.find(({ id }) => id === (division.lockedId ?? division.id))
    const stays = ({ source, isInKey, adopted }: DeclaredDivision['sources'][number]) =>
      isInKey && (adopted !== undefined || division.keepsKey || division.mode !== 'automatic' || !served.includes(source))
    const sources = division.sources.map((entry): LockedSource => {
      const { source, directory, adopted } = entry
      const known = previous?.sources.find((other) => other.source === source)
      const isMoving = entry.isInKey && !stays(entry) && (!known || known.pending)
      const isNamed = isMoving ? named.has(source) : known?.named === true
      return {
        source,
        directory,
        order: division.order,
        pending: stays(entry),
        ...(adopted ? { adopted } : {}),
        ...(isNamed ? { named: true } : {}),
      }
    })
    const isAdopted = division.sources.some(({ adopted, isInKey }) => adopted !== undefined && isInKey)
    if (division.mode === 'automatic' && (served.length > 0 || sources.some(({ pending }) => !pending))) {
      divisions.push({ id: division.id, sources })
      if (!previous) materialised.push(division.id)
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
    for (const { source, raw } of moving) forApi.set(source, toLocation(raw))
  }
  for (const previous of locked.before.divisions) {
    const isDeclared = declared.some(({ id, lockedId }) => previous.id === (lockedId ?? id))
    if (!isDeclared && inUse.has(previous.id)) divisions.push(previous)
  }
  if (docsConfig) edits.push(...nameInApi(docsConfig, forApi))
  return { edits, divisions, materialised }
}

/** A source as it is written, without what is said about it. */
function toLocation(raw: unknown): string {
  const location = isObject(raw) ? raw['source'] : raw
  return typeof location === 'string' ? location : ''
}

function nameInApi({ value, apiSources }: DocsConfig, moved: ReadonlyMap<string, string>): JsonEdit[] {
  const named = new Set(apiSources.map(({ source }) => source))
  const missing = [...moved].filter(([source]) => !named.has(source)).map(([, location]) => location)
  if (missing.length === 0) return []
  const one = missing.length === 1 ? missing[0] : missing
  const api = value['api']
  if (api === undefined) return [{ kind: 'set', object: '', key: 'api', value: { openapi: one } }]
  // What is no object is a fault of its own, and not ours to replace.
  if (!isObject(api)) return []
  const openapi = api['openapi']
  if (openapi === undefined) return [{ kind: 'set', object: '/api', key: 'openapi', value: one }]
  if (Array.isArray(openapi)) return [{ kind: 'insert', array: '/api/openapi', index: openapi.length, values: missing }]
  return [{ kind: 'set', object: '/api', key: 'openapi', value: [openapi, ...missing] }]
}
