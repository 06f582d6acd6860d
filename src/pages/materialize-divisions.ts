import type { JsonEdit } from '../docs-config/edit-json.ts'
import { defaultDirectory } from '../docs-config/read-divisions.ts'
import type { DocsConfig, LockedDivision, LockedPage, LockedSource, LockFile } from '../docs-config/types.ts'
import { isObject } from '../source/is-object.ts'
import { parentPointer, valueAtPointer } from '../source/json-pointer.ts'
import type { PageOutcome } from './plan-file-changes.ts'
import { planNavigation } from './plan-navigation.ts'
import type { DeclaredDivision, LockedPageState, PagePlan } from './types.ts'

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
  const named = new Set(docsConfig?.apiSources.map(({ source }) => source))
  const inUse = new Set(locked.pages.map(({ division }) => division))
  for (const division of declared) {
    const served = plan.divisions.find(({ id }) => id === division.id)?.served ?? []
    const previous = locked.before.divisions.find(({ id }) => id === division.lockedId)
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

interface PlanVirtualInput {
  readonly docsConfig: DocsConfig
  readonly lock: LockFile
  /** See `Division.id`. `lockedId` is the ID in the lock file. */
  readonly id: string
  readonly lockedId: string
  readonly stateOf: (page: LockedPage) => LockedPageState
  readonly textOf: (path: string) => string | undefined
}

interface VirtualPlan {
  /** Edits to `docs.json`. */
  readonly edits: readonly JsonEdit[]
  readonly lock: LockFile
  /** One outcome per generated page, sorted by path. */
  readonly outcomes: readonly PageOutcome[]
  /** Number of entries removed from the navigation. */
  readonly removedEntries: number
}

/**
 * Plans to make a division virtual again: its `openapi` key is restored, and entries and unmodified pages are removed.
 * Hand-edited and adopted pages are kept with their entries, and stay in the lock file, so that updates adjust their bindings.
 */
export function planVirtual(input: PlanVirtualInput): VirtualPlan {
  const { docsConfig, lock, id, lockedId } = input
  const division = docsConfig.divisions.find((entry) => entry.id === id)
  const locked = lock.divisions.find((entry) => entry.id === lockedId)
  const returning = (locked?.sources ?? []).filter(({ adopted }) => !adopted)
  const documents = new Set(returning.map(({ source }) => source))
  const isOurs = (page: LockedPage) => page.division === lockedId && documents.has(page.document)
  const outcomes = lock.pages.filter(isOurs).map((page) => toOutcome(input, page))
  const navigation = planNavigation(docsConfig, [], outcomes)
  const keptPaths = new Set(outcomes.filter(({ kind }) => kind === 'kept').map(({ path }) => path))
  const keptPages = lock.pages.filter((page) => !isOurs(page) || keptPaths.has(page.path))
  const others = lock.divisions.filter((entry) => entry !== locked)
  const sources = (locked?.sources ?? []).flatMap((entry): LockedSource | [] => {
    if (entry.adopted) return entry
    const { source, directory, order } = entry
    const hasPages = keptPages.some((page) => page.division === lockedId && page.document === source)
    return hasPages ? { source, directory, order, pending: true } : []
  })
  const keptLock: LockFile = {
    divisions: sources.length > 0 ? [...others, { id: lockedId, sources }] : others,
    pages: keptPages,
    unwritten: lock.unwritten,
  }
  const edits = [
    ...(division
      ? [...toEmptiedLists(docsConfig, division.pointer, navigation.edits), ...toKey(division, returning, docsConfig)]
      : []),
    ...toApi(
      docsConfig,
      returning,
      others.flatMap(({ sources }) => sources),
    ),
  ]
  return { edits, lock: keptLock, outcomes, removedEntries: navigation.removed }
}

function toOutcome({ stateOf, textOf }: PlanVirtualInput, page: LockedPage): PageOutcome {
  const { path, document, operation: target } = page
  const base = { path, document, target, edit: undefined, entry: undefined, movedFrom: undefined, renamedFrom: undefined }
  const state = stateOf(page)
  if (state === 'edited') return { ...base, kind: 'kept', detail: 'hand-edited, kept' }
  if (page.adopted) return { ...base, kind: 'kept', detail: 'adopted page, kept' }
  if (state === 'untouched') {
    const detail = 'now generated by the host'
    return { ...base, kind: 'removed', detail, edit: { kind: 'delete', before: textOf(path) ?? '' }, entry: 'remove' }
  }
  const detail = 'deleted manually, now generated by the host'
  return { ...base, kind: 'unchanged', detail, entry: 'remove' }
}

/** Removes lists that are empty after the edits. */
function toEmptiedLists({ value }: DocsConfig, pointer: string, edits: readonly JsonEdit[]): JsonEdit[] {
  let left = [...edits]
  for (const key of ['groups', 'pages']) {
    const array = `${pointer}/${key}`
    const list = valueAtPointer(value, array)
    const isIn = (edit: JsonEdit) => edit.kind === 'remove' && parentPointer(edit.pointer) === array
    if (!Array.isArray(list) || list.length === 0 || left.filter(isIn).length < list.length) continue
    left = [...left.filter((edit) => !isIn(edit)), { kind: 'remove', pointer: array }]
  }
  return left
}

function toKey(
  { pointer, sources }: DocsConfig['divisions'][number],
  returning: readonly LockedSource[],
  docsConfig: DocsConfig,
): JsonEdit[] {
  const inKey = new Map(sources.map(({ source, raw }) => [source, raw]))
  const missing = returning.filter(({ source }) => !inKey.has(source))
  if (missing.length === 0) return []
  const known = returning.map(({ source, directory }) => {
    // The overlays are in `api.openapi`, where the key was moved to.
    const raw = docsConfig.apiSources.find((one) => one.source === source && one.overlays)?.raw
    const overlays = isObject(raw) ? { overlays: raw['overlays'] } : {}
    const entry = { source, ...(directory === defaultDirectory ? {} : { directory }), ...overlays }
    return inKey.get(source) ?? (Object.keys(entry).length === 1 ? source : entry)
  })
  const extra = sources.filter(({ source }) => !returning.some((entry) => entry.source === source)).map(({ raw }) => raw)
  const all = [...known, ...extra]
  return [{ kind: 'set', object: pointer, key: 'openapi', value: all.length === 1 ? all[0] : all }]
}

/** Removes documents from `api.openapi` that were only added when the key was moved. */
function toApi(
  { value, apiSources }: DocsConfig,
  returning: readonly LockedSource[],
  others: readonly LockedSource[],
): JsonEdit[] {
  const needed = new Set(others.filter(({ pending }) => !pending).map(({ source }) => source))
  const going = new Set(
    returning.filter(({ source, named, pending }) => !named && !pending && !needed.has(source)).map(({ source }) => source),
  )
  const staying = apiSources.filter(({ source }) => !going.has(source))
  if (staying.length === apiSources.length) return []
  const api = valueAtPointer(value, '/api')
  const isAlone = typeof api === 'object' && api !== null && Object.keys(api).length === 1
  if (staying.length === 0) return [{ kind: 'remove', pointer: isAlone ? '/api' : '/api/openapi' }]
  const [only] = staying
  if (staying.length === 1 && only) return [{ kind: 'set', object: '/api', key: 'openapi', value: only.raw }]
  return apiSources.flatMap(({ source, pointer }) => {
    return going.has(source) ? [{ kind: 'remove', pointer: pointer.replace(/\/source$/, '') } as const] : []
  })
}
