import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { type FileChange, findLineEnding, type LineEnding, withLineEndings } from '../../text/plain/source-file.ts'
import type { AdoptedArea } from '../adopt/plan-adoption.ts'
import { readSibling } from '../adopt/siblings.ts'
import { describePattern, type PagePattern } from '../adopt/write-like-siblings.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { lockFileName } from '../config/config-files.ts'
import { formatLockFile } from '../pages/lock-file.ts'
import { resolveBinding } from '../pages/page-bindings.ts'
import { readDocsDirectory } from '../read/read-docs-directory.ts'
import type { UpdateEnvironment, UpdateOptions } from '../types.ts'
import { adoptDocsDirectory } from './adopt-docs-directory.ts'
import { readLineEndings } from './gather-changes.ts'
import { runUpdate } from './run-update.ts'

/** The planned adoption. Nothing is written yet. Plain data with paths as in `Update`. */
export interface AdoptReport {
  readonly root: string
  readonly hasDocsConfig: boolean
  /** See `DocsDirectory`. */
  readonly configPath: string
  /** Whether `docs.json` and the lock file could be read. */
  readonly isUsable: boolean
  readonly divisions: readonly AdoptedDivisionReport[]
  /** Pages that are skipped because their binding cannot be resolved. */
  readonly unbound: readonly UnboundPage[]
  /** Number of pages already in the lock file. */
  readonly knownCount: number
  /** The changes of the next update. Normally empty. */
  readonly remaining: readonly FileChange[]
  readonly diagnostics: readonly Diagnostic[]
  /** The change of the lock file. Empty if it is up to date. */
  readonly changes: readonly FileChange[]
}

/** A page that is skipped. */
interface UnboundPage {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  /**
   * `faulty-document`: the operation was not found, but the document has errors that may hide it. `ambiguous`: several documents have the
   * operation. `unresolved`: no document has it.
   */
  readonly reason: 'faulty-document' | 'ambiguous' | 'unresolved'
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
export async function runAdopt(options: UpdateOptions, environment: UpdateEnvironment): Promise<AdoptReport> {
  const { root } = options
  const before = await readDocsDirectory(root, environment)
  const { docsDirectory, survey, adoption } = await adoptDocsDirectory(before, options, environment)
  const path = joinPath(root, lockFileName)
  const unbound = listUnbound(survey)
  // Without API pages, a lock file would only keep later updates from generating pages.
  const hasNothing = before.lockText === undefined && adoption?.lock.pages.length === 0 && unbound.length === 0
  const changes =
    adoption === undefined || hasNothing
      ? []
      : toChange(path, before.lockText, formatLockFile(adoption.lock), await readLineEndings(survey, [path], environment))
  const content = changes[0]?.kind === 'delete' ? undefined : changes[0]?.content
  const next = await runUpdate(options, { ...environment, files: withFile(environment.files, path, content) })
  return {
    root,
    hasDocsConfig: before.hasDocsConfig,
    configPath: before.configPath,
    isUsable: adoption !== undefined,
    divisions: (adoption?.areas ?? []).map((area) => toAdoptedDivisionReport(area, survey)),
    unbound,
    knownCount: docsDirectory.lockFault === undefined ? (before.lock?.pages.length ?? 0) : 0,
    remaining: next.changes,
    diagnostics: next.diagnostics,
    changes,
  }
}

function toChange(path: string, before: string | undefined, text: string, endingOf: (path: string) => LineEnding): FileChange[] {
  if (before === undefined) {
    return text.includes('"divisions": {},') ? [] : [{ kind: 'add', path, content: withLineEndings(text, endingOf(path)) }]
  }
  if (before.replaceAll('\r\n', '\n') === text) return []
  return [{ kind: 'modify', path, before, content: withLineEndings(text, findLineEnding([before])) }]
}

function withFile(files: Files, path: string, content: string | undefined): Files {
  if (content === undefined) return files
  const bytes = new TextEncoder().encode(content)
  return { ...files, read: async (other) => (other === path ? { kind: 'file', bytes } : await files.read(other)) }
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

const reasons = new Map<string, UnboundPage['reason']>([
  ['unknown', 'faulty-document'],
  ['ambiguous', 'ambiguous'],
])

function listUnbound({ readings, boundPages, lock, documents }: Survey): UnboundPage[] {
  const recorded = new Set((lock?.pages ?? []).map(({ path }) => path))
  return [...readings].flatMap(([path, reading]): UnboundPage[] => {
    if (reading.kind !== 'bound' || boundPages.has(path) || recorded.has(path)) return []
    const { kind } = resolveBinding(reading.binding, documents)
    return [{ path, reason: reasons.get(kind) ?? 'unresolved' }]
  })
}
