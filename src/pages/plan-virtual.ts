import type { JsonEdit } from '../docs/edit-json.ts'
import type { DocsConfig, LockedPage, LockedSource, LockFile } from '../docs/types.ts'
import { parentPointer, valueAtPointer } from '../text/json-pointer.ts'
import type { PageOutcome } from './plan-file-changes.ts'
import { planNavigation } from './plan-navigation.ts'
import type { LockedPageState } from './types.ts'

export interface PlanVirtualInput {
  readonly docsConfig: DocsConfig
  readonly lock: LockFile
  /** See `Division.id`, and the id that the lock file knows the division by. */
  readonly id: string
  readonly lockedId: string
  readonly stateOf: (page: LockedPage) => LockedPageState
  readonly textOf: (path: string) => string | undefined
}

export interface VirtualPlan {
  /** Of `docs.json`. */
  readonly edits: readonly JsonEdit[]
  readonly lock: LockFile
  /** One for each page that was ours, sorted by path. */
  readonly outcomes: readonly PageOutcome[]
  /** Entries that are taken out of the navigation. */
  readonly removedEntries: number
}

/**
 * Plans that the host makes the pages of a division again: the `openapi` key comes back, entries and untouched pages go. A page that was edited by
 * hand, or that others had made, stays with its entry.
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
  const rest = (locked?.sources ?? []).filter(({ adopted }) => adopted)
  const others = lock.divisions.filter((entry) => entry !== locked)
  const kept: LockFile = {
    divisions: rest.length > 0 ? [...others, { id: lockedId, sources: rest }] : others,
    pages: lock.pages.filter((page) => !isOurs(page)),
    unwritten: lock.unwritten,
  }
  const edits = [
    ...(division ? [...toEmptiedLists(docsConfig, division.pointer, navigation.edits), ...toKey(division, returning)] : []),
    ...toApi(
      docsConfig,
      returning,
      others.flatMap(({ sources }) => sources),
    ),
  ]
  return { edits, lock: kept, outcomes, removedEntries: navigation.removed }
}

function toOutcome({ stateOf, textOf }: PlanVirtualInput, page: LockedPage): PageOutcome {
  const { path, document, operation: target } = page
  const base = { path, document, target, edit: undefined, entry: undefined, movedFrom: undefined, renamedFrom: undefined }
  const state = stateOf(page)
  if (state === 'edited') return { ...base, kind: 'kept', detail: 'edited by hand, kept' }
  if (page.adopted) return { ...base, kind: 'kept', detail: 'made by others, kept' }
  if (state === 'untouched') {
    const detail = 'the host makes it again'
    return { ...base, kind: 'removed', detail, edit: { kind: 'delete', before: textOf(path) ?? '' }, entry: 'remove' }
  }
  const detail = 'was deleted by hand; the host shows it again'
  return { ...base, kind: 'unchanged', detail, entry: 'remove' }
}

/** A list of the division that has nothing left goes too. */
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
  { pointer, sources, usualDirectory }: DocsConfig['divisions'][number],
  returning: readonly LockedSource[],
): JsonEdit[] {
  const inKey = new Map(sources.map(({ source, raw }) => [source, raw]))
  const missing = returning.filter(({ source }) => !inKey.has(source))
  if (missing.length === 0) return []
  const known = returning.map(({ source, directory }) => {
    return inKey.get(source) ?? (directory === usualDirectory ? source : { source, directory })
  })
  const extra = sources.filter(({ source }) => !returning.some((entry) => entry.source === source)).map(({ raw }) => raw)
  const all = [...known, ...extra]
  return [{ kind: 'set', object: pointer, key: 'openapi', value: all.length === 1 ? all[0] : all }]
}

/** Takes documents out of `api.openapi` that stand there only since their key was moved. */
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
