import { type DiagnosticCode, diagnosticCodes, type Finding, type RelatedFinding } from '../../diagnostics/diagnostic.ts'
import { type IntegerReading, isDeeperThan, parentPointer } from '../../text/json/json-values.ts'
import { defaultLimits, type Limits, limitHint } from '../../text/plain/limits.ts'
import { type SourceFile, sizeOf } from '../../text/plain/source-file.ts'
import { type DocumentSet, type LoadDocument, type ReferenceUse, toDocumentSet, type WalkedDocument } from '../document-set.ts'
import type { CheckedDescription } from '../hints/explain-indentation.ts'
import { addQuoteHints } from '../hints/problem-hints.ts'
import { addFinding } from '../hints/report-problem.ts'
import { createSuggest } from '../hints/suggestions.ts'
import type { OverlayOptions } from '../overlays/overlay-entry.ts'
import type { PublicOnly } from '../public/hide-parts.ts'
import {
  collectCallbackOperations,
  collectOperations,
  collectPathItems,
  toListParameters,
  toWebhook,
} from '../read/collect-operations.ts'
import { detectVersion } from '../read/detect-version.ts'
import { listSchemaNames, toDescription } from '../read/to-description.ts'
import { walkDescription } from '../read/walk-description.ts'
import { toFindUri } from '../references/find-target.ts'
import { toFollowReference } from '../references/follow-reference.ts'
import type { Description, FollowReference, OperationFields, Webhook } from '../types.ts'
import type { Check, CheckContext } from './check-context.ts'
import { discriminatorMapping } from './discriminator-mapping.ts'
import { discriminatorProperty } from './discriminator-property.ts'
import { encodingProperty } from './encoding-property.ts'
import { imageAlt } from './image-alt.ts'
import { linkTarget } from './link-target.ts'
import { nullableIgnored } from './nullable-ignored.ts'
import { operationIdUnique } from './operation-id-unique.ts'
import { parameterUnique } from './parameter-unique.ts'
import { pathAmbiguous } from './path-ambiguous.ts'
import { pathParameter } from './path-parameter.ts'
import { pathTemplate } from './path-template.ts'
import { referenceCircular } from './reference-circular.ts'
import { securityScheme } from './security-scheme.ts'
import { securityScope } from './security-scope.ts'
import { serverVariable } from './server-variable.ts'
import { tagParent } from './tag-parent.ts'
import { tagUndeclared } from './tag-undeclared.ts'
import { tagUnique } from './tag-unique.ts'
import { unusedComponent } from './unused-component.ts'

/** The result of a check. */
export interface DescriptionCheck {
  /** The description. Invalid documents have a partial description, or none. */
  readonly description: Description | undefined
  /** The number of operations under `paths`, entries of `webhooks` and named schemas. */
  readonly counts: DescriptionCounts
  /** In no particular order: `finishDiagnostics` sorts them. */
  readonly findings: readonly Finding[]
  /** All files that were read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** All parsed files by path, with the targets of their references. */
  readonly documents: ReadonlyMap<string, WalkedDocument>
  /** The Overlay documents that apply to the entry document, in order. They are also in `sources`. */
  readonly overlays: readonly string[]
  /** Follows a `$ref` of the description. Absent if there is no description. */
  readonly follow: FollowReference | undefined
  /** With `publicOnly`, the restricted parts that were left out, as `file#pointer`. `unknown`: the whole description, because not all of them are known. */
  readonly restricted?: readonly string[] | 'unknown'
  /** The operations and webhooks that were left out, such as `GET /pets`. */
  readonly restrictedTargets?: ReadonlySet<string>
}

interface DescriptionCounts {
  readonly operations: number
  readonly webhooks: number
  readonly schemas: number
}

const noCounts: DescriptionCounts = { operations: 0, webhooks: 0, schemas: 0 }

/** The checks of the whole description by the code of their problems. */
const checks: { readonly [code in DiagnosticCode]?: Check } = {
  'operation-id-unique': operationIdUnique,
  'parameter-unique': parameterUnique,
  'path-parameter': pathParameter,
  'path-template': pathTemplate,
  'path-ambiguous': pathAmbiguous,
  'security-scheme': securityScheme,
  'security-scope': securityScope,
  'server-variable': serverVariable,
  'tag-unique': tagUnique,
  'tag-parent': tagParent,
  'tag-undeclared': tagUndeclared,
  'link-target': linkTarget,
  'discriminator-mapping': discriminatorMapping,
  'discriminator-property': discriminatorProperty,
  'encoding-property': encodingProperty,
  'unused-component': unusedComponent,
  'nullable-ignored': nullableIgnored,
  'image-alt': imageAlt,
}

/** The default for `exampleLimit`. */
const defaultExampleLimit = 4 * 1024 * 1024

interface DescriptionOptions {
  /** The largest entry document, in bytes, with checks of examples, defaults and enums. */
  readonly exampleLimit?: number
  readonly limits?: Limits
  /** Leaves out checks that find no errors, such as those of examples and of unused components. Default: false. */
  readonly errorsOnly?: boolean
  /** `exact` keeps large integers so that the description can be written again. Default: `rounded`. */
  readonly integers?: IntegerReading
  /** The overlays to apply before the check. */
  readonly overlays?: OverlayOptions | undefined
  /** Leaves out what only some readers may see. Default: nothing is left out. */
  readonly publicOnly?: PublicOnly | undefined
}

/**
 * Reads an entry document with all its references and checks it against OpenAPI 3.0, 3.1 or 3.2.
 *
 * Never rejects: every problem is a diagnostic, including a file that cannot be loaded.
 */
export async function checkDescription(
  entryPath: string,
  load: LoadDocument,
  options: DescriptionOptions = {},
): Promise<DescriptionCheck> {
  const { limits = defaultLimits, integers = 'rounded', overlays, publicOnly } = options
  const set = toDocumentSet(load, limits, integers)
  await set.load(entryPath)
  if (overlays && overlays.paths.length > 0 && set.documents.get(entryPath)?.parsed.value !== undefined) {
    const { overlayEntry } = await import('../overlays/overlay-entry.ts')
    set.findings.push(...(await overlayEntry(entryPath, set, overlays, limits)))
  }
  const check = await checkSet(entryPath, set, options)
  if (!publicOnly) return check
  const { hideParts } = await import('../public/hide-parts.ts')
  const hidden = hideParts(check, set, publicOnly)
  if (hidden.kind === 'none') return check
  if (hidden.kind === 'unknown') {
    const { sources, overlays } = check
    const findings = [...check.findings, ...hidden.findings]
    return { ...unknown, sources, overlays, findings, documents: new Map(), restricted: 'unknown' }
  }
  // Checked again, because everything that reads the result must not find what was left out.
  const shown = await checkSet(entryPath, set, options)
  const documents = new Map([...shown.documents].filter(([, { parsed }]) => parsed.value !== undefined))
  const targets = listTargets(shown)
  const restrictedTargets = new Set([...listTargets(check)].filter((target) => !targets.has(target)))
  return { ...shown, documents, restricted: hidden.parts, restrictedTargets }
}

function listTargets(check: DescriptionCheck): Set<string> {
  const { operations = [], webhooks = [] } = check.description ?? {}
  const named = [...webhooks, ...(check.follow ? collectExtensionWebhooks(check) : [])].filter((one) => one.operations.length > 0)
  return new Set([
    ...operations.map(({ method, pathTemplate }) => `${method.toUpperCase()} ${pathTemplate}`),
    ...named.map(({ name }) => `webhook ${name}`),
  ])
}

const unknown = { description: undefined, counts: noCounts, follow: undefined }

async function checkSet(
  entryPath: string,
  set: DocumentSet,
  { exampleLimit = defaultExampleLimit, limits = defaultLimits, errorsOnly = false, overlays }: DescriptionOptions,
): Promise<DescriptionCheck> {
  const read = { sources: set.sources, documents: set.documents, overlays: overlays?.paths ?? [] }
  const entry = set.documents.get(entryPath)
  const failure = set.failures.get(entryPath)
  if (failure) {
    const { code, reason, hint, severity } = failure
    const message = `Cannot read \`${entryPath}\`: ${reason}`
    set.findings.push({
      code,
      message,
      file: entryPath,
      pointer: '',
      ...(hint !== undefined && { hint }),
      ...(severity && { severity }),
    })
  }
  const value = entry?.parsed.value
  if (!entry || value === undefined) return { ...unknown, findings: set.findings, ...read }
  const { release, version, findings: versionFindings } = detectVersion(entryPath, value)
  if (release === undefined) {
    return { ...unknown, findings: [...set.findings, ...versionFindings], ...read }
  }
  const wantsDescribed = !errorsOnly && sizeOf(entry.parsed.source) <= exampleLimit
  const {
    findings: walkFindings,
    unquoted,
    collected,
    isTooDeep,
    find,
  } = await walkDescription(entry, { release, version, wantsDescribed, errorsOnly, limits }, set)
  const deepValue = isTooDeep ? undefined : reportDeepValue(set, limits)
  if (isTooDeep || deepValue) {
    const findings = [...set.findings, ...versionFindings, ...walkFindings, ...(deepValue ? [deepValue] : [])]
    return { ...unknown, findings, ...read }
  }
  const quoted = unquoted.size === 0 ? walkFindings : await addQuoteHints(walkFindings, unquoted, set.sources)

  const root = { file: entryPath, pointer: '', value }
  const follow = toFollowReference(find)
  const paths = collectPathItems(root, 'paths', follow)
  const operations = paths.flatMap((entry) => collectOperations(entry, follow))
  const webhooks = (release === '3.0' ? [] : collectPathItems(root, 'webhooks', follow)).map((entry) => {
    return { entry, operations: collectOperations(entry, follow) }
  })
  const webhookOperations = webhooks.flatMap((webhook) => webhook.operations)
  const suggest = createSuggest()
  const context: CheckContext = {
    release,
    root,
    paths,
    operations,
    webhookOperations,
    callbackOperations: collectCallbackOperations([...operations, ...webhookOperations], follow),
    follow,
    findUri: toFindUri(set, suggest),
    documents: set.documents,
    collected: collected,
    listParameters: toListParameters(follow),
    suggest,
  }
  const checkFindings: Finding[] = []
  const report = (finding: Finding) => {
    addFinding(checkFindings, finding)
  }
  for (const [code, check] of Object.entries(checks)) {
    // The keys of `checks` are codes.
    if (!errorsOnly || diagnosticCodes[code as DiagnosticCode].severity === 'error') check(context, report)
  }
  referenceCircular(set, find, report)
  if (collected.responses.length > 0) {
    const { checkResponseCodes } = await import('./response-code-quotes.ts')
    for (const finding of await checkResponseCodes(collected.responses, set.sources, release)) report(finding)
  }
  if (collected.described.length > 0) {
    const { checkDescribed } = await import('./check-described.ts')
    checkDescribed(context, find, report)
  }

  const { listParameters } = context
  const description = toDescription({ release, version, root, operations, webhooks, follow, listParameters })
  const counts = { operations: operations.length, webhooks: webhooks.length, schemas: listSchemaNames(root, follow).length }
  const all = [...set.findings, ...versionFindings, ...quoted, ...checkFindings]
  const { documents, sources } = set
  const findings = addChains(
    quoted.length === 0 && !checkFindings.some(({ code }) => code === 'security-scheme')
      ? all
      : await explain({ findings: all, documents, sources }),
    entryPath,
    documents,
  )
  return { description, counts, findings, ...read, follow }
}

/** Reports values that are nested deeper than the walk can, such as an example. What reads them later would overflow the stack. */
function reportDeepValue({ documents }: DocumentSet, limits: Limits): Finding | undefined {
  const { nesting } = limits.values
  const document = [...documents.values()].find(({ parsed }) => isDeeperThan(parsed.value, nesting))
  if (!document) return undefined
  const message = `Unexpected nesting of more than ${nesting} levels`
  return {
    code: 'too-complex',
    message,
    file: document.path,
    pointer: '',
    hint: limitHint('nesting', limits, 'Shorten the deepest value'),
  }
}

/** Loads the explanations only when there are diagnostics to explain. */
async function explain(found: CheckedDescription): Promise<readonly Finding[]> {
  const { explainIndentation, dropUnused } = await import('../hints/explain-indentation.ts')
  return dropUnused(await explainIndentation(found), found.documents)
}

/** Longer chains are cut. */
const maxLinks = 3

/**
 * Adds the chain of references, nearest first, to diagnostics in other files than the entry document.
 *
 * Diagnostics below one location share one list, because there can be very many.
 */
function addChains(
  findings: readonly Finding[],
  entryPath: string,
  documents: ReadonlyMap<string, WalkedDocument>,
): readonly Finding[] {
  if (!findings.some(({ file }) => file !== entryPath)) return findings
  const chains = new Map<ReferenceUse, readonly RelatedFinding[]>()
  return findings.map((finding) => {
    const use = finding.file === entryPath ? undefined : findUse(finding, documents)
    if (!use) return finding
    let chain = chains.get(use)
    if (!chain) {
      chain = listUses(use, entryPath, documents)
      chains.set(use, chain)
    }
    return { ...finding, related: finding.related ? [...finding.related, ...chain] : chain }
  })
}

/** The reference to a location or to an object that contains it. */
function findUse(
  { file, pointer }: { readonly file: string; readonly pointer: string },
  documents: ReadonlyMap<string, WalkedDocument>,
): ReferenceUse | undefined {
  const uses = documents.get(file)?.uses
  if (!uses || uses.size === 0) return undefined
  for (let at = pointer; ; at = parentPointer(at)) {
    const use = uses.get(at)
    if (use || at === '') return use
  }
}

function listUses(first: ReferenceUse, entryPath: string, documents: ReadonlyMap<string, WalkedDocument>): RelatedFinding[] {
  const chain: RelatedFinding[] = []
  const seen = new Set<ReferenceUse>()
  for (let use: ReferenceUse | undefined = first; use && !seen.has(use) && chain.length < maxLinks; ) {
    seen.add(use)
    chain.push({ ...use, message: chain.length === 0 ? 'reached from' : 'which is reached from' })
    use = use.file === entryPath ? undefined : findUse(use, documents)
  }
  return chain
}

/**
 * Lists the entries of `x-webhooks`, which OpenAPI 3.0 descriptions use in place of `webhooks`, unless `webhooks` has the same name.
 * They are not checked, because OpenAPI does not define this field. Entries without a tag get the tag `Webhooks`. A summary that is too
 * long for a title becomes part of the description.
 */
export function collectExtensionWebhooks({ description, documents, follow }: DescriptionCheck): Webhook[] {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow) return []
  const known = new Set(description.webhooks.map(({ name }) => name))
  const listParameters = toListParameters(follow)
  const entries = collectPathItems({ file: description.entryPath, pointer: '', value }, 'x-webhooks', follow)
  return entries
    .filter(({ name }) => !known.has(name))
    .map((entry) => {
      const webhook = toWebhook(entry, collectOperations(entry, follow), listParameters)
      return { ...webhook, operations: webhook.operations.map(withTitle).map(withTag) }
    })
}

/** Longest summary that can serve as a title, in UTF-16 units. */
const maxTitleLength = 100

function withTitle(operation: OperationFields): OperationFields {
  const { summary, description } = operation
  if (summary === undefined || (summary.length <= maxTitleLength && !summary.trim().includes('\n'))) return operation
  const texts = [description, summary].filter((text) => text !== undefined && text.trim() !== '')
  return { ...operation, summary: undefined, description: texts.join('\n\n') }
}

function withTag(operation: OperationFields): OperationFields {
  return operation.tags.length > 0 ? operation : { ...operation, tags: ['Webhooks'] }
}
