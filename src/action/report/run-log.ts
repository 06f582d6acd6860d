import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { endGroup, error, info, notice, startGroup, warning } from '@actions/core'
import {
  countFindings,
  type Diagnostic,
  formatCount,
  formatCounts,
  renameFiles,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { type Annotation, formatText, plainPalette, toAnnotation } from '../../diagnostics/format-text.ts'
import type { Update } from '../../docs/types.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import type { annotateChanges } from '../../github/report/feedback.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { type ActionReport, hasNoPages } from './action-report.ts'

const signs = { added: '+', modified: '~', removed: '-', kept: '=', unchanged: ' ' }

/** Logs all diagnostics in a group. */
export async function logProblems(diagnostics: readonly Diagnostic[], boundary: string, title = 'Problems'): Promise<void> {
  if (diagnostics.length === 0) return
  startGroup(`${title}: ${formatCounts(countFindings(diagnostics))}`)
  const sources = await readSources(diagnostics, boundary)
  const sourceOf = (file: string) => sources.get(file)
  printText(formatText(diagnostics, { palette: plainPalette, sourceOf, all: true, lineWidth: 160 }))
  endGroup()
}

/** Logs all diagnostics and changes of a run. */
export async function logUpdate(update: Update, report: ActionReport): Promise<void> {
  const { mode, boundary, branch, commitSha, addedFiles, source } = report
  if (source) await logProblems(source.diagnostics, source.boundary)
  await logProblems(update.diagnostics, boundary, source ? `Problems in ${source.docsRepository}` : undefined)
  const changed = update.pages.filter((page) => page.kind !== 'unchanged')
  const lines = changed.map(({ kind, path, operation, detail }) => {
    return `  ${signs[kind]} ${escapeText(path)}  ${escapeText(operation)}${detail === undefined ? '' : `  (${escapeText(detail)})`}`
  })
  for (const { kind, path, origin } of update.stored ?? []) {
    lines.push(
      `  ${signs[kind]} ${escapeText(path)}  (from ${escapeText(origin.repository)}@${escapeText(origin.sha.slice(0, 7))})`,
    )
  }
  for (const path of addedFiles) lines.push(`  ~ ${escapeText(path)}  (written by an earlier step)`)
  if (lines.length > 0) printText(lines.join('\n'))
  if (mode === 'dry-run' && update.changes.length > 0) {
    printText(['Files:', ...update.changes.map(({ kind, path }) => `  ${kind.padEnd(6)} ${escapeText(path)}`)].join('\n'))
  }
  if (commitSha !== undefined) printText(`Committed ${commitSha} to ${escapeText(branch ?? '')}`)
  else if (update.changes.length + addedFiles.length === 0 && countFindings(update.diagnostics).errors === 0)
    info(hasNoPages(update) ? 'The documents have no errors' : 'All pages are up to date')
}

/**
 * Creates annotations for the most severe diagnostics, spread over the files, and then for API changes, as many as GitHub shows. Logs how
 * many problems were left out.
 *
 * @param place the folder that diagnostics are relative to, and the workspace, which annotations must be relative to.
 * @param used the number of existing annotations per level.
 */
export function annotate(
  diagnostics: readonly Diagnostic[],
  changes: ReturnType<typeof annotateChanges>,
  place: { readonly boundary: string; readonly workspace: string },
  used: { readonly [severity in Severity]: number },
): void {
  const shown = chooseAnnotations(diagnostics, used)
  const prefix = relative(resolve(place.workspace), place.boundary).split(sep).join('/')
  const toWorkspace = (file: string) => (prefix === '' || isUrl(file) ? file : `${prefix}/${file}`)
  const commands = { error, warning, notice }
  const create = ({ level, message, title, place: at }: Annotation, file: string) => {
    // GitHub cannot show an annotation at a file that does not exist.
    commands[level](message, {
      title,
      ...(at && existsSync(join(place.workspace, file)) ? { ...at, file: escapeText(file) } : {}),
    })
  }
  for (const diagnostic of renameFiles(shown, toWorkspace)) create(toAnnotation(diagnostic), diagnostic.file)
  // Changes only use what the problems leave.
  for (const level of ['error', 'warning'] as const) {
    const taken = used[level] + shown.filter(({ severity }) => severity === level).length
    const ofLevel = changes.filter(({ annotation }) => annotation.level === level)
    for (const { annotation, place: at } of ofLevel.slice(0, Math.max(0, shownPerLevel - taken)))
      create(annotation, toWorkspace(at.file))
  }
  if (shown.length < diagnostics.length) {
    info(
      `Annotations show ${formatNumber(shown.length)} of ${formatCount(diagnostics.length, 'problem')}. The group above lists all of them`,
    )
  }
}

/** GitHub shows this many annotations per level and step, and silently drops the rest. */
const shownPerLevel = 10

const severities: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Chooses at most ten diagnostics per severity for annotations, the first of each file before the second of any file. The most severe come
 * first, in their original order.
 *
 * @param used the number of existing annotations per level.
 */
export function chooseAnnotations(
  diagnostics: readonly Diagnostic[],
  used: { readonly [severity in Severity]: number },
): readonly Diagnostic[] {
  return severities.flatMap((severity) => {
    const ofSeverity = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    const left = Math.max(0, shownPerLevel - used[severity])
    const chosen = new Set(spreadOverFiles(ofSeverity).slice(0, left))
    return ofSeverity.filter((diagnostic) => chosen.has(diagnostic))
  })
}

function spreadOverFiles(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, number>()
  const ranked = diagnostics.map((diagnostic) => {
    const rank = seen.get(diagnostic.file) ?? 0
    seen.set(diagnostic.file, rank + 1)
    return { diagnostic, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ diagnostic }) => diagnostic)
}

/** Reads the files of diagnostics to show source lines. Skips unreadable files. */
async function readSources(diagnostics: readonly Diagnostic[], boundary: string): Promise<ReadonlyMap<string, SourceFile>> {
  // The clone of a docs repository is removed at the end of the run.
  if (!existsSync(boundary)) return new Map()
  const files = openDiskFiles(boundary)
  const sources = new Map<string, SourceFile>()
  for (const path of new Set(diagnostics.map(({ file }) => file))) {
    if (isUrl(path)) continue
    const result = await files.read(path)
    if (result.kind === 'file') sources.set(path, toSourceFile(path, result.bytes))
  }
  return sources
}

/**
 * Prints text to the log so that the runner never interprets a line of it as a workflow command.
 *
 * Wraps only text that could be a command in `::stop-commands::`, because these lines are visible in the log.
 * Source: "Workflow commands for GitHub Actions", "Stopping and starting workflow commands".
 */
export function printText(text: string): void {
  const block = text.endsWith('\n') ? text : `${text}\n`
  if (!couldBeCommand(block)) process.stdout.write(block)
  else {
    const token = randomUUID()
    process.stdout.write(`::stop-commands::${token}\n${block}::${token}::\n`)
  }
}

/**
 * Whether the runner could read a line as a command: the trimmed line starts with `::`, or it contains `##[`. Source: `ActionCommand` of
 * the runner. Its comparison ignores invisible characters, so this function removes them first.
 */
function couldBeCommand(text: string): boolean {
  return text.split(/[\r\n\v\f\x85\u2028\u2029]/).some((line) => {
    const visible = line.replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    return /^\s*::/.test(visible) || visible.includes('##[')
  })
}
