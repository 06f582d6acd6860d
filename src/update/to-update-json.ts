import { type DiagnosticJson, toDiagnosticJson } from '../diagnostic/format-json.ts'
import type { PageReport, Update } from './types.ts'

/** The object that `update --format json` prints. Its shape is a promise: fields are only ever added. */
export interface UpdateJson {
  readonly version: 1
  /** Whether any file changes, also `docs.json` and the lock file. */
  readonly changed: boolean
  /** Page files with extension, relative to the docs root. */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** Pages that have another path now; `from` is among `removed`, `to` among `added`. */
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  /** Pages whose operation has another name now. */
  readonly renamed: readonly { readonly page: string; readonly from: string; readonly to: string }[]
  /** Operations whose pages stay as they are because of errors, where others of their document are updated. */
  readonly skipped: readonly { readonly document: string; readonly operation: string }[]
  readonly diagnostics: readonly DiagnosticJson[]
}

/** An update in the shape that is promised. */
export function toUpdateJson({
  pages,
  changes,
  documents,
  diagnostics,
}: Pick<Update, 'pages' | 'changes' | 'documents' | 'diagnostics'>): UpdateJson {
  const paths = (kind: PageReport['kind']) => pages.filter((page) => page.kind === kind).map(({ path }) => path)
  const moved = pages.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : { from: movedFrom, to: path }))
  const arrivals = new Set(moved.map(({ to }) => to))
  return {
    version: 1,
    changed: changes.length > 0,
    added: [...paths('added'), ...arrivals].sort(),
    modified: paths('modified').filter((path) => !arrivals.has(path)),
    removed: [...paths('removed'), ...moved.map(({ from }) => from)].sort(),
    kept: paths('kept'),
    moved,
    renamed: pages.flatMap(({ path, operation, renamedFrom }) =>
      renamedFrom === undefined ? [] : { page: path, from: renamedFrom, to: operation },
    ),
    skipped: documents.flatMap(({ path, skipped = [] }) => skipped.map((operation) => ({ document: path, operation }))),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}
