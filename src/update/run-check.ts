import type { Finding } from '../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../diagnostics/finish-diagnostics.ts'
import type { Files, ReadResult } from '../files/files.ts'
import { checkDescription, type DescriptionCheck } from '../openapi/check-description.ts'
import type { LoadDocument } from '../openapi/document-set.ts'
import type { IntegerReading } from '../source/parse-json.ts'
import { isUrl, parentPath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { type CheckedDocument, createDocumentChecks, type DocumentChecks, toDocumentReport } from './check-documents.ts'
import { overrideRules, readNearestConfig } from './read-config.ts'
import { toLoadDocument } from './to-load-document.ts'
import type { CheckReport, UpdateEnvironment } from './types.ts'
import type { UsedBaseline } from './use-baseline.ts'

interface CheckOptions {
  /** Documents (paths relative to the boundary, or URLs), or docs directories (folders with a `docs.json`; `''` is the boundary). */
  readonly entries: readonly string[]
  /** File with known problems, relative to the boundary; goes before that of the configuration. */
  readonly baseline?: string | undefined
}

/**
 * Checks documents, and for a docs directory every document named there and every page bound to them.
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
    const { checkDocsDirectory } = await import('./check-docs-directory.ts')
    const check = await checkDocsDirectory(entry, environment)
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

/** The check of one description, and what its files were read with. */
interface EntryCheck extends DescriptionCheck {
  readonly load: LoadDocument
}

/**
 * Checks one description within the limits of the nearest configuration file, without its `rules` and `ignore`: for commands that need a
 * valid one. What is wrong with the configuration file is among the findings.
 */
export async function checkEntryDocument(
  entry: string,
  environment: UpdateEnvironment,
  integers: IntegerReading = 'rounded',
): Promise<EntryCheck> {
  const { files, limitCeilings } = environment
  const { config, findings, source } = await readNearestConfig(isUrl(entry) ? '' : parentPath(entry), files, limitCeilings)
  const load = toLoadDocument(environment, entry, config.limits)
  const check = await checkDescription(entry, load, {
    limits: config.limits,
    integers,
    // Who writes a description again shows errors only, and examples give none.
    ...(integers === 'exact' ? { exampleLimit: -1 } : {}),
  })
  const sources = source ? new Map([...check.sources, [source.path, source]]) : check.sources
  return { ...check, findings: [...findings, ...check.findings], sources, load }
}

/** Checks of documents that no docs directory names, each by the nearest configuration file. */
interface ChecksByConfig {
  /** Whether a path is that of a folder. What was read to find out is kept for the check. */
  isFolder(path: string): Promise<boolean>
  /** Checks a document; findings are those of the document, and those of its configuration where that was not read before. */
  check(entry: string): Promise<{
    readonly document: CheckedDocument
    readonly findings: readonly Finding[]
    /** See `Config.baseline`. */
    readonly baseline: string | undefined
  }>
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Starts an empty set of checks. */
function createChecksByConfig(environment: UpdateEnvironment): ChecksByConfig {
  interface Configured {
    readonly checks: DocumentChecks
    readonly baseline: string | undefined
  }
  const byFolder = new Map<string, Configured>()
  const byConfig = new Map<string, Configured>()
  const sources = new Map<string, SourceFile>()
  const first: { path: string; read: ReadResult | undefined } = { path: '', read: undefined }
  const files: Files = {
    ...environment.files,
    async read(path, limitBytes) {
      const known = path === first.path ? first.read : undefined
      // Once only, so that the bytes can go.
      if (known) first.read = undefined
      // It was read before anything was known of its limit.
      const isOver = known?.kind === 'file' && limitBytes !== undefined && known.bytes.length > limitBytes
      return known && known.kind !== 'too-large' && !isOver ? known : await environment.files.read(path, limitBytes)
    },
  }
  return {
    async isFolder(path) {
      first.path = path
      first.read = await environment.files.read(path)
      return first.read.kind === 'folder'
    },
    async check(entry) {
      // An address belongs to the boundary itself, from where it was named.
      const folder = isUrl(entry) ? '' : parentPath(entry)
      const findings: Finding[] = []
      let configured = byFolder.get(folder)
      if (!configured) {
        const nearest = await readNearestConfig(folder, environment.files, environment.limitCeilings)
        const path = nearest.source?.path ?? ''
        configured = byConfig.get(path)
        if (!configured) {
          const checks = createDocumentChecks('', { ...environment, files }, overrideRules(nearest.config, environment.rules))
          configured = { checks, baseline: nearest.config.baseline }
          byConfig.set(path, configured)
          if (nearest.source) sources.set(path, nearest.source)
          findings.push(...nearest.findings)
        }
        byFolder.set(folder, configured)
      }
      const document = await configured.checks.check(entry, 'named')
      return { document, findings: [...findings, ...document.findings], baseline: configured.baseline }
    },
    sourceOf(file) {
      const known = sources.get(file)
      if (known) return known
      for (const { checks } of byConfig.values()) {
        const source = checks.sources.get(file)
        if (source) return source
      }
      return undefined
    },
  }
}
