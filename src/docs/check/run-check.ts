import { checkDescription, type DescriptionCheck } from '../../checks/check-description.ts'
import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { Files, ReadResult } from '../../files/files.ts'
import type { OverlayOptions } from '../../openapi/overlays/parse-overlay.ts'
import type { PublicOnly } from '../../openapi/public/restriction-marks.ts'
import type { LoadDocument } from '../../openapi/types.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { type BaselineEntry, createExists, formatBaseline, matchBaseline, parseBaseline, toBaseline } from '../baseline.ts'
import type { Config } from '../config/project-config.ts'
import { findUnknownRules } from '../config/rule-settings.ts'
import { overrideRules, readNearestConfig, toFailure, toLoadDocument, toOverlayOptions } from '../read/find-docs.ts'
import { maxRulesetMs } from '../rules/read-ruleset.ts'
import type {
  BaselineFile,
  CheckedDocument,
  CheckReport,
  CheckTerms,
  DocsAccess,
  OnProgress,
  Reporting,
  TrafficCounts,
  UsedRuleset,
} from '../types.ts'
import { createDocumentChecks, type DocumentChecks, toDocumentReport } from './check-documents.ts'
import { addOrganizationFindings } from './organization-rules.ts'
import type { CheckLinks } from './survey-docs-directory.ts'

interface CheckOptions {
  /** Documents and docs directories, as paths relative to the boundary (`''` is the boundary itself) or URLs. */
  readonly entries: readonly string[]
  /** File with known problems, relative to the boundary. Overrides the configuration file. */
  readonly baseline?: string | undefined
  /** Checks the links of docs directories. Without it, they are not checked. */
  readonly checkLinks?: CheckLinks | undefined
}

/**
 * Checks documents and docs directories, with all documents they name and all pages bound to them.
 *
 * Rejects only on disk errors. An unreadable entry is reported as a diagnostic at its first line.
 */
export async function runCheck(
  { entries, baseline, checkLinks }: CheckOptions,
  given: DocsAccess,
  terms: CheckTerms = {},
  reporting: Reporting = {},
): Promise<CheckReport> {
  const access = { ...given, rulesetTime: given.rulesetTime ?? { leftMs: maxRulesetMs } }
  const checked: CheckedDocument[] = []
  const roots: string[] = []
  const ofDirectories: TrafficCounts[] = []
  const baselines = new Set<string>(baseline === undefined ? [] : [baseline])
  const alone = createChecksByConfig(access, terms, reporting.onProgress)
  /** Read after all checks, because documents can share files. */
  const parts: { readonly findings: readonly Finding[] }[] = [alone]
  const lookups: ((file: string) => SourceFile | undefined)[] = [alone.sourceOf]
  for (const entry of new Set(entries)) {
    // A limit of one byte reads no content.
    if (isUrl(entry) || (await access.files.read(entry, 1)).kind !== 'folder') {
      const check = await alone.check(entry)
      checked.push(check.document)
      if (baseline === undefined && check.baseline !== undefined) baselines.add(check.baseline)
      parts.push(check.document)
      continue
    }
    // Loaded on demand, because most checks are of a single document.
    const { checkDocsDirectory } = await import('./check-docs-directory.ts')
    const check = await checkDocsDirectory(entry, access, terms, reporting, checkLinks)
    lookups.push(check.sourceOf)
    if (check.traffic) ofDirectories.push(check.traffic)
    checked.push(...check.documents)
    roots.push(entry)
    if (baseline === undefined && check.baseline !== undefined) baselines.add(check.baseline)
    parts.push(check)
  }
  const traffic = await alone.compareTraffic()
  const findings = [...parts.flatMap((part) => part.findings), ...traffic.flatMap(({ unread }) => unread)]
  const sourceOf = (file: string) => lookups.map((lookup) => lookup(file)).find((source) => source !== undefined)
  const uses: Awaited<ReturnType<typeof useBaseline>>[] = []
  if (baselines.size > 0) {
    const documents = new Map(checked.flatMap(({ check }) => [...check.documents]))
    // In a file that cannot be parsed, no problem counts as fixed.
    const unread = new Set(
      checked.flatMap(({ check }) => [...check.sources.keys()].filter((file) => documents.get(file)?.parsed.value === undefined)),
    )
    const isWithin = (file: string) => roots.some((root) => root === '' || file.startsWith(`${root}/`))
    const covers = (file: string) => !unread.has(file) && (documents.has(file) || isWithin(file))
    for (const path of baselines) uses.push(await useBaseline({ path, findings, checked, covers }, access.files))
  }
  const isKnown = (finding: Finding) => uses.some((use) => use.isKnown(finding))
  const ofRepository =
    uses.length === 0 ? findings : [...findings.filter((finding) => !isKnown(finding)), ...uses.flatMap((use) => use.findings)]
  const complete = terms.organization && (await addOrganizationFindings(ofRepository, checked, terms.organization))
  const left = complete?.left ?? ofRepository
  const documents = checked.map((document) => toDocumentReport(document, [], isKnown, complete?.added.get(document)))
  const repeated = left.filter(({ places }) => places !== undefined)
  const diagnostics = await finishDiagnostics(left, sourceOf)
  return {
    documents,
    rulesets: mergeRulesets(checked),
    diagnostics,
    ...(complete && { organizationFindings: complete.organizationFindings }),
    repeated,
    checks: checked.map(({ check }) => check),
    traffic: [...traffic.map(({ counts }) => counts), ...ofDirectories],
    sourceOf,
    baselines: uses.map(({ file }) => file),
  }
}

/** Combines the rules of documents with the same rulesets, which can depend on the version of OpenAPI and on `overrides`. */
function mergeRulesets(documents: readonly CheckedDocument[]): readonly UsedRuleset[] {
  const merged = new Map<string, UsedRuleset>()
  for (const { ruleset } of documents) {
    if (!ruleset) continue
    const key = ruleset.names.join('\n')
    const known = merged.get(key)
    merged.set(key, known ? { ...known, rules: [...new Set([...known.rules, ...ruleset.rules])] } : ruleset)
  }
  return [...merged.values()]
}

/** The check of one description and the loader of its files. */
export interface EntryCheck extends DescriptionCheck {
  readonly load: LoadDocument
  readonly config: Config
  /** Problems of the configuration file. They are part of `findings`, too. */
  readonly configFindings: readonly Finding[]
}

/** Lists the documents that a `docs.json` names, as paths relative to the boundary or URLs, with the overlays of each. */
export async function listNamedDocuments(root: string, access: Pick<DocsAccess, 'files' | 'limitCeilings'>) {
  // Loaded on demand, because most checks are of a single document.
  const { listSources } = await import('../navigation/docs-config.ts')
  const { readDocsDirectory, readPages } = await import('../read/read-docs-directory.ts')
  const { docsConfig, config } = await readDocsDirectory(root, access)
  const pages = await readPages(root, { known: [], named: new Set() }, access.files, config.limits)
  const { findOverlays } = await import('./discover-documents.ts')
  const overlays = await findOverlays(root, docsConfig, pages.documents, access.files, undefined)
  const sources = new Set(listSources(docsConfig).map(({ source }) => source))
  const toEntry = (source: string) => (isUrl(source) ? source : joinPath(root, source))
  return [...sources].map((source) => ({ source, entry: toEntry(source), overlays: overlays.of(source) }))
}

interface EntryCheckOptions extends Pick<OverlayOptions, 'onReplaced'> {
  /** For commands that report only errors. Default: false. */
  readonly errorsOnly?: boolean
  /** See `CheckTerms.overlays`. Default: none. */
  readonly overlays?: readonly string[] | undefined
  /** Leaves out what only some readers may see. Gets the nearest configuration. Default: leaves out nothing. */
  readonly hide?: (config: Config) => PublicOnly | undefined
}

/**
 * Checks one description for commands that need a valid one. Applies the limits of the nearest configuration file, but not its `rules` and
 * `ignore`. Problems in the configuration file are reported too.
 */
export async function checkEntryDocument(
  entry: string,
  access: DocsAccess,
  { errorsOnly = false, overlays = [], onReplaced, hide }: EntryCheckOptions = {},
): Promise<EntryCheck> {
  const { config, findings, source } = await readNearestConfig(isUrl(entry) ? '' : parentPath(entry), access)
  const load = toLoadDocument(access, entry, config.limits, overlays)
  const publicOnly = hide?.(config)
  const check = await checkDescription(entry, load, {
    limits: config.limits,
    errorsOnly,
    overlays: await toOverlayOptions(overlays, { onReplaced }),
    publicOnly,
  })
  const sources = source ? new Map([...check.sources, [source.path, source]]) : check.sources
  // A file has everything.
  const refuse: LoadDocument = async () => ({ kind: 'failed', code: 'file-missing', reason: 'only some readers may see it' })
  const loadMore = publicOnly ? refuse : load
  return { ...check, findings: [...findings, ...check.findings], sources, load: loadMore, config, configFindings: findings }
}

/** Checks single documents with the nearest configuration file. `findings` are those of the configuration files, complete when all documents have been checked. */
function createChecksByConfig(access: DocsAccess, terms: CheckTerms, onProgress: OnProgress | undefined) {
  interface Configured {
    readonly checks: DocumentChecks
    /** See `Config.baseline`. */
    readonly baseline: string | undefined
    readonly source: SourceFile | undefined
    readonly listFindings: () => readonly Finding[]
  }
  const byFolder = new Map<string, Configured>()
  const byConfig = new Map<string, Configured>()
  const configure = async (folder: string): Promise<Configured> => {
    const { config, findings, source } = await readNearestConfig(folder, access)
    const path = source?.path ?? ''
    const known = byConfig.get(path)
    if (known) return known
    const checks = createDocumentChecks('', access, overrideRules(config, terms.rules), terms, { onProgress })
    const findUnknown = () => (checks.ruleNames === undefined ? [] : findUnknownRules(config.rules, path, checks.ruleNames))
    const listFindings = () => [...findings, ...findUnknown()]
    const configured = { checks, baseline: config.baseline, source, listFindings }
    byConfig.set(path, configured)
    return configured
  }
  return {
    async check(entry: string) {
      // URLs use the configuration file of the boundary.
      const folder = isUrl(entry) ? '' : parentPath(entry)
      const configured = byFolder.get(folder) ?? (await configure(folder))
      byFolder.set(folder, configured)
      return { document: await configured.checks.check(entry, 'named'), baseline: configured.baseline }
    },
    async compareTraffic() {
      const compared = await Promise.all([...byConfig.values()].map(async ({ checks }) => await checks.compareTraffic()))
      return compared.filter((one) => one !== undefined)
    },
    get findings() {
      return [...byConfig.values()].flatMap(({ listFindings }) => listFindings())
    },
    sourceOf(file: string) {
      const all = [...byConfig.values()]
      const config = all.find(({ source }) => source?.path === file)
      return config?.source ?? all.flatMap(({ checks }) => checks.sources.get(file) ?? [])[0]
    },
  }
}

interface BaselineUse {
  /** Relative to the boundary. */
  readonly path: string
  readonly findings: readonly Finding[]
  /** Problems of files other than those of the documents are not accepted. */
  readonly checked: readonly Pick<CheckedDocument, 'check'>[]
  /** Whether the check included a file, see `BaselineScope.covers`. Default: it cannot know which problems are fixed. */
  readonly covers?: (file: string) => boolean
}

/** Reads a baseline and matches it with the diagnostics. An unusable baseline is an error. Returned `findings` are about the baseline itself. */
export async function useBaseline(use: BaselineUse, { read }: Pick<Files, 'read'>) {
  const { path, covers = () => false, checked } = use
  const documents = new Map(checked.flatMap(({ check }) => [...check.documents]))
  const files = new Set(checked.flatMap(({ check }) => [...check.sources.keys()]))
  const findings = use.findings.filter(({ file }) => files.has(file))
  const result = await read(path, limitBounds['docs-config-size'].byDefault)
  const before = result.kind === 'file' ? toSourceFile(path, result.bytes).text : undefined
  const entries = before === undefined ? undefined : parseBaseline(before, path)
  const all = toBaseline(findings)
  const toFile = (others: readonly BaselineEntry[]): BaselineFile => {
    return { path, next: formatBaseline([...others, ...all], path), ...(before !== undefined && { before }) }
  }
  if (entries === undefined) {
    const { reason, hint } = describeUnusable(result)
    const message = `Cannot use the baseline \`${path}\`: ${reason}`
    const unusable: Finding = { code: 'baseline-unusable', message, file: path, pointer: '', hint }
    return {
      isKnown: (_: Finding) => false,
      findings: [unusable],
      file: result.kind === 'missing' ? toFile([]) : { ...toFile([]), fault: reason },
    }
  }
  const gone = new Set<string>()
  for (const file of new Set(entries.map((entry) => entry.file))) {
    if (!documents.has(file) && !isUrl(file) && (await read(file, 1)).kind === 'missing') gone.add(file)
  }
  const scope = { covers, exists: createExists(documents), isGone: (file: string) => gone.has(file) }
  const { isKnown, knownCount, fixed, moved } = matchBaseline(findings, entries, scope)
  const others = entries.filter(({ file }) => !covers(file) && !moved.has(file))
  return { isKnown, findings: [...reportKnown(path, knownCount), ...reportFixed(path, fixed)], file: toFile(others) }
}

function describeUnusable(result: ReadResult): { readonly reason: string; readonly hint: string } {
  const replace = 'Name another file. To replace this one, run `openapi-pages check --write-baseline` with `--baseline`'
  if (result.kind === 'file') return { reason: 'it is not a version 1 baseline file', hint: replace }
  const { reason, hint = replace } = toFailure(result)
  if (result.kind !== 'missing') return { reason, hint }
  return { reason, hint: 'Add `--write-baseline` to your `openapi-pages check` command to create it' }
}

function reportKnown(path: string, count: number): Finding[] {
  if (count === 0) return []
  const message = `${formatCount(count, 'known problem')} in the baseline`
  return [{ code: 'baseline-known', message, file: path, pointer: '' }]
}

const namedFixCount = 3

function reportFixed(path: string, fixed: readonly BaselineEntry[]): Finding[] {
  const count = fixed.reduce((sum, entry) => sum + entry.count, 0)
  if (count === 0) return []
  const names = listFirst(fixed, namedFixCount, ({ code, file }) => `\`${code}\` in \`${file}\``)
  const message = `${formatCount(count, 'problem')} in the baseline no longer ${count === 1 ? 'occurs' : 'occur'}: ${names}`
  const hint = 'Add `--write-baseline` to your `openapi-pages check` command to remove fixed problems from the baseline'
  return [{ code: 'baseline-fixed', message, file: path, pointer: '', hint }]
}
