import type { DiagnosticCode } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import type { DescriptionCheck } from '../openapi/checks/check-description.ts'
import { findAffected } from '../openapi/checks/find-affected.ts'
import type { MatchedOperation } from './match-operations.ts'
import type { ChangedOperation } from './types.ts'

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
