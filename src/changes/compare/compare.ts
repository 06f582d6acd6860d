import type { DescriptionCheck } from '../../openapi/checks/check-description.ts'
import { toListParameters } from '../../openapi/read/collect-operations.ts'
import { childPlace } from '../../openapi/references/follow-reference.ts'
import { isObject } from '../../text/json/json-values.ts'
import type { ComparableDescription, ComparedDocument, CompareOptions, UnlocatedComparison } from '../change.ts'
import { collectChanges, type OperationPart, startComparison, toPart, toScope, use } from '../differences/comparison.ts'
import { matchOperations } from '../match/match-operations.ts'
import { compareOperation, promisesNothing } from './compare-operations.ts'
import { compareSecuritySchemes, matchSecuritySchemes } from './compare-security.ts'
import { compareServers } from './compare-servers.ts'

/** Prepares a checked description for `compare`. Returns `undefined` if the document could not be read as OpenAPI. */
export function toComparable({
  description,
  documents,
  follow,
}: Pick<DescriptionCheck, 'description' | 'documents' | 'follow'>): ComparableDescription | undefined {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow || value === undefined) return undefined
  return { root: { file: description.entryPath, pointer: '', value }, release: description.release, follow }
}

/**
 * Compares two descriptions of an API.
 *
 * Lists every change that concerns clients, each with its places in both descriptions and the operations that it affects. Changes of
 * descriptions and examples are left out. Never throws because of a document: parts that cannot be read are skipped.
 */
export function compare(
  base: ComparableDescription,
  revision: ComparableDescription,
  options: CompareOptions,
): UnlocatedComparison {
  const state = startComparison(base, revision, options)
  const schemes = matchSecuritySchemes(base, revision)
  const context = {
    state,
    schemes,
    roots: { base: base.root, revision: revision.root },
    listParameters: { base: toListParameters(base.follow), revision: toListParameters(revision.follow) },
  }
  const document = toPart()
  const ofDocument = toScope(document)
  compareSecuritySchemes(state, ofDocument, schemes, base, revision)
  const matched = matchOperations(base, revision, options.ignoredPrefixes).map((one) => ({
    matched: one,
    scope: toScope(toPart()),
  }))
  const served = matched.filter((one) => !promisesNothing(one.matched, options))
  compareServers(ofDocument, served, context.roots)
  const operations = matched.map(({ matched, scope }): OperationPart => {
    const { part } = scope
    compareOperation(context, scope, matched)
    const places = [matched.base, matched.revision].flatMap((one) => (one ? [one.fields] : []))
    return { operation: matched.operation, part, use: matched.isWebhook ? use.narrows | use.sent : 0, places }
  })
  state.finish()
  const changes = collectChanges(operations, document, state)
  return { base: toComparedDocument(base), revision: toComparedDocument(revision), changes }
}

/** The document and version of one side of a comparison. */
export function toComparedDocument({ root, follow }: ComparableDescription): ComparedDocument {
  const { value } = follow.end(childPlace(root, 'info'))
  const version = isObject(value) ? value['version'] : undefined
  return { document: root.file, version: typeof version === 'string' || typeof version === 'number' ? String(version) : '' }
}
