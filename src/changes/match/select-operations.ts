import { type DescriptionCheck, findAffected } from '../../checks/check-description.ts'
import type { DiagnosticCode, Finding } from '../../diagnostics/diagnostic.ts'
import { matchWildcards } from '../../text/plain/paths.ts'
import { type ChangedOperation, type ComparableDescription, toChangedKey } from '../change.ts'
import { type MatchedOperation, matchAllOperations } from './match-operations.ts'

/** The operations to report. An operation must match one of the paths, the pattern and one of the tags, if there are any. */
export interface OperationFilter {
  /** Paths. `*` matches any characters, also `/`. A webhook has the path `webhook:<name>`. */
  readonly paths: readonly string[]
  /** Matches a part of the path. Default: every path. */
  readonly pathPattern?: RegExp | undefined
  readonly tags: readonly string[]
}

/**
 * Selects the changes that affect an operation of the filter. The path and the tags of an operation can match in either version.
 *
 * Without a filter, selects all changes. Otherwise, leaves out changes of the document.
 */
export function selectChanges<One extends { readonly operations: readonly ChangedOperation[] }>(
  changes: readonly One[],
  { paths, pathPattern, tags }: OperationFilter,
  base: ComparableDescription,
  revision: ComparableDescription,
  ignoredPrefixes: readonly string[] = [],
): readonly One[] {
  if (paths.length === 0 && tags.length === 0 && !pathPattern) return changes
  const selected = new Set<string>()
  for (const { operation, ...versions } of matchAllOperations(base, revision, ignoredPrefixes)) {
    const found = [versions.base, versions.revision].filter((one) => one !== undefined)
    const names = [operation.path, ...(versions.isWebhook ? [] : found.map(({ entry }) => entry.name))]
    const isInPaths = paths.length === 0 || paths.some((pattern) => names.some((name) => matchWildcards(name, pattern, '*')))
    const isInTags = tags.length === 0 || found.some(({ fields }) => fields.tags.some((tag) => tags.includes(tag)))
    const isMatched = !pathPattern || names.some((name) => pathPattern.test(name))
    if (isInPaths && isMatched && isInTags) selected.add(toChangedKey(operation))
  }
  return changes.filter(({ operations }) => operations.some((operation) => selected.has(toChangedKey(operation))))
}

/** A version of a description with its problems. */
export interface CheckedVersion {
  readonly check: DescriptionCheck
  readonly findings: readonly Finding[]
}

/** Lists the operations with parts that cannot be read in one of the versions, so that these parts are not compared. */
export function listIncomplete(
  matched: readonly MatchedOperation[],
  versions: { readonly base: CheckedVersion | undefined; readonly revision: CheckedVersion | undefined },
): readonly ChangedOperation[] {
  const [isUnreadInBase, isUnread] = [toIsUnread(versions.base), toIsUnread(versions.revision)]
  return matched
    .filter(({ base, revision, isUnknown, isWebhook }) => {
      return isUnknown || isUnreadInBase(base, isWebhook) || isUnread(revision, isWebhook)
    })
    .map(({ operation }) => operation)
}

function toIsUnread(version: CheckedVersion | undefined): (one: MatchedOperation['base'], isWebhook: boolean) => boolean {
  const entryPath = version?.check.description?.entryPath
  const affected =
    version &&
    findAffected(
      version.check,
      version.findings.filter((finding) => hidesPart(finding, entryPath)),
    )
  return (one, isWebhook) => {
    if (!one || affected?.kind !== 'parts') return false
    const { entry, fields } = one
    return (isWebhook ? affected.webhook(entry.name) : affected.operation(fields.method, entry.name)) !== undefined
  }
}

const hidingCodes: ReadonlySet<DiagnosticCode> = new Set([
  ...(['wrong-type', 'reference-unresolved', 'reference-circular', 'url-unreachable', 'url-refused'] as const),
  ...(['file-missing', 'file-unreadable', 'file-outside-boundary', 'file-too-large'] as const),
])

/** Whether the comparison skips the part with the problem. */
function hidesPart({ code, file, pointer }: Finding, entryPath: string | undefined): boolean {
  return hidingCodes.has(code) && (file !== entryPath || /^\/(?:paths|webhooks|components)\/./.test(pointer))
}
