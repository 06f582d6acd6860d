import { applyRules } from '../diagnostic/apply-rules.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { planFileChanges } from '../pages/plan-file-changes.ts'
import { planKeyMoves } from '../pages/plan-key-moves.ts'
import { planNavigation } from '../pages/plan-navigation.ts'
import { planPages } from '../pages/plan-pages.ts'
import { isUrl, relativePath } from '../text/relative-path.ts'
import { checkBindings } from './check-bindings.ts'
import { checkDivisions } from './check-divisions.ts'
import { toDocumentReport } from './check-documents.ts'
import { checkIgnored } from './check-ignored.ts'
import { declareAll } from './declare-all.ts'
import { gatherChanges } from './gather-changes.ts'
import { missingDocsConfig } from './missing-docs-config.ts'
import { emptyLock, readDocsRoot } from './read-docs-root.ts'
import { rebuildLock } from './rebuild-lock.ts'
import { surveyDocsRoot } from './survey-docs-root.ts'
import { toMaterialised, toPageReport, toPlaces } from './to-reports.ts'
import type { Update, UpdateEnvironment, UpdateOptions } from './types.ts'

/**
 * Finds out everything an update would change; writes nothing.
 *
 * The unit is the document: the pages of one that has faults stay as they are, and the others are planned. What cannot be planned is a
 * diagnostic; rejects only where the disk fails.
 */
export async function runUpdate(options: UpdateOptions, environment: UpdateEnvironment): Promise<Update> {
  const { root } = options
  const extra = options.documents.map((path) => (isUrl(path) ? path : relativePath(root, path)))
  const docsRoot = await rebuildLock(await readDocsRoot(root, environment.files), options, environment)
  const divisions = declareAll(docsRoot, extra, options)
  const survey = await surveyDocsRoot(docsRoot, divisions, extra, environment)
  const lock = survey.lock ?? emptyLock

  environment.onProgress?.('planning pages')
  const bound = bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages)
  const { plan, findings } = planPages({
    divisions,
    descriptions: new Map(survey.documents.flatMap(({ source, index }) => (index ? [[source, index] as const] : []))),
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    otherPages: survey.otherPages,
    replacementOf: bound.replacementOf,
    boundPages: survey.boundPages,
    unwritten: lock.unwritten,
    addsUnlisted: () => docsRoot.config.unlisted === 'add',
    textOf: (path) => survey.docsFiles.pages.get(path),
  })
  const files = planFileChanges({
    plan,
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    textOf: (path) => survey.docsFiles.pages.get(path),
  })
  const moves = planKeyMoves(survey.docsConfig, divisions, plan, { before: lock, pages: files.lockedPages })
  const navigation = planNavigation(survey.docsConfig, plan.divisions, files.outcomes)
  const changes = gatherChanges(survey, files, [...moves.edits, ...navigation.edits], {
    divisions: moves.divisions,
    unwritten: plan.unwritten,
  })

  const found = [
    ...survey.findings,
    ...bound.findings,
    ...findings,
    ...checkDivisions(survey, divisions, bound.replacementOf),
    ...checkBindings(survey, 'warning', new Set(files.outcomes.filter(({ edit }) => edit !== undefined).map(({ path }) => path))),
    ...(await checkIgnored(survey, divisions, plan, environment)),
    ...(survey.hasDocsConfig || divisions.length > 0 || extra.length > 0
      ? []
      : [await missingDocsConfig(survey, environment.files)]),
  ]
  const { rules, ignore } = docsRoot.config
  const diagnostics = await finishDiagnostics(applyRules(found, { severities: rules, ignores: ignore }), survey.sourceOf)
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) => toDocumentReport(document, toPlaces(divisions, document.source))),
    pages: files.outcomes.map((outcome) => toPageReport(root, outcome)),
    materialised: toMaterialised(divisions, moves.materialised, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics,
    changes,
  }
}
