import { readLink } from '../model/bodies.ts'
import type { CollectedOperation } from '../openapi/read/collect-operations.ts'
import { mapPlaces, toPlaceKey } from '../openapi/references/follow-reference.ts'
import { type Place, parsePointer } from '../text/json/json-values.ts'
import { lazy, onceFor } from '../text/plain/lists.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import type { Check, CheckContext } from './check-context.ts'

/**
 * Reports links to unknown operations, and link parameters that the operation does not have. Source: OpenAPI 3.1.1, "Link Object".
 */
export const linkTarget: Check = (context, report) => {
  const { collected } = context
  if (collected.links.length === 0) return
  const section = 'Link Object'
  const byId = new Map<string, CollectedOperation>()
  for (const operation of [...context.operations, ...context.webhookOperations, ...context.callbackOperations]) {
    const { operationId } = operation.fields
    if (operationId !== undefined && !byId.has(operationId)) byId.set(operationId, operation)
  }
  const byPlace = lazy(() => {
    return new Map([...context.operations, ...context.webhookOperations].map((each) => [toPlaceKey(each.operation), each]))
  })
  const namesOf = memoizeNames(context)
  for (const link of collected.links) {
    const { operationId, operationRef } = readLink('', link, context)
    if (operationId !== undefined) {
      const target = byId.get(operationId)
      if (target) {
        reportParameters(link, target, namesOf(target), context, report)
        continue
      }
      const ids = () => [...byId.keys()]
      report({
        at: link,
        key: 'operationId',
        message: `Cannot find link target \`${shorten(operationId)}\`: no operation has this \`operationId\``,
        section,
        hint: didYouMean(context.suggest(operationId, ids)) ?? 'Correct the name, or add this `operationId` to the operation',
      })
    } else if (operationRef !== undefined) {
      const found = context.findUri(link.file, operationRef)
      if (!found) continue
      if ('failure' in found) {
        const message = `Cannot find link target ${found.failure.message.replace(/^Cannot find /, '')}`
        report({ at: link, key: 'operationRef', message, section, hint: found.failure.hint })
        continue
      }
      const target = byPlace().get(toPlaceKey(found.place))
      if (target) reportParameters(link, target, namesOf(target), context, report)
    }
  }
}

/** Lists the names of the parameters of an operation once. Many links can refer to it. `null` if one is unknown. */
function memoizeNames({ listParameters }: CheckContext): (target: CollectedOperation) => ReadonlySet<string> | null {
  return onceFor((target) => {
    const listed = [...listParameters(target.pathItem), ...listParameters(target.operation)]
    const names = listed.flatMap(({ name, location }) => (name === undefined ? [] : [name, `${location}.${name}`]))
    return listed.some(({ unknown }) => unknown) ? null : new Set(names)
  })
}

/** A name can have its location as a prefix: `path.id`. */
function reportParameters(
  link: Place,
  target: CollectedOperation,
  names: ReadonlySet<string> | null,
  { suggest }: CheckContext,
  report: Parameters<Check>[1],
): void {
  for (const { name: key, place } of names ? mapPlaces(link, 'parameters') : []) {
    if (!names || names.has(key)) continue
    const { method, operationId, file, pointer } = target.fields
    const path = parsePointer(pointer).at(-2) ?? ''
    const called = operationId === undefined ? `\`${method.toUpperCase()} ${shorten(path)}\`` : `\`${shorten(operationId)}\``
    report({
      at: place,
      message: `Unexpected link parameter \`${shorten(key)}\`, expected a parameter of the operation ${called}`,
      on: 'key',
      hint: didYouMean(suggest(key, () => [...names])) ?? 'Use the name of a parameter of the linked operation',
      section: 'Link Object',
      related: [{ file, pointer, on: 'key', message: 'the linked operation' }],
    })
  }
}
