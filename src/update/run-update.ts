import { applyRules } from '../diagnostic/apply-rules.ts'
import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { placeFindings } from '../docs/parse-docs-config.ts'
import { toDocumentReport } from './check-documents.ts'
import { planUpdate } from './plan-update.ts'
import type { Survey } from './survey-docs-root.ts'
import { toMaterialised, toPageReport, toPlaces } from './to-reports.ts'
import type { DocumentFile, ReadDocument, UpdateEnvironment, UpdateOptions, UpdateWithSources } from './types.ts'

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
  const baseline = await findKnown(allFindings, survey, environment)
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) =>
      toDocumentReport(document, toPlaces(divisions, document.source), baseline.isKnown),
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

/** Findings of a docs root as they are reported, by its settings. */
export async function toDiagnostics(found: readonly Finding[], survey: Survey): Promise<Diagnostic[]> {
  return await finishDiagnostics(toFindings(found, survey), survey.sourceOf)
}

function toFindings(found: readonly Finding[], { docsConfig, config }: Survey): Finding[] {
  return applyRules(placeFindings(found, docsConfig), { severities: config.rules, ignores: config.ignore })
}

/** Takes out what the baseline knows. The pages of a document with known errors stay as they are all the same, unless `onError` is `operation`. */
async function findKnown(
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
export function listDocumentFiles(documents: readonly Pick<ReadDocument, 'isValid' | 'files'>[]): readonly DocumentFile[] {
  const isValidByPath = new Map<string, boolean>()
  for (const { isValid, files } of documents) {
    for (const path of files) isValidByPath.set(path, isValid || isValidByPath.get(path) === true)
  }
  return [...isValidByPath].map(([path, isValid]) => ({ path, isValid })).sort((a, b) => (a.path < b.path ? -1 : 1))
}
