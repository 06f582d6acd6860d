import { type AffectedParts, checkDescription, type DescriptionCheck, findAffected } from '../../checks/check-description.ts'
import { type DiagnosticCode, type Finding, severityOf } from '../../diagnostics/diagnostic.ts'
import { applyRules, lowerableCodes } from '../../diagnostics/finish-diagnostics.ts'
import { collectExtensionWebhooks } from '../../openapi/read/collect-operations.ts'
import type { Description, OperationFields } from '../../openapi/types.ts'
import { syntaxOf } from '../../text/parse-source.ts'
import { lazy } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import { exceptionComment, exceptionField, mentions, type SourceFile } from '../../text/plain/source-file.ts'
import { toReaders } from '../config/audience-settings.ts'
import type { Config } from '../config/project-config.ts'
import { nameForDocumentSite } from '../pages/document-site.ts'
import { type DescriptionIndex, indexDescription } from '../pages/subjects.ts'
import { toLoadDocument, toOverlayOptions } from '../read/find-docs.ts'
import { type AppliedRuleset, applyRuleset, createRulesetReader } from '../rules/read-ruleset.ts'
import type {
  AffectedSubjects,
  CheckedDocument,
  CheckTerms,
  DocsAccess,
  DocumentReport,
  OnProgress,
  PagesFor,
  StoppedPages,
} from '../types.ts'
import type { TrafficCheck } from './check-traffic.ts'

/** Checks each document once, even if it is named several times. */
export interface DocumentChecks {
  /** In the order of the first request. */
  readonly documents: ReadonlyMap<string, CheckedDocument>
  readonly sources: ReadonlyMap<string, SourceFile>
  /** The names of the rules that were applied. `undefined` if a ruleset could not be read completely. */
  readonly ruleNames: ReadonlySet<string> | undefined
  /** Checks a document by its path relative to the docs directory, or its URL. */
  check(source: string, named: 'named' | 'not-named'): Promise<CheckedDocument>
  /** Compares recorded traffic with the documents, if there are recordings. Adds to the findings of each. Returns problems of recordings. */
  compareTraffic(): Promise<Pick<TrafficCheck, 'unread' | 'counts'> | undefined>
}

/** The settings that affect checks. */
type CheckSettings = Pick<Config, 'rules' | 'ignore' | 'inlineIgnore' | 'rulesets' | 'limits' | 'site' | 'update' | 'traffic'>

interface DocumentCheckOptions {
  readonly pagesFor?: PagesFor | undefined
  /** The overlays of a document, relative to the boundary. Default: those of `CheckTerms`. */
  readonly overlaysOf?: ((source: string) => readonly string[]) | undefined
  /** Whether a document has pages: as files, or those of a site. Default: none has. */
  readonly hasPages?: ((source: string) => boolean) | undefined
  readonly onProgress?: OnProgress | undefined
}

/** A second step that checks a description again, see `checkedDescriptions`, does not apply its ruleset again. */
const appliedRulesets = new WeakMap<DescriptionCheck, Promise<AppliedRuleset>>()

const nothingHidden = { hides: () => false, hidesSome: false, isReportedOnly: true }

/** Starts an empty set of checks for a docs directory. */
export function createDocumentChecks(
  root: string,
  access: DocsAccess,
  settings: CheckSettings,
  terms: CheckTerms = {},
  options: DocumentCheckOptions = {},
): DocumentChecks {
  const { rulesets: namedRulesets, inlineIgnore = true, organization, publicOnly, traffic } = terms
  const readers = publicOnly?.readers ?? toReaders(settings.site, terms)
  const reportOnly = settings.site.restricted === 'hide' ? { ...nothingHidden, readers } : undefined
  const { pagesFor = 'repository', overlaysOf = () => terms.overlays ?? [], hasPages, onProgress } = options
  const isForSite = pagesFor === 'site' || pagesFor === 'document'
  const isLoose = pagesFor !== 'repository'
  // Check all examples if one of these rules is enabled, however long it takes.
  const wantsExamples = exampleCodes.some((code) => (settings.rules.get(code) ?? 'off') !== 'off')
  const documents = new Map<string, CheckedDocument>()
  const sources = new Map<string, SourceFile>()
  const rulesets = createRulesetUse(createRulesetReader(access, settings, root, namedRulesets), sources)
  const exceptions = createExceptionUse(settings, inlineIgnore, rulesets.names)
  const findProblems = createProblemFinder(settings, rulesets, exceptions, organization)
  const ofTraffic = new Map<string, readonly Finding[]>()
  /** A description may have been checked already by an earlier step. */
  const checkAt = async (path: string, source: string) => {
    const overlays = overlaysOf(source)
    const key = JSON.stringify([path, wantsExamples, overlays, publicOnly !== undefined, readers])
    const pending =
      access.checkedDescriptions?.get(key) ??
      checkDescription(path, toLoadDocument(access, path, settings.limits, overlays), {
        limits: settings.limits,
        overlays: await toOverlayOptions(overlays),
        publicOnly: publicOnly ? { ...publicOnly, hides: (target) => publicOnly.hides(source, target) } : reportOnly,
        ...(wantsExamples ? { exampleLimit: Number.POSITIVE_INFINITY } : {}),
      })
    access.checkedDescriptions?.set(key, pending)
    return await pending
  }
  return {
    documents,
    sources,
    get ruleNames() {
      return rulesets.names()
    },
    async check(source, named) {
      const known = documents.get(source)
      if (known) return known
      const path = isUrl(source) ? source : joinPath(root, source)
      onProgress?.(`checking ${path}`)
      const check = await checkAt(path, source)
      for (const [file, text] of check.sources) sources.set(file, text)
      const { description } = check
      const { findings, findAll, organizationFindings, raised, ruleset } = await findProblems(path, check)
      // Pages show what the document says, also if it breaks rules of the team.
      const isOfRules = (finding: Finding) => rulesetCodes.includes(finding.code) || raised?.has(finding) === true
      const errors = findings.filter((finding) => severityOf(finding) === 'error' && !isOfRules(finding))
      const isValid = description !== undefined && errors.length === 0
      const findAffectedSubjects = lazy(() => toAffectedSubjects(findAffected(check, errors)))
      const affected = isValid || isLoose || settings.update.onError === 'document' ? undefined : findAffectedSubjects()
      // Created on demand: checking a single document does not need it.
      const index = lazy(() => {
        if (!description) return undefined
        const all = indexDescription(withExtensionWebhooks(description, check, isForSite))
        return pagesFor === 'document' ? nameForDocumentSite(all) : all
      })
      const document: CheckedDocument = {
        source,
        path,
        description,
        check,
        // Complete when all documents have been checked.
        get findings() {
          return [...findAll(), ...(ofTraffic.get(source) ?? [])]
        },
        organizationFindings,
        isValid,
        affected,
        get stopped() {
          if (isValid || !hasPages?.(source) || (isLoose && description)) return undefined
          return findStopped(index(), affected, findAffectedSubjects(), errors)
        },
        get index() {
          return isValid || isLoose || affected?.kind === 'subjects' ? index() : undefined
        },
        get looseIndex() {
          return isValid ? undefined : index()
        },
        isPartial: !isValid,
        leftOut: check.restrictedTargets,
        isNamed: named === 'named',
        isLoaded: check.sources.has(path),
        ruleset,
      }
      documents.set(source, document)
      return document
    },
    async compareTraffic() {
      const use = { access, settings, exceptions, ofTraffic, onProgress }
      return isLoose ? undefined : await compareTraffic([...documents.values()], { ...settings.traffic, ...traffic }, use)
    },
  }
}

interface TrafficUse {
  readonly access: DocsAccess
  readonly settings: CheckSettings
  readonly exceptions: ReturnType<typeof createExceptionUse>
  /** What recorded traffic adds to the findings of a document. */
  readonly ofTraffic: Map<string, readonly Finding[]>
  readonly onProgress: OnProgress | undefined
}

async function compareTraffic(
  documents: readonly CheckedDocument[],
  setting: CheckSettings['traffic'],
  { access, settings, exceptions, ofTraffic, onProgress }: TrafficUse,
) {
  if (setting.recordings.length === 0) return undefined
  onProgress?.('reading recordings')
  const { checkTraffic } = await import('./check-traffic.ts')
  const { findings, unread, counts } = await checkTraffic(documents, setting, access)
  const ruleSettings = { severities: settings.rules, ignores: settings.ignore }
  for (const [{ source, check }, found] of findings) {
    ofTraffic.set(source, (await exceptions.apply(applyRules(found, ruleSettings), check)).findings)
  }
  return { unread: applyRules(unread, ruleSettings), counts }
}

/** Finds the problems of a document, with those of its ruleset and the organization, and without those that exceptions accept. */
function createProblemFinder(
  settings: CheckSettings,
  rulesets: ReturnType<typeof createRulesetUse>,
  exceptions: ReturnType<typeof createExceptionUse>,
  organization: CheckTerms['organization'],
) {
  const ruleSettings = { severities: settings.rules, ignores: settings.ignore }
  return async (path: string, check: DescriptionCheck) => {
    const { findings: ofRuleset, turnedOff, used: ruleset } = await rulesets.apply(path, check)
    const applied = applyRules(ofRuleset.length === 0 ? check.findings : [...check.findings, ...ofRuleset], ruleSettings)
    const { findings: distinct, raised } =
      ofRuleset.length === 0 && turnedOff.size === 0
        ? { findings: applied, raised: undefined }
        : (await import('../rules/drop-repeated.ts')).dropRepeated(applied, { turnedOff, severities: settings.rules })
    const ofOrganization = (await organization?.apply(path, check)) ?? []
    const { findings: excepted, problems, unused } = await exceptions.apply([...distinct, ...ofOrganization], check)
    const kept = ofOrganization.length === 0 ? excepted : excepted.filter(({ isOfOrganization }) => !isOfOrganization)
    const findings = problems.length === 0 ? kept : [...kept, ...applyRules(problems, ruleSettings)]
    return {
      findings,
      /** With the exceptions that no document uses. Complete when all documents have been checked. */
      findAll: () => {
        const reported = unused.filter(({ key }) => !exceptions.used.has(key)).map(({ finding }) => finding)
        return reported.length === 0 ? findings : [...findings, ...applyRules(reported, ruleSettings)]
      },
      organizationFindings: excepted.filter(({ isOfOrganization }) => isOfOrganization),
      raised,
      ruleset,
    }
  }
}

/** Applies the ruleset of each document, and knows the names of all rules that were applied. */
function createRulesetUse(rulesets: ReturnType<typeof createRulesetReader>, sources: Map<string, SourceFile>) {
  const ruleNames = new Set<string>()
  let hasAllRules = true
  /** Documents with the same ruleset share its problems. */
  const reported = new Set<readonly Finding[]>()
  return {
    names: (): ReadonlySet<string> | undefined => (hasAllRules ? ruleNames : undefined),
    async apply(path: string, check: DescriptionCheck) {
      const pending = appliedRulesets.get(check) ?? applyRuleset(path, check, rulesets)
      appliedRulesets.set(check, pending)
      const { findings, rulesetFindings, ruleNames: names, turnedOff, used, sources: files } = await pending
      for (const name of names) ruleNames.add(name)
      for (const [file, text] of files) sources.set(file, text)
      if (rulesetFindings.length > 0) hasAllRules = false
      const isFirst = !reported.has(rulesetFindings)
      reported.add(rulesetFindings)
      return { findings: isFirst ? [...findings, ...rulesetFindings] : findings, turnedOff, used }
    },
  }
}

/** Applies the exceptions of each document. The documents can share files, so one is unused only if none of them uses it. */
function createExceptionUse(
  { rules: severities, inlineIgnore: isEnabled }: CheckSettings,
  inlineIgnore: boolean,
  ruleNames: () => ReadonlySet<string> | undefined,
) {
  const used = new Set<string>()
  return {
    used,
    async apply(findings: readonly Finding[], check: DescriptionCheck) {
      if (!inlineIgnore || !isEnabled || !mayHaveExceptions(check)) return { findings, problems: [], unused: [] }
      const { applyExceptions } = await import('../rules/exceptions.ts')
      const applied = await applyExceptions({ findings, severities, rules: ruleNames() }, check)
      for (const key of applied.used) used.add(key)
      return applied
    },
  }
}

function toAffectedSubjects(affected: AffectedParts): AffectedSubjects {
  if (affected.kind === 'document') return affected
  // An overview page combines many operations, and errors may hide some of them.
  const overview: Finding | undefined = affected.first
  return {
    kind: 'subjects',
    findError: (target) => {
      const [, kind = '', name = ''] = /^([^ ]*) ?(.*)$/s.exec(target) ?? []
      if (kind === 'webhook') return affected.webhook(name)
      if (kind === 'schema') return affected.schema(name)
      return kind === 'overview' ? overview : affected.operation(kind, name)
    },
  }
}

/** Adds `x-webhooks`, which have pages only on a site. */
function withExtensionWebhooks(description: Description, check: DescriptionCheck, isForSite: boolean): Description {
  const found = collectExtensionWebhooks(check)
  const hide = (one: OperationFields) => ({ ...one, hidden: true, isSiteOnly: !one.hidden })
  const more = isForSite ? found : found.map(({ name, operations }) => ({ name, operations: operations.map(hide) }))
  return more.length === 0 ? description : { ...description, webhooks: [...description.webhooks, ...more] }
}

/** The codes of problems that do not make a document invalid, also if they are errors: the rules are those of a team. */
export const rulesetCodes: readonly DiagnosticCode[] = ['ruleset', 'ruleset-problem']

const exampleCodes = ['example-mismatch', 'default-mismatch', 'enum-mismatch'] as const

/** Whether a file may have exceptions. Cheap, because most files have none. */
function mayHaveExceptions({ sources }: DescriptionCheck): boolean {
  return [...sources.values()].some((source) => {
    return mentions(source, exceptionField) || (syntaxOf(source) === 'yaml' && mentions(source, exceptionComment))
  })
}

/**
 * Converts a document for reports. `divisions` describes where its pages go.
 *
 * @param added The problems that count besides those of the document and its ruleset.
 */
export function toDocumentReport(
  document: CheckedDocument,
  divisions: readonly string[],
  isKnown: (finding: Finding) => boolean = () => false,
  added: readonly Finding[] = [],
): DocumentReport {
  const { path, description, check, isValid, open } = document
  const findings = document.findings.filter((finding) => !isKnown(finding))
  const knownCount = document.findings.length - findings.length
  const counted = [...findings, ...added]
  const count = (severity: Finding['severity']) => counted.filter((finding) => severityOf(finding) === severity).length
  return {
    path,
    version: description?.version,
    valid: isValid,
    operationCount: check.counts.operations,
    webhookCount: check.counts.webhooks,
    schemaCount: check.counts.schemas,
    errorCount: count('error'),
    warningCount: count('warning'),
    infoCount: count('info'),
    ...(knownCount > 0 ? { knownCount } : {}),
    ...(document.affected?.kind === 'subjects' ? { skipped: listSkipped(document) } : {}),
    ...(document.stopped ? { stopped: document.stopped } : {}),
    ...(open && { open }),
    divisions,
  }
}

/** Lists the visible operations and webhooks affected by errors, in page order. */
export function listSkipped({ affected, index }: Pick<CheckedDocument, 'affected' | 'index'>): string[] {
  if (affected?.kind !== 'subjects') return []
  return listVisible(index).filter((target) => affected.findError(target))
}

/** @param alone What the errors affect if they stop only the pages of these operations. */
function findStopped(
  index: DescriptionIndex | undefined,
  affected: AffectedSubjects | undefined,
  alone: AffectedSubjects,
  errors: readonly Finding[],
): StoppedPages | undefined {
  const visible = listVisible(index)
  const operations = affected?.kind === 'subjects' ? listSkipped({ affected, index }) : visible
  if (index && operations.length === 0) return undefined
  const hasOthers = !affected && alone.kind === 'subjects' && visible.some((target) => !alone.findError(target))
  if (hasOthers) return { operations, setting: 'update.onError: operation' }
  const lowered = errors.every(({ code }) => lowerableCodes.includes(code)) ? [...new Set(errors.map(({ code }) => code))] : []
  const setting = `rules: { ${lowered.map((code) => `${code}: warning`).join(', ')} }`
  return { operations, setting: lowered.length > 0 ? setting : undefined }
}

function listVisible(index: DescriptionIndex | undefined): string[] {
  return (index?.subjects ?? []).flatMap(({ hidden, excluded, target }) => (hidden || excluded ? [] : target))
}
