import { matchAllOperations, toChangedKey } from './match-operations.ts'
import { matchWildcards } from './match-wildcards.ts'
import type { ChangedOperation, ComparableDescription } from './types.ts'

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
