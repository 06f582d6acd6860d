import { applyRules } from '../diagnostics/apply-rules.ts'
import type { Diagnostic, Finding } from '../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../diagnostics/finish-diagnostics.ts'
import { lockFileName } from '../docs-config/lock-file.ts'
import { placeFindings } from '../docs-config/parse-docs-config.ts'
import { configFileNames } from '../docs-config/project-config.ts'
import { toPageFolder } from '../pages/page-path.ts'
import type { PageOutcome } from '../pages/plan-file-changes.ts'
import type { DeclaredDivision, PagePlan } from '../pages/types.ts'
import { isUrl, joinPath } from '../source/relative-path.ts'
import { toDocumentReport } from './check-documents.ts'
import { planUpdate } from './plan-update.ts'
import type { Survey } from './survey-docs-directory.ts'
import type {
  DocumentFile,
  MaterialisedDivision,
  PageReport,
  ReadDocument,
  Update,
  UpdateEnvironment,
  UpdateOptions,
  UpdateWithSources,
} from './types.ts'

/**
 * Finds out everything an update would change; writes nothing.
 *
 * The unit is the document: the pages of one that has faults stay as they are, and the others are planned. What cannot be planned is a
 * diagnostic; rejects only where the disk fails.
 */
export async function runUpdate(options: UpdateOptions, environment: UpdateEnvironment): Promise<UpdateWithSources> {
  const { root } = options
  const { survey, divisions, plan, files, keyMoves, navigation, found, changes } = await planUpdate(options, environment)
  const pages = files.outcomes.map((outcome) => toPageReport(root, outcome))
  const documents = survey.documents.map(({ path, isValid, description, check }) => {
    return { path, isValid, description, files: [...check.sources.keys()] }
  })
  const ofCaller = (await environment.checkDocuments?.(documents, pages)) ?? []
  const allFindings = toFindings([...found, ...ofCaller], survey)
  const baseline = await applyBaseline(allFindings, survey, environment)
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) =>
      toDocumentReport(document, describePageLocations(divisions, document.source), baseline.isKnown),
    ),
    documentFiles: listDocumentFiles(documents),
    pages,
    materialised: toMaterialised(divisions, keyMoves.materialised, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics: await finishDiagnostics(baseline.left, survey.sourceOf),
    changes,
    sourceOf: survey.sourceOf,
    otherBoundCount: survey.boundPages.size,
  }
}

/** Findings of a docs directory as they are reported, by its settings. */
export async function toDiagnostics(found: readonly Finding[], survey: Survey): Promise<Diagnostic[]> {
  return await finishDiagnostics(toFindings(found, survey), survey.sourceOf)
}

function toFindings(found: readonly Finding[], { docsConfig, config }: Survey): Finding[] {
  return applyRules(placeFindings(found, docsConfig), { severities: config.rules, ignores: config.ignore })
}

/** Takes out what the baseline knows. The pages of a document with known errors stay as they are all the same, unless `onError` is `operation`. */
async function applyBaseline(
  findings: readonly Finding[],
  { config, documents }: Survey,
  environment: UpdateEnvironment,
): Promise<{ readonly left: readonly Finding[]; readonly isKnown: (finding: Finding) => boolean }> {
  if (config.baseline === undefined) return { left: findings, isKnown: () => false }
  const { useBaseline } = await import('./use-baseline.ts')
  const parsed = new Map(documents.flatMap(({ check }) => [...check.documents]))
  const use = { path: config.baseline, findings, documents: parsed, covers: () => false, reportsFixed: false }
  const { isKnown, findings: about } = await useBaseline(use, environment)
  const blocks = documents.some((document) => !document.isValid && !document.affected && document.findings.some(isKnown))
  const hint =
    'pages of a document with known errors are not updated; set `update.onError: operation` to update those that no error affects'
  const explained = about.map((finding) => (blocks && finding.code === 'baseline-known' ? { ...finding, hint } : finding))
  return { left: [...findings.filter((finding) => !isKnown(finding)), ...explained], isKnown }
}

/** The files of some descriptions, each once, sorted by path. */
function listDocumentFiles(documents: readonly Pick<ReadDocument, 'isValid' | 'files'>[]): readonly DocumentFile[] {
  const isValidByPath = new Map<string, boolean>()
  for (const { isValid, files } of documents) {
    for (const path of files) isValidByPath.set(path, isValid || isValidByPath.get(path) === true)
  }
  return [...isValidByPath].map(([path, isValid]) => ({ path, isValid })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Several docs directories as one update, for reports that show a run as a whole; one alone stays as it is.
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
      .flatMap(({ root, pages }) => pages.map((page) => prefixPaths(root, page)))
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

function prefixPaths(root: string, page: PageReport): PageReport {
  const path = joinPath(root, page.path)
  return page.movedFrom === undefined ? { ...page, path } : { ...page, path, movedFrom: joinPath(root, page.movedFrom) }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

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
export function describePageLocations(divisions: readonly DeclaredDivision[], source: string): string[] {
  return divisions.flatMap(({ mode, label, sources }) => {
    const found = mode === 'automatic' ? sources.find((entry) => entry.source === source) : undefined
    if (!found) return []
    const folder = `${toPageFolder(found.directory) || '.'}/`
    return label === '' ? folder : `${label} (${folder})`
  })
}

/** The divisions that have pages of ours for the first time, one for each of their documents with pages. */
function toMaterialised(divisions: readonly DeclaredDivision[], ids: readonly string[], plan: PagePlan): MaterialisedDivision[] {
  return divisions.flatMap(({ id, label, pointer, sources }) => {
    if (!ids.includes(id)) return []
    const groups = plan.divisions.find((division) => division.id === id)?.groups ?? []
    return sources.flatMap(({ source, directory }) => {
      const pageCount = groups.filter((group) => group.source === source).reduce((sum, { pages }) => sum + pages.length, 0)
      return pageCount === 0 ? [] : { label, pointer: pointer ?? '', source, directory: toPageFolder(directory), pageCount }
    })
  })
}

/** The file whose navigation an update changes, relative to the boundary: the `docs.json`, `mint.json`, or a file that a `$ref` of it names. */
export function findEditedConfig({ changes, pages, root }: Pick<Update, 'changes' | 'pages' | 'root'>): string | undefined {
  const others = new Set([
    ...[lockFileName, ...configFileNames].map((name) => joinPath(root, name)),
    ...pages.map(({ path }) => joinPath(root, path)),
  ])
  return changes.find(({ path }) => path.endsWith('.json') && !others.has(path))?.path
}
