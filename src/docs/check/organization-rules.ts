import { type Diagnostic, type Finding, rankOf, ruleNameOf, severityOf } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import type { Files } from '../../files/files.ts'
import { rulesetLimits } from '../../rules/ruleset.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { parseSource } from '../../text/parse-source.ts'
import { defaultLimits } from '../../text/plain/limits.ts'
import { type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import { createExists, matchBaseline, toBaseline } from '../baseline.ts'
import { isDay } from '../config/traffic-settings.ts'
import { applyRuleset, createRulesetReader } from '../rules/read-ruleset.ts'
import type { CheckedDocument, OrganizationCheck } from '../types.ts'

/** The key of a ruleset with the day (`2027-03-31`, UTC) on which all problems are reported. Before it, only new ones are. */
export const newProblemsOnlyKey = 'x-new-problems-only-until'

/** The ruleset of an organization, read once for all documents of a repository. */
interface OrganizationRules {
  /** Whether only new problems are reported on a day (`2026-11-26`). */
  readonly reportsOnlyNew: (today: string) => boolean
  /** The day in the ruleset, if it is valid. */
  readonly newOnlyUntil: string | undefined
  /** @param known What a check of the base of a commit found, or `all` to report nothing. */
  readonly toCheck: (known: readonly Finding[] | 'all') => OrganizationCheck
  /** The names of the rules that were applied, and the problems of the ruleset. Complete when all documents have been checked. */
  readonly finish: () => Promise<{ readonly ruleCount: number; readonly problems: readonly Diagnostic[] }>
}

/**
 * Opens the ruleset of an organization. It can extend other files of its repository, but no URLs.
 *
 * @param files The files of the repository with the ruleset. The boundary is its root.
 * @param path The ruleset. Problems with reading it are part of `finish`.
 * @param label What a problem says about the origin of its rule, such as `.spectral.yaml of acme/.github`.
 */
export async function openOrganizationRules(files: Files, path: string, label: string): Promise<OrganizationRules> {
  const fetchDocument = async () => ({ kind: 'failed', code: 'url-refused', reason: 'the app reads no URLs here' }) as const
  const rulesets = createRulesetReader({ files, fetchDocument }, { rulesets: undefined, limits: defaultLimits }, '', [path])
  const setting = await readSetting(files, path)
  const names = new Set<string>()
  const problems = new Set<Finding>(setting.problems)
  const sources = new Map(setting.sources)
  const apply: OrganizationCheck['apply'] = async (documentPath, check) => {
    const applied = await applyRuleset(documentPath, check, rulesets)
    for (const name of applied.ruleNames) names.add(name)
    for (const [file, source] of applied.sources) sources.set(file, source)
    for (const finding of applied.rulesetFindings) problems.add(finding)
    const found: Finding[] = []
    for (const finding of applied.findings) {
      if (finding.code === 'ruleset')
        found.push({ ...finding, isOfOrganization: true, hint: `The organization requires this in ${label}` })
      else problems.add(finding)
    }
    return found
  }
  return {
    reportsOnlyNew: (today) => setting.isWrong || (setting.until !== undefined && today < setting.until),
    newOnlyUntil: setting.until,
    toCheck: (known) => ({ apply, known: known === 'all' ? known : toBaseline(toComparable(known)) }),
    finish: async () => ({
      ruleCount: names.size,
      problems: await finishDiagnostics([...problems], (file) => sources.get(file)),
    }),
  }
}

/** Reads the day from the ruleset. The reader of rulesets reports a file that cannot be read. `isWrong`: a wrong date must not make all repositories fail at once. */
async function readSetting(files: Files, path: string) {
  const none = { until: undefined, isWrong: false, problems: [], sources: new Map<string, SourceFile>() }
  const file = await files.read(path, rulesetLimits.fileBytes)
  if (file.kind !== 'file') return none
  const source = toSourceFile(path, file.bytes)
  const { value } = await parseSource(source)
  const until = readOwn(value, newProblemsOnlyKey)
  const sources = new Map([[path, source]])
  if (until === undefined) return { ...none, sources }
  if (isDay(until)) return { ...none, until, sources }
  const problem: Finding = {
    code: 'ruleset-problem',
    message: `Unexpected \`${newProblemsOnlyKey}\`, expected a date. Only new problems are reported until you correct it`,
    file: path,
    pointer: `/${newProblemsOnlyKey}`,
    hint: 'Write the date as `2027-03-31`',
  }
  return { until: undefined, isWrong: true, problems: [problem], sources }
}

/**
 * Adds the problems with the rules of the organization to those of a check, after the settings and baselines of the repository were applied.
 *
 * Known problems are left out. So are those that a check or a rule of the repository reports at the same place with at least the same severity.
 *
 * @returns `left`: the problems to report. `added`: those of the organization among them. `organizationFindings`: all, also known ones.
 */
export async function addOrganizationFindings(
  ofRepository: readonly Finding[],
  documents: readonly CheckedDocument[],
  organization: OrganizationCheck,
) {
  const all = new Map<string, Finding>()
  // Documents can share files.
  for (const finding of documents.flatMap((document) => document.organizationFindings)) all.set(toIdentity(finding), finding)
  const organizationFindings = [...all.values()]
  const isKnown = findKnown(organizationFindings, documents, organization)
  const fresh = organizationFindings.filter((finding) => !isKnown(finding))
  const added = new Map<CheckedDocument, readonly Finding[]>()
  if (fresh.length === 0) return { left: ofRepository, added, organizationFindings }
  const { dropRepeated } = await import('../rules/drop-repeated.ts')
  const { findings } = dropRepeated([...ofRepository, ...fresh], { turnedOff: new Set(), severities: new Map() })
  const left = withoutSameRules(findings)
  const isLeft = new Set(left.map((finding) => (finding.isOfOrganization ? toIdentity(finding) : '')))
  for (const document of documents)
    added.set(
      document,
      document.organizationFindings.filter((finding) => isLeft.has(toIdentity(finding))),
    )
  return { left, added, organizationFindings }
}

function findKnown(
  findings: readonly Finding[],
  documents: readonly CheckedDocument[],
  { known }: OrganizationCheck,
): (finding: Finding) => boolean {
  if (known === 'all') return () => true
  if (known.length === 0) return () => false
  const parsed = new Map(documents.flatMap(({ check }) => [...check.documents]))
  return matchBaseline(toComparable(findings), known, { covers: () => false, exists: createExists(parsed) }).isKnown
}

/** Baselines list no infos, but here the severity does not matter. */
function toComparable(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, severity: 'warning' }))
}

/** A rule that the repository has too is reported once per place, with the higher severity. */
function withoutSameRules(findings: readonly Finding[]): readonly Finding[] {
  const lowest = Number.POSITIVE_INFINITY
  const highest = { repository: new Map<string, number>(), organization: new Map<string, number>() }
  const toPlace = (finding: Finding) => [ruleNameOf(finding), finding.file, finding.pointer].join('\n')
  for (const finding of findings) {
    if (finding.code !== 'ruleset') continue
    const ranksOf = finding.isOfOrganization ? highest.organization : highest.repository
    ranksOf.set(toPlace(finding), Math.min(rankOf(severityOf(finding)), ranksOf.get(toPlace(finding)) ?? lowest))
  }
  return findings.filter((finding) => {
    if (finding.code !== 'ruleset') return true
    const place = toPlace(finding)
    const rank = rankOf(severityOf(finding))
    if (finding.isOfOrganization) return rank < (highest.repository.get(place) ?? lowest)
    return rank <= (highest.organization.get(place) ?? lowest)
  })
}

function toIdentity(finding: Finding): string {
  return [ruleNameOf(finding), finding.file, finding.pointer, finding.message, severityOf(finding)].join('\n')
}
