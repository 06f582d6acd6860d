import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { configFileNames } from '../docs-config/config-files.ts'
import { editDocsConfig, setMaterialize } from '../docs-config/edit-config.ts'
import { formatLockFile, lockFileName } from '../docs-config/lock-file.ts'
import { settingOf } from '../docs-config/project-config.ts'
import { planVirtual } from '../pages/materialize-divisions.ts'
import type { DeclaredDivision } from '../pages/types.ts'
import type { FileChange } from '../source/file-change.ts'
import { findLineEnding, withLineEndings } from '../source/file-change.ts'
import { joinPath } from '../source/relative-path.ts'
import { suggest } from '../source/suggest.ts'
import { readLineEndings } from './gather-changes.ts'
import { listDeclaredDivisions, readDocsDirectory } from './read-docs-directory.ts'
import { toDiagnostics, toPageReport } from './run-update.ts'
import { type Survey, surveyDocsDirectory } from './survey-docs-directory.ts'
import type { PageReport, UpdateEnvironment, UpdateOptions } from './types.ts'

/** The plan to make a division virtual again. Nothing is written yet. */
interface VirtualReport {
  readonly root: string
  readonly hasDocsConfig: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** Absent if the docs directory cannot be read, which is reported as a diagnostic. */
  readonly result: VirtualResult | undefined
}

export type VirtualResult =
  | { readonly kind: 'unknown'; readonly near: string | undefined; readonly known: readonly string[] }
  /** Several divisions have this label. */
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] }
  /** It has no generated pages. */
  | { readonly kind: 'virtual-already' }
  /** Its pages were adopted, not generated. */
  | { readonly kind: 'adopted' }
  /** The configuration file cannot be edited. */
  | { readonly kind: 'no-setting'; readonly reason: string }
  | {
      readonly kind: 'planned'
      readonly label: string
      readonly pages: readonly PageReport[]
      readonly removedEntries: number
      readonly config: string
      readonly changes: readonly FileChange[]
    }

/** Plans to make one division virtual again. `name` is its label or ID. */
export async function runVirtual(name: string, options: UpdateOptions, environment: UpdateEnvironment): Promise<VirtualReport> {
  const { root } = options
  const docsDirectory = await readDocsDirectory(root, environment)
  const divisions = listDeclaredDivisions(docsDirectory, [], options)
  const survey = await surveyDocsDirectory(docsDirectory, divisions, [], environment)
  const report = { root, hasDocsConfig: survey.hasDocsConfig, diagnostics: await toDiagnostics(docsDirectory.findings, survey) }
  if (!survey.docsConfig || !survey.lock) return { ...report, result: undefined }
  return { ...report, result: await planVirtualResult(name, survey, divisions, environment) }
}

async function planVirtualResult(
  name: string,
  survey: Survey,
  divisions: readonly DeclaredDivision[],
  environment: UpdateEnvironment,
): Promise<VirtualResult> {
  const { root, docsConfig, lock, stateOf, docsFiles } = survey
  const named = divisions.filter(({ id, label }) => id === name || label === name)
  const [division] = named
  if (!division) {
    const isUnique = (name: string) => divisions.filter(({ label }) => label === name).length === 1
    const known = divisions.map(({ id, label }) => (isUnique(label) ? label : id))
    return { kind: 'unknown', near: suggest(name, known), known }
  }
  if (named.length > 1) return { kind: 'ambiguous', ids: named.map(({ id }) => id) }
  const { lockedId } = division
  const sources = lock?.divisions.find(({ id }) => id === lockedId)?.sources ?? []
  if (!docsConfig || !lock || sources.length === 0) return { kind: 'virtual-already' }
  if (sources.every(({ adopted }) => adopted)) {
    const hasPages = lock.pages.some((page) => page.division === lockedId)
    return { kind: hasPages ? 'adopted' : 'virtual-already' }
  }
  const config = await planConfigChange(division, survey, divisions, environment)
  if (typeof config === 'string') return { kind: 'no-setting', reason: config }
  const plan = planVirtual({ docsConfig, lock, id: division.id, lockedId, stateOf, textOf: (path) => docsFiles.pages.get(path) })
  const lockPath = joinPath(root, lockFileName)
  const before = survey.lockText ?? ''
  const lockContent = withLineEndings(formatLockFile(plan.lock), findLineEnding([before]))
  const isNeeded = plan.lock.divisions.length > 0
  const lockChange: FileChange = isNeeded
    ? { kind: 'modify', path: lockPath, before, content: lockContent }
    : { kind: 'delete', path: lockPath, before }
  const changes: FileChange[] = [
    ...plan.outcomes.flatMap(({ path, edit }): FileChange[] => {
      return edit?.kind === 'delete' ? [{ ...edit, path: joinPath(root, path) }] : []
    }),
    ...editDocsConfig(docsConfig, plan.edits),
    ...(isNeeded && lockContent === before ? [] : [lockChange]),
    ...config.changes,
  ]
  if (changes.length === 0) return { kind: 'virtual-already' }
  return {
    kind: 'planned',
    label: division.label || division.id,
    pages: plan.outcomes.map((outcome) => toPageReport(root, outcome)),
    removedEntries: plan.removedEntries,
    config: config.path,
    changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Plans the configuration change that keeps the division virtual. Returns the reason as a string if the file cannot be edited. */
async function planConfigChange(
  { id, label }: DeclaredDivision,
  survey: Survey,
  divisions: readonly DeclaredDivision[],
  environment: UpdateEnvironment,
): Promise<{ readonly path: string; readonly changes: readonly FileChange[] } | string> {
  const { root, config } = survey
  // A label shared by several divisions would also change the others.
  const isClear = label !== '' && divisions.filter((division) => division.label === label).length === 1
  const name = isClear ? label : divisions.length > 1 ? id : undefined
  for (const fileName of configFileNames) {
    const path = joinPath(root, fileName)
    const read = await environment.files.read(path)
    if (read.kind !== 'file') continue
    const before = new TextDecoder().decode(read.bytes)
    if (!settingOf(config.materialize, { id, label })) return { path, changes: [] }
    const content = setMaterialize(before, fileName.endsWith('.json') ? 'json' : 'yaml', name, false)
    if (content === undefined) return `\`${fileName}\` has errors`
    return {
      path,
      changes:
        content === before ? [] : [{ kind: 'modify', path, before, content: withLineEndings(content, findLineEnding([before])) }],
    }
  }
  const path = joinPath(root, configFileNames[0])
  const endingOf = await readLineEndings(survey, [path], environment)
  const content = withLineEndings(setMaterialize('', 'yaml', name, false) ?? '', endingOf(path))
  return { path, changes: [{ kind: 'add', path, content }] }
}
