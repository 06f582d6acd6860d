import { toPageFolder } from '../pages/page-path.ts'
import type { PageOutcome } from '../pages/plan-file-changes.ts'
import type { DeclaredDivision, PagePlan } from '../pages/types.ts'
import { isUrl, joinPath } from '../text/relative-path.ts'
import type { MaterialisedDivision, PageReport } from './types.ts'

/** What happens to a page, as the fronts show it. */
export function toPageReport(root: string, outcome: PageOutcome): PageReport {
  const { kind, path, document, target, movedFrom, renamedFrom, detail } = outcome
  return {
    kind,
    path,
    document: isUrl(document) ? document : joinPath(root, document),
    operation: target,
    ...(movedFrom === undefined ? {} : { movedFrom }),
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    detail,
  }
}

/** Where the pages of a document go: `API Reference (api-reference/)`, or the folder alone where no division is around it. */
export function toPlaces(divisions: readonly DeclaredDivision[], source: string): string[] {
  return divisions.flatMap(({ mode, label, sources }) => {
    const found = mode === 'automatic' ? sources.find((entry) => entry.source === source) : undefined
    if (!found) return []
    const folder = `${toPageFolder(found.directory) || '.'}/`
    return label === '' ? folder : `${label} (${folder})`
  })
}

/** The divisions that have pages of ours for the first time, one for each of their documents with pages. */
export function toMaterialised(
  divisions: readonly DeclaredDivision[],
  ids: readonly string[],
  plan: PagePlan,
): MaterialisedDivision[] {
  return divisions.flatMap(({ id, label, pointer, sources }) => {
    if (!ids.includes(id)) return []
    const groups = plan.divisions.find((division) => division.id === id)?.groups ?? []
    return sources.flatMap(({ source, directory }) => {
      const pageCount = groups.filter((group) => group.source === source).reduce((sum, { pages }) => sum + pages.length, 0)
      return pageCount === 0 ? [] : { label, pointer: pointer ?? '', source, directory: toPageFolder(directory), pageCount }
    })
  })
}
