import { applyRules } from '../diagnostic/apply-rules.ts'
import type { Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { placeFindings } from '../docs/place-findings.ts'
import { readRedirects } from '../docs/read-redirects.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { findMovedLinks } from '../pages/find-moved-links.ts'
import { type PageOutcome, planFileChanges } from '../pages/plan-file-changes.ts'
import { planKeyMoves } from '../pages/plan-key-moves.ts'
import { planNavigation } from '../pages/plan-navigation.ts'
import { planPages } from '../pages/plan-pages.ts'
import { type AddressMove, planRedirects } from '../pages/plan-redirects.ts'
import { isUrl, joinPath, relativePath } from '../text/relative-path.ts'
import { checkBindings } from './check-bindings.ts'
import { checkDivisions } from './check-divisions.ts'
import { toDocumentReport } from './check-documents.ts'
import { checkIgnored } from './check-ignored.ts'
import { checkEntries } from './check-navigation.ts'
import { checkSchemaNames } from './check-schema-names.ts'
import { declareAll } from './declare-all.ts'
import { gatherChanges } from './gather-changes.ts'
import { missingDocsConfig } from './missing-docs-config.ts'
import { readDocsRoot } from './read-docs-root.ts'
import { type Survey, surveyDocsRoot } from './survey-docs-root.ts'
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
  const docsRoot = await readDocsRoot(root, environment.files)
  const divisions = declareAll(docsRoot, extra, options)
  const survey = await surveyDocsRoot(docsRoot, divisions, extra, environment)
  const lock = survey.lock ?? { divisions: [], pages: [] }

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
    redirects: readRedirects(survey.docsConfig),
    renames: options.renames ?? survey.config.renames,
  })
  const files = planFileChanges({
    plan,
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    textOf: (path) => survey.docsFiles.pages.get(path),
  })
  const keyMoves = planKeyMoves(survey.docsConfig, divisions, plan, { before: lock, pages: files.lockedPages })
  const navigation = planNavigation(survey.docsConfig, plan.divisions, files.outcomes)
  const addressMoves = toAddressMoves(files.outcomes)
  const redirects = planRedirects(survey.docsConfig, addressMoves)
  const changes = gatherChanges(survey, files, [...keyMoves.edits, ...navigation.edits, ...redirects], keyMoves.divisions)

  const found = [
    ...survey.findings,
    ...bound.findings,
    ...findings,
    ...checkDivisions(survey, divisions, bound.replacementOf),
    ...checkSchemaNames(survey),
    ...checkBindings(survey, 'warning', listSettled(files.outcomes)),
    ...findMovedLinks(addressMoves, survey.docsFiles.pages, survey.docsConfig, (path) => joinPath(root, path)),
    ...navigation.orderedByHand.map((pointer) => orderKept(survey, pointer)),
    ...(await checkEntries(survey, environment.files, new Set(files.outcomes.map(({ path }) => path)))),
    ...(await checkIgnored(survey, divisions, plan, environment)),
    ...(survey.hasDocsConfig || divisions.length > 0 || extra.length > 0
      ? []
      : [await missingDocsConfig(survey, environment.files)]),
  ]
  const { rules, ignore } = docsRoot.config
  const diagnostics = await finishDiagnostics(
    applyRules(placeFindings(found, survey.docsConfig), { severities: rules, ignores: ignore }),
    survey.sourceOf,
  )
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) => toDocumentReport(document, toPlaces(divisions, document.source))),
    pages: files.outcomes.map((outcome) => toPageReport(root, outcome)),
    materialised: toMaterialised(divisions, keyMoves.materialised, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics,
    changes,
  }
}

/** The pages whose binding an update changes or takes away. */
function listSettled(outcomes: readonly PageOutcome[]): Set<string> {
  return new Set(outcomes.flatMap(({ path, edit, movedFrom }) => (edit ? [path, movedFrom ?? path] : [])))
}

function toAddressMoves(outcomes: readonly PageOutcome[]): AddressMove[] {
  const toAddress = (path: string) => `/${path.replace(/\.mdx$/, '')}`
  return outcomes.flatMap(({ path, movedFrom }) =>
    movedFrom === undefined ? [] : { from: toAddress(movedFrom), to: toAddress(path) },
  )
}

function orderKept({ docsConfig }: Survey, pointer: string): Finding {
  return {
    code: 'order-kept',
    message: 'Cannot apply the new `order` here: the entries were put in another one by hand, and stay in it',
    file: docsConfig?.source.path ?? '',
    pointer,
    on: 'key',
    hint: 'put them in the order you want; new ones go beside their siblings',
  }
}
