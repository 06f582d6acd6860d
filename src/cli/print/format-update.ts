import { formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import type { Palette } from '../../diagnostics/format-text.ts'
import type { PageReport } from '../../docs/pages/subjects.ts'
import type { DocumentReport, Update } from '../../docs/types.ts'
import { findEditedConfig } from '../../docs/update/run-update.ts'
import { displayWidth, escapeText } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { quoteForShell } from '../base/command-line.ts'
import { describeDocument } from './check-summary.ts'

export interface UpdateFormatOptions {
  readonly palette: Palette
  /** Converts a path relative to the boundary to one relative to the working directory. */
  readonly toShown: (path: string) => string
  /** List every page instead of the first twenty of each kind. */
  readonly all: boolean
  /** Whether the changes were written, not only planned. */
  readonly isWritten: boolean
}

const listedPages = 20
/** Longer paths do not widen the column. */
const widestPath = 72

const signs: { readonly [kind in PageReport['kind']]: string } = {
  added: '+',
  modified: '~',
  removed: '−',
  kept: '=',
  unchanged: ' ',
}

/** Formats where the pages of each document go and every page that changes. Empty if there is nothing to show. */
export function formatUpdate(update: Update, options: UpdateFormatOptions): string {
  const blocks = [formatDocuments(update, options), formatPages(update, options), formatMaterialized(update, options)]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

/** The commands that write the changes of docs directories, as Markdown. */
export function renderUpdateCommands(
  directories: readonly { readonly root: string; readonly changes: readonly unknown[] }[],
  toShown: (path: string) => string,
): string {
  const folders = directories.filter(({ changes }) => changes.length > 0).map(({ root }) => toShown(root))
  return folders.map((folder) => `\`openapi-pages update${folder === '.' ? '' : ` ${quoteForShell(folder)}`}\``).join(', ')
}

/** `1 page added, 2 changed, 1 removed, 1 kept, 10 unchanged`, without zero counts. */
export function countPages(pages: readonly PageReport[]): string {
  const labels = { added: 'added', modified: 'changed', removed: 'removed', kept: 'kept', unchanged: 'unchanged' } as const
  const counts = Object.entries(labels).map(([kind, label]) => ({
    label,
    count: pages.filter((page) => page.kind === kind).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .map(({ label, count }, index) => `${index === 0 ? formatCount(count, 'page') : formatNumber(count)} ${label}`)
    .join(', ')
}

function formatDocuments({ documents }: Update, { palette, toShown }: UpdateFormatOptions): string[] {
  const width = Math.max(0, ...documents.map(({ path }) => toShown(path).length))
  return documents.map((document) => {
    const path = palette.strong(escapeText(toShown(document.path)).padEnd(width))
    const divisions = document.divisions.map(escapeText).join(', ')
    const target = `${describeDocument(document)}${divisions === '' ? '' : ` → ${divisions}`}`
    return `${path}   ${document.valid ? target : palette.error(describeInvalid(document))}`.trimEnd()
  })
}

function describeInvalid(document: DocumentReport): string {
  const { errorCount: errors, warningCount: warnings, infoCount: infos, knownCount = 0, skipped } = document
  const known = knownCount === 0 ? [] : [formatCount(knownCount, 'known problem')]
  const found = errors + warnings + infos > 0 || knownCount === 0 ? [formatCounts({ errors, warnings, infos })] : []
  const counts = [...found, ...known].join(' and ')
  if (skipped === undefined) return `${counts}, pages not updated`
  const all = document.operationCount + document.webhookCount
  return `${counts}, ${formatNumber(skipped.length)} of ${formatCount(all, 'operation')} skipped`
}

/** Lists every page that changes or is kept, and `docs.json` if it changes. */
function formatPages(
  update: Pick<Update, 'root' | 'pages' | 'changes' | 'navigation' | 'stored'>,
  { palette, toShown, all }: UpdateFormatOptions,
): string[] {
  const pages = update.pages.filter(({ kind }) => kind !== 'unchanged')
  const colors = {
    added: palette.success,
    modified: palette.warning,
    removed: palette.error,
    kept: palette.dim,
    unchanged: palette.dim,
  }
  const seen = new Map<PageReport['kind'], number>()
  const shown = pages.filter(({ kind }) => {
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    return all || (seen.get(kind) ?? 0) <= listedPages
  })
  const stored = (update.stored ?? []).map(({ kind, path, origin }) => ({
    kind,
    path: escapeText(toShown(path)),
    note: escapeText(`from ${origin.repository}@${origin.sha.slice(0, 7)}`),
  }))
  const rows = [
    ...stored,
    ...shown.map(({ kind, path, operation, detail }) => ({
      kind,
      path: escapeText(toShown(joinPath(update.root, path))),
      note: escapeText(detail ?? operation),
    })),
  ]
  const edited = findEditedConfig(update)
  const docsConfig = escapeText(toShown(edited ?? ''))
  const width = Math.min(widestPath, Math.max(displayWidth(docsConfig), ...rows.map(({ path }) => displayWidth(path))))
  const pad = (path: string) => `${path}${' '.repeat(Math.max(0, width - displayWidth(path)))}   `
  const lines = rows.map(({ kind, path, note }) => `  ${colors[kind](`${signs[kind]} ${pad(path)}`)}${note}`.trimEnd())
  const left = pages.length - shown.length
  if (left > 0) lines.push(palette.dim(`  … and ${formatCount(left, 'more page')} (use --all to show them)`))
  if (edited !== undefined) lines.push(`  ${palette.warning('~')} ${pad(docsConfig)}${describeNavigation(update)}`)
  return lines
}

function describeNavigation({ navigation: { added, removed } }: Pick<Update, 'navigation'>): string {
  const entries = (count: number) => formatCount(count, 'entry', 'entries')
  const parts: string[] = []
  if (added > 0) parts.push(`${entries(added)} added`)
  if (removed > 0) parts.push(`${added > 0 ? formatNumber(removed) : entries(removed)} removed`)
  return parts.length === 0 ? 'changed' : parts.join(', ')
}

/** Announces each division whose pages are written to the repository for the first time. */
function formatMaterialized(
  { materialized, root, configPath }: Update,
  { palette, toShown, isWritten }: UpdateFormatOptions,
): string[] {
  if (materialized.length === 0) return []
  const lines = materialized.map(({ label, directory, pageCount }) => {
    const folder = escapeText(toShown(joinPath(root, directory)))
    const pages = `the ${formatCount(pageCount, 'page')} of ${label === '' ? 'the navigation' : `"${escapeText(label)}"`}`
    return `${palette.info('new:')} ${pages} ${isWritten ? (pageCount === 1 ? 'is now' : 'are now') : 'would become'} ${pageCount === 1 ? 'a file' : 'files'} in ${folder}/`
  })
  const config = escapeText(toShown(configPath))
  const undo = isWritten ? 'revert this change and ' : ''
  return [...lines, `     To let the docs host generate them instead, ${undo}set \`materialize: false\` in ${config}.`]
}
