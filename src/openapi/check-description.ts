import type { Finding } from '../diagnostic/diagnostic.ts'
import { defaultLimits, type Limits } from '../text/limits.ts'
import type { IntegerReading } from '../text/parse-json.ts'
import { type SourceFile, sizeOf } from '../text/source-file.ts'
import { addChains } from './add-chains.ts'
import { addFinding } from './add-finding.ts'
import type { Check, CheckContext } from './checks/check.ts'
import { discriminatorMapping } from './checks/discriminator-mapping.ts'
import { discriminatorProperty } from './checks/discriminator-property.ts'
import { encodingProperty } from './checks/encoding-property.ts'
import { linkTarget } from './checks/link-target.ts'
import { toListParameters } from './checks/list-parameters.ts'
import { operationIdUnique } from './checks/operation-id-unique.ts'
import { parameterUnique } from './checks/parameter-unique.ts'
import { pathAmbiguous } from './checks/path-ambiguous.ts'
import { pathParameter } from './checks/path-parameter.ts'
import { pathTemplate } from './checks/path-template.ts'
import { referenceCircular } from './checks/reference-circular.ts'
import { securityScheme } from './checks/security-scheme.ts'
import { securityScope } from './checks/security-scope.ts'
import { serverVariable } from './checks/server-variable.ts'
import { tagParent } from './checks/tag-parent.ts'
import { tagUndeclared } from './checks/tag-undeclared.ts'
import { tagUnique } from './checks/tag-unique.ts'
import { unusedComponent } from './checks/unused-component.ts'
import { collectCallbackOperations, collectOperations, collectPathItems } from './collect-operations.ts'
import { listSchemaNames } from './collect-schemas.ts'
import { detectVersion } from './detect-version.ts'
import { toDocumentSet, type WalkedDocument } from './document-set.ts'
import type { FoundIn } from './explain-indentation.ts'
import { toFindUri } from './find-uri.ts'
import { type FollowReference, toFollowReference } from './follow-reference.ts'
import type { LoadDocument } from './load-document.ts'
import { addQuoteHints } from './quote-hints.ts'
import { toSparingSuggest } from './suggest-sparingly.ts'
import { toDescription } from './to-description.ts'
import type { Description } from './types.ts'
import { walkDescription } from './walk-description.ts'

/** What is known of a description after its check. */
export interface DescriptionCheck {
  /** Of an invalid description what could be told; absent when that is nothing. */
  readonly description: Description | undefined
  /** How many operations under `paths`, entries of `webhooks` and named schemas the description has: told without listing them. */
  readonly counts: DescriptionCounts
  /** In no particular order: `finishDiagnostics` sorts them. */
  readonly findings: readonly Finding[]
  /** Every file that was read, by its path. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Every file that could be parsed, with where its references lead, by its path. */
  readonly documents: ReadonlyMap<string, WalkedDocument>
  /** Follows any `$ref` of the description; absent where there is none to follow. */
  readonly follow: FollowReference | undefined
}

interface DescriptionCounts {
  readonly operations: number
  readonly webhooks: number
  readonly schemas: number
}

const noCounts: DescriptionCounts = { operations: 0, webhooks: 0, schemas: 0 }

const checks: readonly Check[] = [
  operationIdUnique,
  parameterUnique,
  pathParameter,
  pathTemplate,
  pathAmbiguous,
  securityScheme,
  securityScope,
  serverVariable,
  tagUnique,
  tagParent,
  tagUndeclared,
  linkTarget,
  discriminatorMapping,
  discriminatorProperty,
  encodingProperty,
  unusedComponent,
]

/** Largest entry document, in bytes, whose examples are compared with their schemas where nobody asks for it. */
const defaultExampleLimit = 4 * 1024 * 1024

export interface DescriptionOptions {
  /** The largest entry document, in bytes, whose examples, defaults and choices are compared with their schemas. */
  readonly exampleLimit?: number
  readonly limits?: Limits
  /** `exact` for a description that is written again. Default: `rounded`. */
  readonly integers?: IntegerReading
}

/**
 * Reads an entry document with all that it references and checks it against OpenAPI 3.0, 3.1 or 3.2.
 *
 * Never rejects: whatever is wrong, also a file that cannot be loaded, is a finding.
 */
export async function checkDescription(
  entryPath: string,
  load: LoadDocument,
  { exampleLimit = defaultExampleLimit, limits = defaultLimits, integers = 'rounded' }: DescriptionOptions = {},
): Promise<DescriptionCheck> {
  const set = toDocumentSet(load, limits, integers)
  const read = { sources: set.sources, documents: set.documents }
  const unknown = { description: undefined, counts: noCounts, follow: undefined }
  await set.load(entryPath)
  const entry = set.documents.get(entryPath)
  const failure = set.failures.get(entryPath)
  if (failure) {
    const { code, reason, hint } = failure
    const message = `Cannot read \`${entryPath}\`: ${reason}`
    set.findings.push({ code, message, file: entryPath, pointer: '', ...(hint === undefined ? {} : { hint }) })
  }
  const value = entry?.parsed.value
  if (!entry || value === undefined) return { ...unknown, findings: set.findings, ...read }
  const { release, version, findings: versionFindings } = detectVersion(entryPath, value)
  if (release === undefined) {
    return { ...unknown, findings: [...set.findings, ...versionFindings], ...read }
  }
  const wantsDescribed = sizeOf(entry.parsed.source) <= exampleLimit
  const {
    findings: walkFindings,
    unquoted,
    met,
    find,
  } = await walkDescription(entry, { release, version, wantsDescribed, limits }, set)
  const quoted = unquoted.size === 0 ? walkFindings : await addQuoteHints(walkFindings, unquoted, set.sources)

  const root = { file: entryPath, pointer: '', value }
  const follow = toFollowReference(find)
  const paths = collectPathItems(root, 'paths', follow)
  const operations = paths.flatMap((entry) => collectOperations(entry, follow))
  const webhooks = (release === '3.0' ? [] : collectPathItems(root, 'webhooks', follow)).map((entry) => {
    return { entry, operations: collectOperations(entry, follow) }
  })
  const webhookOperations = webhooks.flatMap((webhook) => webhook.operations)
  const suggest = toSparingSuggest()
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
    met,
    listParameters: toListParameters(follow),
    suggest,
  }
  const checkFindings: Finding[] = []
  const report = (finding: Finding) => {
    addFinding(checkFindings, finding)
  }
  for (const check of checks) check(context, report)
  referenceCircular(set, find, report)
  if (met.described.length > 0) {
    const { checkDescribed } = await import('./instances/check-described.ts')
    checkDescribed(context, find, report)
  }

  const { listParameters } = context
  const description = toDescription({ release, version, root, operations, webhooks, follow, listParameters })
  const counts = { operations: operations.length, webhooks: webhooks.length, schemas: listSchemaNames(root, follow).length }
  const told = [...set.findings, ...versionFindings, ...quoted, ...checkFindings]
  const { documents, sources } = set
  const findings = addChains(
    quoted.length === 0 && !checkFindings.some(({ code }) => code === 'security-scheme')
      ? told
      : await explain({ findings: told, documents, sources }),
    entryPath,
    documents,
  )
  return { description, counts, findings, ...read, follow }
}

/** Loaded only where there is something to explain. */
async function explain(found: FoundIn): Promise<readonly Finding[]> {
  const [{ explainIndentation }, { dropUnused }] = await Promise.all([
    import('./explain-indentation.ts'),
    import('./drop-unused.ts'),
  ])
  return dropUnused(await explainIndentation(found), found.documents)
}
