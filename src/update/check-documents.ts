import { applyRules } from '../diagnostics/apply-rules.ts'
import { diagnosticCodes } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import type { Config } from '../docs-config/project-config.ts'
import { checkDescription, collectExtensionWebhooks, type DescriptionCheck } from '../openapi/check-description.ts'
import type { AffectedParts } from '../openapi/find-affected.ts'
import type { Description } from '../openapi/types.ts'
import { nameForDocumentSite } from '../pages/document-site.ts'
import type { BindableDocument } from '../pages/page-bindings.ts'
import { indexDescription } from '../pages/subjects.ts'
import type { DescriptionIndex } from '../pages/types.ts'
import { isUrl, joinPath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { toLoadDocument, toOverlayOptions } from './to-load-document.ts'
import type { DocumentReport, PagesFor, UpdateEnvironment } from './types.ts'

/** A document and the result of its check. */
export interface CheckedDocument extends BindableDocument {
  /** Relative to the boundary, or a URL. */
  readonly path: string
  readonly description: Description | undefined
  /** The complete check with all files that were read. */
  readonly check: DescriptionCheck
  readonly findings: readonly Finding[]
  readonly isValid: boolean
  /** What the errors of the document affect. Only set with `update.onError: operation`. */
  readonly affected: AffectedSubjects | undefined
  /** The readable parts of a document with errors. Never used to write pages. */
  readonly looseIndex: DescriptionIndex | undefined
  /** Whether the file could be read. */
  readonly isLoaded: boolean
}

/** The pages that the errors of a document affect. */
type AffectedSubjects =
  | { readonly kind: 'document'; readonly error: Finding }
  | { readonly kind: 'subjects'; readonly findError: (target: string) => Finding | undefined }

/** Checks each document once, even if it is named several times. */
export interface DocumentChecks {
  /** In the order of the first request. */
  readonly documents: ReadonlyMap<string, CheckedDocument>
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Checks a document by its path relative to the docs directory, or its URL. */
  check(source: string, named: 'named' | 'not-named'): Promise<CheckedDocument>
}

/** The settings that affect checks. */
type CheckSettings = Pick<Config, 'rules' | 'ignore' | 'limits' | 'update'>

interface DocumentCheckOptions {
  readonly pagesFor?: PagesFor
  /** The overlays of a document, relative to the boundary. Default: those of the environment. */
  readonly overlaysOf?: ((source: string) => readonly string[]) | undefined
}

/** Starts an empty set of checks for a docs directory. */
export function createDocumentChecks(
  root: string,
  environment: UpdateEnvironment,
  settings: CheckSettings,
  { pagesFor = 'repository', overlaysOf = () => environment.overlays ?? [] }: DocumentCheckOptions = {},
): DocumentChecks {
  const isForSite = pagesFor === 'site' || pagesFor === 'document'
  const isLoose = pagesFor !== 'repository'
  // Check all examples if one of these rules is enabled, however long it takes.
  const wantsExamples = exampleCodes.some((code) => (settings.rules.get(code) ?? 'off') !== 'off')
  const documents = new Map<string, CheckedDocument>()
  const sources = new Map<string, SourceFile>()
  return {
    documents,
    sources,
    async check(source, named) {
      const known = documents.get(source)
      if (known) return known
      const path = isUrl(source) ? source : joinPath(root, source)
      environment.onProgress?.(`checking ${path}`)
      const overlays = overlaysOf(source)
      const { publicOnly } = environment
      const key = JSON.stringify([path, wantsExamples, overlays, publicOnly !== undefined])
      const pending =
        environment.checkedDescriptions?.get(key) ??
        checkDescription(path, toLoadDocument(environment, path, settings.limits), {
          limits: settings.limits,
          overlays: await toOverlayOptions(overlays),
          ...(publicOnly && { publicOnly: { ...publicOnly, hides: (target) => publicOnly.hides(source, target) } }),
          ...(wantsExamples ? { exampleLimit: Number.POSITIVE_INFINITY } : {}),
        })
      environment.checkedDescriptions?.set(key, pending)
      const check = await pending
      for (const [file, text] of check.sources) sources.set(file, text)
      const { description } = check
      const findings = applyRules(check.findings, { severities: settings.rules, ignores: settings.ignore })
      const errors = findings.filter((finding) => severityOf(finding) === 'error')
      const isValid = description !== undefined && errors.length === 0
      const affected =
        isValid || isLoose || settings.update.onError === 'document'
          ? undefined
          : toAffectedSubjects((await import('../openapi/find-affected.ts')).findAffected(check, errors))
      // Created on demand: checking a single document does not need it.
      let created: DescriptionIndex | undefined
      const index = () => {
        if (!description) return undefined
        if (!created) {
          const index = indexDescription(isForSite ? withExtensionWebhooks(description, check) : description)
          created = pagesFor === 'document' ? nameForDocumentSite(index) : index
        }
        return created
      }
      const document: CheckedDocument = {
        source,
        path,
        description,
        check,
        findings,
        isValid,
        affected,
        get index() {
          return isValid || isLoose || affected?.kind === 'subjects' ? index() : undefined
        },
        get looseIndex() {
          return isValid ? undefined : index()
        },
        isPartial: !isValid,
        isNamed: named === 'named',
        isLoaded: check.sources.has(path),
      }
      documents.set(source, document)
      return document
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

const exampleCodes = ['example-mismatch', 'default-mismatch', 'enum-mismatch'] as const

/** Converts a document for reports. `divisions` describes where its pages go. */
export function toDocumentReport(
  document: CheckedDocument,
  divisions: readonly string[],
  isKnown: (finding: Finding) => boolean = () => false,
): DocumentReport {
  const { path, description, check, isValid } = document
  const findings = document.findings.filter((finding) => !isKnown(finding))
  const knownCount = document.findings.length - findings.length
  const count = (severity: Finding['severity']) => findings.filter((finding) => severityOf(finding) === severity).length
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

/** The severity of a problem after `applyRules`. */
export function severityOf({ code, severity }: Finding) {
  return severity ?? diagnosticCodes[code].severity
}
