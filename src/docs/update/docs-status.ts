import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { changedFiles } from '../../files/files.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { readSibling } from '../adopt/adopted-operations.ts'
import type { AdoptedArea } from '../adopt/plan-adoption.ts'
import { describePattern, type PagePattern } from '../adopt/write-like-siblings.ts'
import { toDocumentReport } from '../check/check-documents.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { lockFileName } from '../config/config-files.ts'
import { formatLockFile, toLockFileChange } from '../pages/lock-file.ts'
import { readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckTerms, DocsAccess, PageRow, Reporting, Update, UpdateOptions } from '../types.ts'
import { readLineEndings } from './gather-changes.ts'
import { listOtherPages } from './page-table.ts'
import { adoptDocsDirectory, applyBaseline, describePageLocations, planUpdate, runUpdate } from './run-update.ts'

/** The page status of a docs directory. Plain data. Paths of pages are relative to the docs directory. */
export interface StatusReport extends Pick<Update, 'root' | 'hasDocsConfig' | 'documents' | 'diagnostics'> {
  /** See `listPageRows`. */
  readonly table: readonly PageRow[]
  /** Files that an update would change, relative to the boundary. */
  readonly changes: readonly string[]
}

/** Determines the page status of a docs directory. Writes nothing. */
export async function runStatus(
  options: UpdateOptions,
  access: DocsAccess,
  terms: CheckTerms = {},
  { onProgress }: Reporting = {},
): Promise<StatusReport> {
  const { survey, divisions, changes, found, rows: table } = await planUpdate(options, access, terms, onProgress)
  const { left, isKnown } = await applyBaseline(found, survey, access.files)
  return {
    root: options.root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) =>
      toDocumentReport(document, describePageLocations(divisions, document.source), isKnown),
    ),
    table,
    changes: changes.map(({ path }) => path),
    diagnostics: await finishDiagnostics(left, survey.sourceOf),
  }
}

/** The planned adoption, which changes only the lock file. Nothing is written yet. Plain data with paths as in `Update`. */
export interface AdoptReport
  extends Pick<Update, 'root' | 'hasDocsConfig' | 'configPath' | 'documents' | 'diagnostics' | 'changes'> {
  /** Whether `docs.json` and the lock file could be read. */
  readonly isUsable: boolean
  readonly divisions: readonly AdoptedDivisionReport[]
  /** The rows of pages that are skipped because their binding cannot be resolved. */
  readonly unbound: readonly PageRow[]
  /** Number of pages already in the lock file. */
  readonly knownCount: number
  /** The changes of the next update. Normally empty. */
  readonly remaining: readonly FileChange[]
}

/** The adopted pages of one document in one division. */
export interface AdoptedDivisionReport extends Omit<AdoptedArea, 'pages'> {
  readonly pages: readonly {
    /** Relative to the docs directory, with extension. */
    readonly path: string
    readonly operation: string
    /** Whether the page has hand-written text, so that it is kept when its operation is removed. */
    readonly isKept: boolean
  }[]
  /** Absent if the pages are not bound to operations. */
  readonly pattern: PagePattern | undefined
}

/**
 * Plans the adoption of the pages of a docs directory. Writes nothing.
 *
 * Also plans the next update, which normally changes nothing.
 */
export async function runAdopt(
  options: UpdateOptions,
  access: DocsAccess,
  terms: CheckTerms = {},
  { onProgress }: Reporting = {},
): Promise<AdoptReport> {
  const { root } = options
  const before = await readDocsDirectory(root, access)
  const { docsDirectory, survey, adoption } = await adoptDocsDirectory(before, options, access, terms, onProgress)
  const unbound = listOtherPages(survey).filter(({ state }) => state === 'error')
  // Without API pages, a lock file would only keep later updates from generating pages.
  const hasNothing = before.lockText === undefined && adoption?.lock.pages.length === 0 && unbound.length === 0
  const endingOf = await readLineEndings(survey, [joinPath(root, lockFileName)], access.git)
  const isNeeded = before.lockText !== undefined || (adoption?.lock.divisions.length ?? 0) > 0
  const change =
    adoption === undefined || hasNothing ? undefined : toLockFileChange(before, formatLockFile(adoption.lock), isNeeded, endingOf)
  const changes = change ? [change] : []
  const next = await runUpdate(options, { ...access, files: changedFiles(access.files, changes) }, terms, { onProgress })
  return {
    root,
    hasDocsConfig: before.hasDocsConfig,
    configPath: before.configPath,
    isUsable: adoption !== undefined,
    divisions: (adoption?.areas ?? []).map((area) => toAdoptedDivisionReport(area, survey)),
    unbound,
    knownCount: docsDirectory.lockFault === undefined ? (before.lock?.pages.length ?? 0) : 0,
    remaining: next.changes,
    documents: next.documents,
    diagnostics: next.diagnostics,
    changes,
  }
}

function toAdoptedDivisionReport({ pages, ...area }: AdoptedArea, { docsFiles, documents }: Survey): AdoptedDivisionReport {
  const index = documents.find(({ source }) => source === area.source)?.index
  const siblings = pages.flatMap((page) => {
    const subject = index?.byTarget.get(page.operation)
    return subject ? (readSibling(page, docsFiles.pages.get(page.path) ?? '', subject) ?? []) : []
  })
  return {
    ...area,
    pages: pages.map(({ path, operation, keep }) => ({ path, operation, isKept: keep === true })),
    pattern: describePattern(siblings),
  }
}
