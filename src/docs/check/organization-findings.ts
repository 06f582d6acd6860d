import { type Finding, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { valueAtPointer } from '../../text/json/json-values.ts'
import { matchBaseline } from '../baseline.ts'
import type { OrganizationCheck, UpdateEnvironment } from '../types.ts'
import { type CheckedDocument, severityOf } from './check-documents.ts'

interface WithOrganization {
  /** The problems to report. */
  readonly left: readonly Finding[]
  /** Those of the organization among them, by document. */
  readonly added: ReadonlyMap<CheckedDocument, readonly Finding[]>
  /** All problems with the rules of the organization, also known ones. Absent without rules. */
  readonly organizationFindings?: readonly Finding[]
}

/**
 * Adds the problems with the rules of the organization to those of a check, after the settings and baselines of the repository were applied.
 *
 * Known problems are left out. So are those that a check or a rule of the repository reports at the same place with at least the same severity.
 */
export async function addOrganizationFindings(
  ofRepository: readonly Finding[],
  documents: readonly CheckedDocument[],
  { organization }: Pick<UpdateEnvironment, 'organization'>,
): Promise<WithOrganization> {
  if (!organization) return { left: ofRepository, added: new Map() }
  const all = new Map<string, Finding>()
  // Documents can share files.
  for (const finding of documents.flatMap((document) => document.organizationFindings)) all.set(toIdentity(finding), finding)
  const organizationFindings = [...all.values()]
  const isKnown = findKnown(organizationFindings, documents, organization)
  const fresh = organizationFindings.filter((finding) => !isKnown(finding))
  if (fresh.length === 0) return { left: ofRepository, added: new Map(), organizationFindings }
  const { dropRepeated } = await import('../rules/drop-repeated.ts')
  const { findings } = dropRepeated([...ofRepository, ...fresh], { turnedOff: new Set(), severities: new Map() })
  const left = withoutSameRules(findings)
  const isLeft = new Set(left.map((finding) => (finding.isOfOrganization ? toIdentity(finding) : '')))
  const added = new Map(
    documents.map((document) => [document, document.organizationFindings.filter((finding) => isLeft.has(toIdentity(finding)))]),
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
  const exists = (file: string, pointer: string) => {
    const document = parsed.get(file)
    return document === undefined || valueAtPointer(document.parsed.value, pointer) !== undefined
  }
  return matchBaseline(toComparable(findings), known, { covers: () => false, exists }).isKnown
}

/** Baselines list no infos, but here the severity does not matter. */
export function toComparable(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, severity: 'warning' }))
}

/** A rule that the repository has too is reported once per place, with the higher severity. */
function withoutSameRules(findings: readonly Finding[]): readonly Finding[] {
  const highest = { repository: new Map<string, number>(), organization: new Map<string, number>() }
  const toPlace = (finding: Finding) => [ruleNameOf(finding), finding.file, finding.pointer].join('\n')
  for (const finding of findings) {
    if (finding.code !== 'ruleset') continue
    const ranksOf = finding.isOfOrganization ? highest.organization : highest.repository
    ranksOf.set(toPlace(finding), Math.max(rankOf(finding), ranksOf.get(toPlace(finding)) ?? -1))
  }
  return findings.filter((finding) => {
    if (finding.code !== 'ruleset') return true
    const place = toPlace(finding)
    if (finding.isOfOrganization) return rankOf(finding) > (highest.repository.get(place) ?? -1)
    return rankOf(finding) >= (highest.organization.get(place) ?? -1)
  })
}

function rankOf(finding: Finding): number {
  return ['info', 'warning', 'error'].indexOf(severityOf(finding))
}

function toIdentity(finding: Finding): string {
  return [ruleNameOf(finding), finding.file, finding.pointer, finding.message, severityOf(finding)].join('\n')
}
