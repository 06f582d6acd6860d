import { type DiagnosticCode, type Finding, severityOf } from '../../diagnostics/diagnostic.ts'
import { applyRules } from '../../diagnostics/finish-diagnostics.ts'
import { type Files, readEach } from '../../files/files.ts'
import {
  type AffectedParts,
  checkDescription,
  type DescriptionCheck,
  findAffected,
} from '../../openapi/checks/check-description.ts'
import { isOverlayDocument } from '../../openapi/overlays/parse-overlay.ts'
import { collectExtensionWebhooks } from '../../openapi/read/collect-operations.ts'
import type { Description } from '../../openapi/types.ts'
import { parseSource, syntaxOf } from '../../text/parse-source.ts'
import { lazy } from '../../text/plain/lists.ts'
import { decodePercent, isUrl, joinPath, normalizePath, parentPath, withoutDocumentExtension } from '../../text/plain/paths.ts'
import { exceptionComment, exceptionField, mentions, type SourceFile, toSourceFile } from '../../text/plain/source-file.ts'
import type { Config } from '../config/project-config.ts'
import type { DocsConfig } from '../navigation/docs-config.ts'
import { nameForDocumentSite } from '../pages/document-site.ts'
import { type PageBindingReading, resolveBinding } from '../pages/page-bindings.ts'
import { indexDescription } from '../pages/subjects.ts'
import { filterDocuments, toLoadDocument, toOverlayOptions } from '../read/find-docs.ts'
import type { DocsDirectory, DocsFiles } from '../read/read-docs-directory.ts'
import { type AppliedRuleset, applyRuleset, createRulesetReader } from '../rules/read-ruleset.ts'
import type { AffectedSubjects, CheckedDocument, CheckTerms, DocsAccess, DocumentReport, OnProgress, PagesFor } from '../types.ts'

/** Checks each document once, even if it is named several times. */
export interface DocumentChecks {
  /** In the order of the first request. */
  readonly documents: ReadonlyMap<string, CheckedDocument>
  readonly sources: ReadonlyMap<string, SourceFile>
  /** The names of the rules that were applied. `undefined` if a ruleset could not be read completely. */
  readonly ruleNames: ReadonlySet<string> | undefined
  /** Checks a document by its path relative to the docs directory, or its URL. */
  check(source: string, named: 'named' | 'not-named'): Promise<CheckedDocument>
}

/** The settings that affect checks. */
type CheckSettings = Pick<Config, 'rules' | 'ignore' | 'inlineIgnore' | 'rulesets' | 'limits' | 'update'>

interface DocumentCheckOptions {
  readonly pagesFor?: PagesFor | undefined
  /** The overlays of a document, relative to the boundary. Default: those of `CheckTerms`. */
  readonly overlaysOf?: ((source: string) => readonly string[]) | undefined
  readonly onProgress?: OnProgress | undefined
}

/** A second step that checks a description again, see `checkedDescriptions`, does not apply its ruleset again. */
const appliedRulesets = new WeakMap<DescriptionCheck, Promise<AppliedRuleset>>()

/** Starts an empty set of checks for a docs directory. */
export function createDocumentChecks(
  root: string,
  access: DocsAccess,
  settings: CheckSettings,
  { rulesets: namedRulesets, inlineIgnore = true, organization, publicOnly, overlays: allOverlays = [] }: CheckTerms = {},
  { pagesFor = 'repository', overlaysOf = () => allOverlays, onProgress }: DocumentCheckOptions = {},
): DocumentChecks {
  const isForSite = pagesFor === 'site' || pagesFor === 'document'
  const isLoose = pagesFor !== 'repository'
  // Check all examples if one of these rules is enabled, however long it takes.
  const wantsExamples = exampleCodes.some((code) => (settings.rules.get(code) ?? 'off') !== 'off')
  const documents = new Map<string, CheckedDocument>()
  const sources = new Map<string, SourceFile>()
  const rulesets = createRulesetUse(createRulesetReader(access, settings, root, namedRulesets), sources)
  const findProblems = createProblemFinder(
    settings,
    rulesets,
    createExceptionUse(settings, inlineIgnore, rulesets.names),
    organization,
  )
  /** A description may have been checked already by an earlier step. */
  const checkAt = async (path: string, source: string) => {
    const overlays = overlaysOf(source)
    const key = JSON.stringify([path, wantsExamples, overlays, publicOnly !== undefined])
    const pending =
      access.checkedDescriptions?.get(key) ??
      checkDescription(path, toLoadDocument(access, path, settings.limits, overlays), {
        limits: settings.limits,
        overlays: await toOverlayOptions(overlays),
        ...(publicOnly && { publicOnly: { ...publicOnly, hides: (target) => publicOnly.hides(source, target) } }),
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
      const affected =
        isValid || isLoose || settings.update.onError === 'document' ? undefined : toAffectedSubjects(findAffected(check, errors))
      // Created on demand: checking a single document does not need it.
      const index = lazy(() => {
        if (!description) return undefined
        const all = indexDescription(isForSite ? withExtensionWebhooks(description, check) : description)
        return pagesFor === 'document' ? nameForDocumentSite(all) : all
      })
      const document: CheckedDocument = {
        source,
        path,
        description,
        check,
        // Complete when all documents have been checked.
        get findings() {
          return findAll()
        },
        organizationFindings,
        isValid,
        affected,
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
  }
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
      const [kind = '', name = ''] = splitTarget(target)
      if (kind === 'webhook') return affected.webhook(name)
      if (kind === 'schema') return affected.schema(name)
      return kind === 'overview' ? overview : affected.operation(kind, name)
    },
  }
}

/** Splits a target after its first word. */
function splitTarget(target: string): [string, string] {
  const space = target.indexOf(' ')
  return space === -1 ? [target, ''] : [target.slice(0, space), target.slice(space + 1)]
}

function withExtensionWebhooks(description: Description, check: DescriptionCheck): Description {
  const more = collectExtensionWebhooks(check)
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
  const { path, description, check, isValid } = document
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
    divisions,
  }
}

/** Lists the visible operations and webhooks affected by errors, in page order. */
export function listSkipped({ affected, index }: Pick<CheckedDocument, 'affected' | 'index'>): string[] {
  if (affected?.kind !== 'subjects') return []
  const visible = (index?.subjects ?? []).filter(({ hidden, excluded }) => !hidden && !excluded)
  return visible.flatMap(({ target }) => (affected.findError(target) ? target : []))
}

/** Resolves the document of a binding relative to the docs directory, else relative to the page. */
export function resolveBindingFile(
  reading: PageBindingReading,
  path: string,
  documents: ReadonlySet<string>,
): PageBindingReading {
  const file = reading.kind === 'bound' ? reading.binding.file : undefined
  if (reading.kind !== 'bound' || file === undefined || isUrl(file)) return reading
  const findIn = (folder: string) =>
    extensions.map((extension) => joinPath(folder, file) + extension).find((candidate) => documents.has(candidate))
  const found = findIn('') === undefined ? findIn(parentPath(path)) : undefined
  return found === undefined ? reading : { ...reading, binding: { ...reading.binding, file: found } }
}

/** Extensions that a binding may omit. */
const extensions = ['', '.json', '.yaml', '.yml']

/** Checks documents named only by pages or navigation entries. Skips URLs, because a page must not trigger requests. */
export async function checkBoundDocuments(
  { root, docsConfig }: DocsDirectory,
  readings: ReadonlyMap<string, PageBindingReading>,
  { documents }: DocsFiles,
  checks: DocumentChecks,
  files: Files,
): Promise<void> {
  const entries = (docsConfig?.divisions ?? []).flatMap((division) => division.entries)
  const inEntries = entries.flatMap((entry) => (entry.kind === 'explicit' ? entry.binding : []))
  const inPages = [...readings.values()].flatMap((reading) => (reading.kind === 'bound' ? reading.binding : []))
  for (const [bindings, named] of [[inEntries, 'named'] as const, [inPages, 'not-named'] as const]) {
    for (const file of new Set(bindings.flatMap((binding) => binding.file ?? []))) {
      if (isUrl(file) || [...checks.documents.keys()].some((source) => matchesDocument(file, source))) continue
      const found = extensions.map((extension) => file + extension).find((path) => documents.includes(path))
      const [only, ...others] =
        found === undefined
          ? await filterDocuments(
              root,
              documents.filter((path) => matchesDocument(file, path, 'in-any-folder')),
              files,
            )
          : [found]
      if (only !== undefined && others.length === 0) await checks.check(only, named)
    }
  }
}

/** Whether the file of a binding matches a document. The binding may omit the extension, and with `in-any-folder` the folders. */
export function matchesDocument(file: string, source: string, where: 'here' | 'in-any-folder' = 'here'): boolean {
  const isAt = (path: string) => path === file || (where === 'in-any-folder' && path.endsWith(`/${file}`))
  return isAt(source) || isAt(withoutDocumentExtension(source))
}

/** If no named document has the operation of a binding without a file, checks every document in the docs directory. */
export async function discoverDocuments(
  root: string,
  readings: ReadonlyMap<string, PageBindingReading>,
  docsFiles: DocsFiles,
  checks: DocumentChecks,
  files: Files,
): Promise<void> {
  const isOpen = [...readings.values()].some((reading) => {
    if (reading.kind !== 'bound' || reading.binding.file !== undefined) return false
    const { kind } = resolveBinding(reading.binding, [...checks.documents.values()])
    return kind === 'missing' || kind === 'no-document'
  })
  if (!isOpen) return
  const unknown = docsFiles.documents.filter((path) => !checks.documents.has(path))
  for (const path of await filterDocuments(root, unknown, files)) await checks.check(path, 'not-named')
}

/** The overlays of the documents of a docs directory. */
interface DocumentOverlays {
  /** The overlays of a document, in the order in which they apply: URLs, or paths relative to the boundary. */
  of(source: string): readonly string[]
  readonly findings: readonly Finding[]
  /** Where `docs.json` names an overlay, by path. */
  readonly locations: ReadonlyMap<string, Pick<Finding, 'file' | 'pointer'>>
}

/** The largest file that is examined for an overlay that `docs.json` does not name. Overlays are written by people. */
const maxBytes = 4 * 1024 * 1024

/**
 * Finds the overlays of each document: those that `docs.json` lists for it, else all Overlay documents of the docs directory that name it
 * in `extends`, sorted by path.
 *
 * @param candidates the JSON and YAML files of the docs directory, relative to it.
 */
export async function findOverlays(
  root: string,
  docsConfig: DocsConfig | undefined,
  candidates: readonly string[],
  files: Files,
  overlays: readonly string[] | undefined,
): Promise<DocumentOverlays> {
  if (overlays) return { of: () => overlays, findings: [], locations: new Map() }
  const listed = new Map<string, readonly string[]>()
  const findings: Finding[] = []
  const locations = new Map<string, Pick<Finding, 'file' | 'pointer'>>()
  const file = docsConfig?.source.path ?? ''
  const sources = [...(docsConfig?.divisions ?? []).flatMap((division) => division.sources), ...(docsConfig?.apiSources ?? [])]
  for (const { source, overlays: named } of sources) {
    if (!named) continue
    const paths = named.paths.map((path) => (isUrl(path) ? path : joinPath(root, path)))
    for (const [index, path] of paths.entries()) locations.set(path, { file, pointer: `${named.pointer}/${index}` })
    const first = listed.get(source)
    if (!first) listed.set(source, paths)
    else if (first.join('\n') !== paths.join('\n')) {
      const message = `Unexpected \`overlays\` of \`${source}\`, expected the same list as in the entry before`
      const hint = 'Use the same overlays in all entries of a document, or copy the document'
      findings.push({ code: 'overlay-lists', message, file, pointer: named.pointer, on: 'key', hint })
    }
  }
  const extending = await findExtending(root, candidates, files)
  return { of: (source) => listed.get(source) ?? extending.get(source) ?? [], findings, locations }
}

/** Finds the Overlay documents that name a document in `extends`: source → paths relative to the boundary. */
async function findExtending(
  root: string,
  candidates: readonly string[],
  files: Files,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for await (const [path, result] of readEach(candidates.toSorted(), (path) => files.read(joinPath(root, path), maxBytes))) {
    if (result.kind !== 'file' || !mayExtend(result.bytes)) continue
    const { value } = await parseSource(toSourceFile(path, result.bytes))
    const target = isOverlayDocument(value) ? value['extends'] : undefined
    if (typeof target !== 'string') continue
    for (const source of resolveExtends(target, path)) found.set(source, [...(found.get(source) ?? []), joinPath(root, path)])
  }
  return found
}

function mayExtend(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return text.includes('overlay') && text.includes('extends') && text.includes('actions')
}

/** The sources that `extends` can mean: relative to the overlay, or to the docs directory with a leading `/`. */
function resolveExtends(target: string, path: string): string[] {
  if (isUrl(target)) return [target]
  const written = decodePercent(target.replace(/#.*$/s, ''))
  return [written.startsWith('/') ? normalizePath(written.slice(1)) : joinPath(parentPath(path), written)]
}
