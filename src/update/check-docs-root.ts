import { applyRules } from '../diagnostic/apply-rules.ts'
import type { Finding } from '../diagnostic/diagnostic.ts'
import { placeFindings } from '../docs/parse-docs-config.ts'
import { defaultDirectory } from '../docs/read-divisions.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import type { SourceFile } from '../text/source-file.ts'
import { checkBindings } from './check-bindings.ts'
import type { CheckedDocument } from './check-documents.ts'
import { checkEntries, checkLeftOut } from './check-navigation.ts'
import { declareAll } from './declare-all.ts'
import { missingDocsConfig } from './missing-docs-config.ts'
import { overrideRules } from './override-rules.ts'
import { readDocsRoot } from './read-docs-root.ts'
import { surveyDocsRoot } from './survey-docs-root.ts'
import type { UpdateEnvironment } from './types.ts'

/** What a check of a docs root found; `sourceOf` gives the files its findings stand in. */
export interface DocsRootCheck {
  readonly documents: readonly CheckedDocument[]
  /** See `Config.baseline`. */
  readonly baseline: string | undefined
  readonly findings: readonly Finding[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Checks every document that a docs root names and every page bound to them. */
export async function checkDocsRoot(root: string, environment: UpdateEnvironment): Promise<DocsRootCheck> {
  const asRead = await readDocsRoot(root, environment)
  const docsRoot = { ...asRead, config: overrideRules(asRead.config, environment.rules) }
  const divisions = declareAll(docsRoot, [], { directory: defaultDirectory })
  const survey = await surveyDocsRoot(docsRoot, divisions, [], environment)
  const findings = [
    ...survey.findings,
    ...checkBindings(survey, 'error', new Set()),
    ...(await checkEntries(survey, environment.files, new Set())),
    ...checkLeftOut(survey),
    ...(survey.hasDocsConfig ? [] : [await missingDocsConfig(survey, environment.files)]),
    ...bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages).findings,
  ]
  const { rules, ignore } = docsRoot.config
  return {
    documents: survey.documents,
    baseline: docsRoot.config.baseline,
    findings: applyRules(placeFindings(findings, survey.docsConfig), { severities: rules, ignores: ignore }),
    sourceOf: survey.sourceOf,
  }
}
