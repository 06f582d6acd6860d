import type { Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { isUrl } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { createChecksByConfig } from './check-alone.ts'
import { toDocumentReport } from './check-documents.ts'
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
  const alone = createChecksByConfig(environment)
  lookups.push(alone.sourceOf)
  for (const entry of new Set(entries)) {
    if (isUrl(entry) || !(await alone.isFolder(entry))) {
      const check = await alone.check(entry)
      documents.push(toDocumentReport(check.document, []))
      for (const finding of check.findings) findings.push(finding)
      continue
    }
    // A document alone needs neither pages nor YAML that is edited, and most checks are of one.
    const { checkDocsRoot } = await import('./check-docs-root.ts')
    const check = await checkDocsRoot(entry, environment)
    lookups.push(check.sourceOf)
    documents.push(...check.documents)
    for (const finding of check.findings) findings.push(finding)
  }
  const sourceOf = (file: string) => lookups.map((lookup) => lookup(file)).find((source) => source !== undefined)
  return { documents, diagnostics: await finishDiagnostics(findings, sourceOf), sourceOf }
}
