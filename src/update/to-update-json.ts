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
  readonly diagnostics: readonly DiagnosticJson[]
}

/** An update in the shape that is promised. */
export function toUpdateJson({ pages, changes, diagnostics }: Pick<Update, 'pages' | 'changes' | 'diagnostics'>): UpdateJson {
  const paths = (kind: PageReport['kind']) => pages.filter((page) => page.kind === kind).map(({ path }) => path)
  return {
    version: 1,
    changed: changes.length > 0,
    added: paths('added'),
    modified: paths('modified'),
    removed: paths('removed'),
    kept: paths('kept'),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}
