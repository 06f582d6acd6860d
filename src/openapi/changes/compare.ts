import { createHash } from 'node:crypto'
import { isObject } from '../../source/is-object.ts'
import type { DescriptionCheck } from '../check-description.ts'
import { childPlace } from '../collect-operations.ts'
import { defaultLevel } from './change-codes.ts'
import { type MatchedOperation, matchOperations } from './match-operations.ts'
import type {
  ChangePlace,
  ComparableDescription,
  ComparedDocument,
  CompareOptions,
  UnlocatedChange,
  UnlocatedComparison,
} from './types.ts'

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
  const changes: UnlocatedChange[] = []
  for (const matched of matchOperations(base, revision)) {
    const change = compareOperation(matched, options)
    if (change) changes.push(change)
  }
  return { base: toComparedDocument(base), revision: toComparedDocument(revision), changes }
}

function toComparedDocument({ root, follow }: ComparableDescription): ComparedDocument {
  const { value } = follow.end(childPlace(root, 'info'))
  const version = isObject(value) ? value['version'] : undefined
  return { document: root.file, version: typeof version === 'string' || typeof version === 'number' ? String(version) : '' }
}

function compareOperation(
  { operation, base, revision, isWebhook }: MatchedOperation,
  { levels = {} }: CompareOptions,
): UnlocatedChange | undefined {
  if (base && revision) return undefined
  const name = `\`${operation.method.toUpperCase()} ${operation.path}\``
  const code = `${isWebhook ? 'webhook' : 'operation'}-${base ? 'removed' : 'added'}` as const
  const level = levels[code] ?? defaultLevel(code, 'request')
  if (level === 'off') return undefined
  const toPlace = (one: typeof base): ChangePlace | null =>
    one ? { file: one.fields.file, pointer: one.fields.pointer, on: 'key' } : null
  return {
    code,
    level,
    ...operation,
    operations: [operation],
    subject: 'operation',
    message: `${isWebhook ? 'Webhook' : 'Operation'} ${name} was ${base ? 'removed' : 'added'}`,
    base: toPlace(base),
    revision: toPlace(revision),
    fingerprint: createHash('sha256').update(`${code}\n${name}`).digest('hex').slice(0, 16),
  }
}
