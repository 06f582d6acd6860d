import { readCallbacks } from '../../model/bodies.ts'
import { findRequirements } from '../../model/security.ts'
import { type CollectedOperation, collectOperations } from '../../openapi/read/collect-operations.ts'
import { childPlace, isReference } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type CompareOptions, toPathShape } from '../change.ts'
import { type ComparisonState, type Difference, report, type Scope, type Side, use, within } from '../differences/comparison.ts'
import { compareDeprecation, isCompared, readStability, removalCode } from '../differences/lifecycle.ts'
import { type PlacePair, shortenName } from '../differences/name-place.ts'
import type { MatchedOperation, OperationPair } from '../match/match-operations.ts'
import { compareRequestBody, compareResponses } from './compare-bodies.ts'
import { isUnknownMap } from './compare-content.ts'
import { compareParameters } from './compare-parameters.ts'
import { compareSecurity } from './compare-security.ts'
import { compareOwnServers } from './compare-servers.ts'

/** What is needed to compare operations. */
interface OperationContext {
  readonly state: ComparisonState
  /** The security schemes with a new name, by their name in the base. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Whether one version of an operation is not stable enough to promise anything. */
export function promisesNothing({ base, revision }: MatchedOperation, options: CompareOptions): boolean {
  return [base, revision].some((one) => one && !isCompared(readStability(one.operation), options))
}

/** Compares one operation, or reports that it was added or removed. */
export function compareOperation(context: OperationContext, scope: Scope, matched: MatchedOperation): void {
  const { base, revision } = matched
  if (!base || !revision) {
    reportMissing(context, scope, matched)
    return
  }
  const levels = [base, revision].map(({ operation }) => readStability(operation))
  const { state } = context
  if (levels.every((level) => !isCompared(level, state.options))) return
  compareDeprecation(state, scope, 'operation', base.operation, revision.operation)
  if (promisesNothing(matched, state.options)) return
  compareMoved(scope, { ...matched, base, revision })
  compareDetails(context, scope, { base, revision, basePath: matched.basePath })
}

function toKeyPlace({ fields, operation }: CollectedOperation) {
  return { file: fields.file, pointer: operation.pointer, on: 'key' as const }
}

function reportMissing(
  { state }: OperationContext,
  scope: Scope,
  { operation, base, revision, isWebhook }: MatchedOperation,
): void {
  const one = base ?? revision
  if (!one || !isCompared(readStability(one.operation), state.options)) return
  const code: Difference['code'] = isWebhook
    ? `webhook-${base ? 'removed' : 'added'}`
    : base
      ? removalCode('operation', base.operation, state.options.today)
      : 'operation-added'
  const name = isWebhook ? one.entry.name : `${operation.method.toUpperCase()} ${operation.path}`
  const places = { base: base && toKeyPlace(base), revision: revision && toKeyPlace(revision) }
  const message = () => `${isWebhook ? 'Webhook' : 'Operation'} \`${shortenName(name)}\` was ${base ? 'removed' : 'added'}`
  report(scope, { code, ...places, subject: 'operation', message })
}

function compareMoved(
  scope: Scope,
  { operation, isWebhook, basePath, hasIgnoredPrefix, base, revision }: MatchedOperation & OperationPair,
): void {
  const isSame =
    base.fields.method === revision.fields.method && toPathShape(base.entry.name) === toPathShape(revision.entry.name)
  if (isWebhook || isSame || basePath || hasIgnoredPrefix) return
  const to = `${revision.fields.method.toUpperCase()} ${revision.entry.name}`
  const from = `${operation.method.toUpperCase()} ${operation.path}`
  report(scope, {
    code: 'operation-moved',
    base: toKeyPlace(base),
    revision: toKeyPlace(revision),
    subject: 'operation',
    message: () => `Operation \`${shortenName(from)}\` was moved to \`${shortenName(to)}\``,
  })
}

function compareFields(scope: Scope, base: CollectedOperation, revision: CollectedOperation): void {
  const [from, to] = [base.fields, revision.fields]
  if (from.operationId !== to.operationId) {
    const [one, other] = [from.operationId, to.operationId].map((id) => (id === undefined ? undefined : `\`${shortenName(id)}\``))
    const message = () => {
      if (one === undefined) return `\`operationId\` ${other} was added`
      return other === undefined ? `\`operationId\` ${one} was removed` : `\`operationId\` changed from ${one} to ${other}`
    }
    report(scope, {
      code: 'operation-id-changed',
      base: one === undefined ? toKeyPlace(base) : childPlace(base.operation, 'operationId'),
      revision: other === undefined ? toKeyPlace(revision) : childPlace(revision.operation, 'operationId'),
      subject: 'operation',
      message,
    })
  }
  const all = new Set([...from.tags, ...to.tags])
  for (const tag of all) {
    const isAdded = !from.tags.includes(tag)
    if (!isAdded && to.tags.includes(tag)) continue
    report(scope, {
      code: isAdded ? 'tag-added' : 'tag-removed',
      base: isAdded ? toKeyPlace(base) : childPlace(base.operation, 'tags'),
      revision: isAdded ? childPlace(revision.operation, 'tags') : toKeyPlace(revision),
      subject: 'operation',
      detail: tag,
      message: () => `Tag \`${shorten(tag)}\` was ${isAdded ? 'added' : 'removed'}`,
    })
  }
}

/** The list of the document applies to operations without one. Its changes are reported once, with all these operations. */
function compareOperationSecurity({ state, renamed }: OperationContext, scope: Scope, { base, revision }: PlacePair): void {
  const lists = { base: findRequirements(base, state.base), revision: findRequirements(revision, state.revision) }
  if (equalJson(lists.base.value, lists.revision.value)) return
  state.share(scope, [lists.base], [lists.revision], (shared) => compareSecurity(state, shared, lists, renamed))
}

/** Compares everything except the lifecycle, the place and the servers of an operation. */
function compareDetails(context: OperationContext, scope: Scope, operations: OperationPair): void {
  const { state } = context
  const pair = { base: operations.base.operation, revision: operations.revision.operation }
  compareFields(scope, operations.base, operations.revision)
  compareOperationSecurity(context, scope, pair)
  compareParameters(state, scope, operations)
  compareRequestBody(state, scope, pair)
  compareResponses(state, scope, pair)
  compareCallbacks(context, scope, pair)
}

/** The API sends the requests of callbacks. */
function compareCallbacks(context: OperationContext, scope: Scope, { base, revision }: PlacePair): void {
  const { state } = context
  const [before, after] = [listOperations(base, state.base), listOperations(revision, state.revision)]
  if (isUnknownMap(state, 'callbacks', { base, revision })) return
  const reversed = within(scope, { invert: use.narrows | use.sent })
  for (const [key, operation] of before.found) {
    const other = after.found.get(key)
    if (other) {
      // A callback can contain itself, and others that contain it.
      state.share(reversed, [operation.operation], [other.operation], (shared) => {
        compareDeprecation(state, shared, 'operation', operation.operation, other.operation)
        const pair = { base: operation, revision: other }
        compareOwnServers(state, shared, pair)
        compareDetails(context, shared, pair)
      })
    } else if (!after.unknown.some((unknown) => key.startsWith(unknown))) {
      const message = () => `Callback \`${shortenName(key)}\` was removed`
      report(scope, {
        code: 'callback-removed',
        base: toKeyPlace(operation),
        revision,
        subject: 'operation',
        detail: key,
        message,
      })
    }
  }
  for (const [key, operation] of after.found) {
    if (before.found.has(key) || before.unknown.some((unknown) => key.startsWith(unknown))) continue
    const message = () => `Callback \`${shortenName(key)}\` was added`
    report(scope, { code: 'callback-added', base, revision: toKeyPlace(operation), subject: 'operation', detail: key, message })
  }
}

/** The operations by name, expression and method, and the beginning of this key for each reference that cannot be resolved. */
function listOperations(owner: Place, side: Side) {
  const found = new Map<string, CollectedOperation>()
  const unknown: string[] = []
  for (const { name, isUnresolved, pathItems } of readCallbacks(owner, side)) {
    if (isUnresolved) unknown.push(`${name} `)
    for (const entry of pathItems) {
      const key = `${name} ${entry.name} `
      if (isReference(entry.places.at(-1)?.value)) unknown.push(key)
      for (const operation of collectOperations(entry, side.follow)) found.set(`${key}${operation.fields.method}`, operation)
    }
  }
  return { found, unknown }
}
