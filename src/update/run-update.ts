import { applyRules } from '../diagnostic/apply-rules.ts'
import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { placeFindings } from '../docs/place-findings.ts'
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
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) => toDocumentReport(document, toPlaces(divisions, document.source))),
    documentFiles: listDocumentFiles(documents),
    pages,
    materialised: toMaterialised(divisions, keyMoves.materialised, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics: await toDiagnostics([...found, ...ofCaller], survey),
    changes,
    sourceOf: survey.sourceOf,
    otherBoundCount: survey.boundPages.size,
  }
}

/** Findings of a docs root as they are reported, by its settings. */
export async function toDiagnostics(found: readonly Finding[], { docsConfig, config, sourceOf }: Survey): Promise<Diagnostic[]> {
  const settings = { severities: config.rules, ignores: config.ignore }
  return await finishDiagnostics(applyRules(placeFindings(found, docsConfig), settings), sourceOf)
}

/** The files of some descriptions, each once, sorted by path. */
export function listDocumentFiles(documents: readonly Pick<ReadDocument, 'isValid' | 'files'>[]): readonly DocumentFile[] {
  const isValidByPath = new Map<string, boolean>()
  for (const { isValid, files } of documents) {
    for (const path of files) isValidByPath.set(path, isValid || isValidByPath.get(path) === true)
  }
  return [...isValidByPath].map(([path, isValid]) => ({ path, isValid })).sort((a, b) => (a.path < b.path ? -1 : 1))
}
