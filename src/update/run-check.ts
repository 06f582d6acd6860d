import type { Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { defaultDirectory } from '../docs/parse-openapi-value.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import { isUrl } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { checkBindings } from './check-bindings.ts'
import { createDocumentChecks, toDocumentReport } from './check-documents.ts'
import { declareAll } from './declare-all.ts'
import { missingDocsConfig } from './missing-docs-config.ts'
import { readDocsRoot } from './read-docs-root.ts'
import { surveyDocsRoot } from './survey-docs-root.ts'
import type { CheckReport, DocumentReport, UpdateEnvironment } from './types.ts'

export interface CheckOptions {
  /** Documents (paths relative to the boundary, or URLs), or docs roots (folders with a `docs.json`; `''` is the boundary). */
  readonly entries: readonly string[]
}

/**
 * Checks documents, and for a docs root every document named there and every page bound to them.
 *
 * Never rejects but where the disk fails: an entry that cannot be read is a finding at its first line.
 */
export async function runCheck({ entries }: CheckOptions, environment: UpdateEnvironment): Promise<CheckReport> {
  const documents: DocumentReport[] = []
  const findings: Finding[] = []
  const lookups: ((file: string) => SourceFile | undefined)[] = []
  const alone = createDocumentChecks('', environment)
  lookups.push((file) => alone.sources.get(file))
  for (const entry of entries) {
    if (isUrl(entry) || (await environment.files.read(entry)).kind !== 'folder') {
      const isNew = !alone.documents.has(entry)
      const document = await alone.check(entry, 'named')
      if (!isNew) continue
      documents.push(toDocumentReport(document, []))
      findings.push(...document.findings)
      continue
    }
    const docsRoot = await readDocsRoot(entry, environment.files)
    const divisions = declareAll(docsRoot, [], { directory: defaultDirectory })
    const survey = await surveyDocsRoot(docsRoot, divisions, [], environment)
    lookups.push(survey.sourceOf)
    documents.push(...survey.documents.map((document) => toDocumentReport(document, [])))
    findings.push(...survey.findings, ...checkBindings(survey, 'error', new Set()))
    if (!survey.hasDocsConfig) findings.push(await missingDocsConfig(survey, environment.files))
    findings.push(...bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages).findings)
  }
  const sourceOf = (file: string) => lookups.map((lookup) => lookup(file)).find((source) => source !== undefined)
  return { documents, diagnostics: await finishDiagnostics(findings, sourceOf) }
}
