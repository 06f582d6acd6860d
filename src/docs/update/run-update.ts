import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import { applyRules, finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { ConfigError } from '../../text/errors.ts'
import { compareText } from '../../text/plain/lists.ts'
import { baseName, joinPath } from '../../text/plain/paths.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { toDocumentReport } from '../check/check-documents.ts'
import { addOrganizationFindings } from '../check/organization-findings.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { configFileNames, lockFileName } from '../config/config-files.ts'
import { locateFindings } from '../navigation/parse-docs-config.ts'
import { toPageFolder } from '../pages/page-path.ts'
import type { DeclaredDivision, PagePlan } from '../pages/types.ts'
import type { PageOutcome } from '../plan/plan-file-changes.ts'
import type {
  DocumentFile,
  MaterializedDivision,
  PageReport,
  ReadDocument,
  Update,
  UpdateEnvironment,
  UpdateOptions,
  UpdateWithSources,
} from '../types.ts'
import { planUpdate } from './plan-update.ts'

/**
 * Plans an update. Writes nothing.
 *
 * Documents are independent: the pages of a document with errors are not updated, all others are. Rejects only on disk errors.
 */
export async function runUpdate(options: UpdateOptions, environment: UpdateEnvironment): Promise<UpdateWithSources> {
  const { root } = options
  const planned = await planUpdate(options, environment)
  const { survey, divisions, plan, files, keyMoves, navigation, found, changes, stored } = planned
  const pages = files.outcomes.map((outcome) => toPageReport(root, outcome))
  const documents = survey.documents.map(({ path, isValid, description, check }) => {
    return { path, isValid, description, files: [...check.sources.keys()] }
  })
  const callerFindings = (await environment.checkDocuments?.(documents, pages)) ?? []
  const allFindings = toFindings([...found, ...callerFindings], survey)
  const baseline = await applyBaseline(allFindings, survey, environment)
  const { left, added, organizationFindings } = await addOrganizationFindings(baseline.left, survey.documents, environment)
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    configPath: survey.configPath,
    documents: survey.documents.map((document) =>
      toDocumentReport(document, describePageLocations(divisions, document.source), baseline.isKnown, added.get(document)),
    ),
    documentFiles: listDocumentFiles(documents),
    pages,
    materialized: toMaterialized(divisions, keyMoves.materialized, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics: await finishDiagnostics(left, survey.sourceOf),
    changes,
    ...(options.stored === undefined ? {} : { stored }),
    ...(organizationFindings && { organizationFindings }),
    sourceOf: survey.sourceOf,
    otherBoundCount: survey.boundPages.size,
    deletedCount: files.lockedPages.filter(({ hash }) => hash === undefined).length,
  }
}

/**
 * Plans the updates of several docs directories, whose changes are written together.
 *
 * @throws {ConfigError} if two of them change the same file.
 */
export async function runUpdates(
  roots: readonly string[],
  options: Omit<UpdateOptions, 'root'>,
  environment: UpdateEnvironment,
): Promise<readonly UpdateWithSources[]> {
  const planned: UpdateWithSources[] = []
  const rootOf = new Map<string, string>()
  for (const root of roots) {
    const update = await runUpdate({ ...options, root }, environment)
    for (const { path } of update.changes) {
      const other = rootOf.get(path)
      if (other !== undefined) {
        const message = `Cannot update \`${path}\`: the docs directories \`${other || '.'}\` and \`${root || '.'}\` both generate it`
        throw new ConfigError(message, {
          hint: 'Use a different `directory` for their divisions, or name only one of the docs directories',
        })
      }
      rootOf.set(path, root)
    }
    planned.push(update)
  }
  return planned
}

/** Completes diagnostics with the settings of the docs directory. */
export async function toDiagnostics(found: readonly Finding[], survey: Survey): Promise<Diagnostic[]> {
  return await finishDiagnostics(toFindings(found, survey), survey.sourceOf)
}

function toFindings(found: readonly Finding[], { docsConfig, config }: Survey): Finding[] {
  return applyRules(locateFindings(found, docsConfig), { severities: config.rules, ignores: config.ignore })
}

/** Removes diagnostics listed in the baseline. Documents with known errors are still not updated, unless `onError` is `operation`. */
async function applyBaseline(
  findings: readonly Finding[],
  { config, documents }: Survey,
  environment: UpdateEnvironment,
): Promise<{ readonly left: readonly Finding[]; readonly isKnown: (finding: Finding) => boolean }> {
  if (config.baseline === undefined) return { left: findings, isKnown: () => false }
  const { useBaseline } = await import('../check/use-baseline.ts')
  const parsed = new Map(documents.flatMap(({ check }) => [...check.documents]))
  const use = { path: config.baseline, findings, documents: parsed, covers: () => false, reportsFixed: false }
  const { isKnown, findings: baselineFindings } = await useBaseline(use, environment)
  const blocks = documents.some((document) => !document.isValid && !document.affected && document.findings.some(isKnown))
  const hint =
    'Documents with known errors are not updated. To update the pages of unaffected operations, set `update.onError: operation`'
  const explained = baselineFindings.map((finding) =>
    blocks && finding.code === 'baseline-known' ? { ...finding, hint } : finding,
  )
  return { left: [...findings.filter((finding) => !isKnown(finding)), ...explained], isKnown }
}

/** Lists the files of descriptions without duplicates, sorted by path. */
function listDocumentFiles(documents: readonly Pick<ReadDocument, 'isValid' | 'files'>[]): readonly DocumentFile[] {
  const isValidByPath = new Map<string, boolean>()
  for (const { isValid, files } of documents) {
    for (const path of files) isValidByPath.set(path, isValid || isValidByPath.get(path) === true)
  }
  return [...isValidByPath].map(([path, isValid]) => ({ path, isValid })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Merges the updates of several docs directories for reports about the whole run. Returns a single update unchanged.
 *
 * In a merged update, paths of pages and folders are relative to the boundary.
 */
export function mergeUpdates(updates: readonly Update[]): Update | undefined {
  const [first, ...others] = updates
  if (!first || others.length === 0) return first
  return {
    root: '',
    hasDocsConfig: updates.some((update) => update.hasDocsConfig),
    configPath: baseName(first.configPath),
    documents: updates.flatMap((update) => update.documents),
    documentFiles: listDocumentFiles(
      updates.flatMap(({ documentFiles }) => documentFiles.map(({ path, isValid }) => ({ files: [path], isValid }))),
    ),
    pages: updates
      .flatMap(({ root, pages }) => pages.map((page) => prefixPaths(root, page)))
      .sort((a, b) => compareText(a.path, b.path)),
    materialized: updates.flatMap(({ root, materialized }) =>
      materialized.map((division) => ({ ...division, directory: joinPath(root, division.directory) })),
    ),
    navigation: {
      added: updates.reduce((sum, { navigation }) => sum + navigation.added, 0),
      removed: updates.reduce((sum, { navigation }) => sum + navigation.removed, 0),
    },
    diagnostics: updates.flatMap((update) => update.diagnostics),
    changes: updates.flatMap((update) => update.changes).sort((a, b) => compareText(a.path, b.path)),
    ...(updates.some(({ stored }) => stored) ? { stored: updates.flatMap(({ stored = [] }) => stored) } : {}),
  }
}

function prefixPaths(root: string, page: PageReport): PageReport {
  const path = joinPath(root, page.path)
  return page.movedFrom === undefined ? { ...page, path } : { ...page, path, movedFrom: joinPath(root, page.movedFrom) }
}

/** Converts the planned outcome of a page for reports. */
function toPageReport(root: string, outcome: PageOutcome): PageReport {
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

/** Describes where the pages of a document go: `API Reference (api-reference/)`, `Webhooks (virtual)`, or only the folder if there is no division. */
export function describePageLocations(divisions: readonly DeclaredDivision[], source: string): string[] {
  return divisions.flatMap(({ mode, label, sources }) => {
    const found = sources.find((entry) => entry.source === source)
    if (!found || mode === 'listed') return []
    if (mode === 'virtual') return label === '' ? [] : `${label} (virtual)`
    const folder = `${toPageFolder(found.directory) || '.'}/`
    return label === '' ? folder : `${label} (${folder})`
  })
}

/** Lists divisions whose pages are generated for the first time, one entry per document. */
function toMaterialized(divisions: readonly DeclaredDivision[], ids: readonly string[], plan: PagePlan): MaterializedDivision[] {
  return divisions.flatMap(({ id, label, pointer, sources }) => {
    if (!ids.includes(id)) return []
    const groups = plan.divisions.find((division) => division.id === id)?.groups ?? []
    return sources.flatMap(({ source, directory }) => {
      const pageCount = groups.filter((group) => group.source === source).reduce((sum, { pages }) => sum + pages.length, 0)
      return pageCount === 0 ? [] : { label, pointer: pointer ?? '', source, directory: toPageFolder(directory), pageCount }
    })
  })
}

/** Returns the file whose navigation an update changes, relative to the boundary: `docs.json`, `mint.json`, or a file referenced by it. */
export function findEditedConfig({
  changes,
  pages,
  root,
  stored = [],
}: Pick<Update, 'changes' | 'pages' | 'root' | 'stored'>): string | undefined {
  const others = new Set([
    ...stored.map(({ path }) => path),
    ...[lockFileName, ...configFileNames].map((name) => joinPath(root, name)),
    ...pages.map(({ path }) => joinPath(root, path)),
  ])
  return changes.find(({ path }) => path.endsWith('.json') && !others.has(path))?.path
}
