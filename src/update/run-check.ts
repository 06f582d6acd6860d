import type { Finding } from '../diagnostic/diagnostic.ts'
import { finishDiagnostics } from '../diagnostic/finish-diagnostics.ts'
import { isUrl } from '../text/relative-path.ts'
import type { SourceFile } from '../text/source-file.ts'
import { createChecksByConfig } from './check-alone.ts'
import { type CheckedDocument, toDocumentReport } from './check-documents.ts'
import type { CheckReport, UpdateEnvironment } from './types.ts'
import type { UsedBaseline } from './use-baseline.ts'

export interface CheckOptions {
  /** Documents (paths relative to the boundary, or URLs), or docs roots (folders with a `docs.json`; `''` is the boundary). */
  readonly entries: readonly string[]
  /** File with known problems, relative to the boundary; goes before that of the configuration. */
  readonly baseline?: string | undefined
}

/**
 * Checks documents, and for a docs root every document named there and every page bound to them.
 *
 * Never rejects but where the disk fails: an entry that cannot be read is a finding at its first line.
 */
export async function runCheck({ entries, baseline }: CheckOptions, environment: UpdateEnvironment): Promise<CheckReport> {
  const checked: CheckedDocument[] = []
  const roots: string[] = []
  const baselines = new Set<string>(baseline === undefined ? [] : [baseline])
  const findings: Finding[] = []
  const lookups: ((file: string) => SourceFile | undefined)[] = []
  const alone = createChecksByConfig(environment)
  lookups.push(alone.sourceOf)
  for (const entry of new Set(entries)) {
    if (isUrl(entry) || !(await alone.isFolder(entry))) {
      const check = await alone.check(entry)
      checked.push(check.document)
      if (baseline === undefined && check.baseline !== undefined) baselines.add(check.baseline)
      for (const finding of check.findings) findings.push(finding)
      continue
    }
    // A document alone needs neither pages nor YAML that is edited, and most checks are of one.
    const { checkDocsRoot } = await import('./check-docs-root.ts')
    const check = await checkDocsRoot(entry, environment)
    lookups.push(check.sourceOf)
    checked.push(...check.documents)
    roots.push(entry)
    if (baseline === undefined && check.baseline !== undefined) baselines.add(check.baseline)
    for (const finding of check.findings) findings.push(finding)
  }
  const sourceOf = (file: string) => lookups.map((lookup) => lookup(file)).find((source) => source !== undefined)
  const used: { path: string; next: string }[] = []
  const uses: UsedBaseline[] = []
  if (baselines.size > 0) {
    const { useBaseline } = await import('./use-baseline.ts')
    const documents = new Map(checked.flatMap(({ check }) => [...check.documents]))
    const read = new Set(documents.keys())
    // Of a file that cannot be parsed nothing is known, so nothing in it is fixed.
    const unread = new Set(
      checked.flatMap(({ check }) => [...check.sources.keys()].filter((file) => documents.get(file)?.parsed.value === undefined)),
    )
    const isWithin = (file: string) => roots.some((root) => root === '' || file.startsWith(`${root}/`))
    for (const path of baselines) {
      const covers = (file: string) => !unread.has(file) && (read.has(file) || isWithin(file))
      const use = await useBaseline({ path, findings, documents, covers, reportsFixed: true }, environment)
      uses.push(use)
      used.push({ path, next: use.next })
    }
  }
  const isKnown = (finding: Finding) => uses.some((use) => use.isKnown(finding))
  const left =
    uses.length === 0 ? findings : [...findings.filter((finding) => !isKnown(finding)), ...uses.flatMap((use) => use.findings)]
  const documents = checked.map((document) => toDocumentReport(document, [], isKnown))
  return { documents, diagnostics: await finishDiagnostics(left, sourceOf), sourceOf, baselines: used }
}
