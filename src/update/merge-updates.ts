import { joinPath } from '../text/relative-path.ts'
import { listDocumentFiles } from './run-update.ts'
import type { PageReport, Update } from './types.ts'

/**
 * Several docs roots as one update, for reports that show a run as a whole; one alone stays as it is.
 *
 * Paths of pages and folders are relative to the boundary then.
 */
export function mergeUpdates(updates: readonly Update[]): Update | undefined {
  const [first, ...others] = updates
  if (!first || others.length === 0) return first
  return {
    root: '',
    hasDocsConfig: updates.some((update) => update.hasDocsConfig),
    documents: updates.flatMap((update) => update.documents),
    documentFiles: listDocumentFiles(
      updates.flatMap(({ documentFiles }) => documentFiles.map(({ path, isValid }) => ({ files: [path], isValid }))),
    ),
    pages: updates
      .flatMap(({ root, pages }) => pages.map((page) => moveInto(root, page)))
      .sort((a, b) => compare(a.path, b.path)),
    materialised: updates.flatMap(({ root, materialised }) =>
      materialised.map((division) => ({ ...division, directory: joinPath(root, division.directory) })),
    ),
    navigation: {
      added: updates.reduce((sum, { navigation }) => sum + navigation.added, 0),
      removed: updates.reduce((sum, { navigation }) => sum + navigation.removed, 0),
    },
    diagnostics: updates.flatMap((update) => update.diagnostics),
    changes: updates.flatMap((update) => update.changes).sort((a, b) => compare(a.path, b.path)),
  }
}

function moveInto(root: string, page: PageReport): PageReport {
  const path = joinPath(root, page.path)
  return page.movedFrom === undefined ? { ...page, path } : { ...page, path, movedFrom: joinPath(root, page.movedFrom) }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
