import { applyRules } from '../diagnostic/apply-rules.ts'
import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { placeFindings } from '../docs/place-findings.ts'
import { toDocumentReport } from './check-documents.ts'
import { planUpdate } from './plan-update.ts'
import type { Survey } from './survey-docs-root.ts'
import { toMaterialised, toPageReport, toPlaces } from './to-reports.ts'
import type { UpdateEnvironment, UpdateOptions, UpdateWithSources } from './types.ts'

/**
 * Finds out everything an update would change; writes nothing.
 *
 * The unit is the document: the pages of one that has faults stay as they are, and the others are planned. What cannot be planned is a
 * diagnostic; rejects only where the disk fails.
 */
export async function runUpdate(options: UpdateOptions, environment: UpdateEnvironment): Promise<UpdateWithSources> {
  const { root } = options
  const { survey, divisions, plan, files, keyMoves, navigation, found, changes } = await planUpdate(options, environment)
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) => toDocumentReport(document, toPlaces(divisions, document.source))),
    pages: files.outcomes.map((outcome) => toPageReport(root, outcome)),
    materialised: toMaterialised(divisions, keyMoves.materialised, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics: await toDiagnostics(found, survey),
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
