import { isObject } from '../../source/is-object.ts'
import { parsePointer, pointerChild } from '../../source/json-pointer.ts'
import { didYouMean } from '../../source/suggest.ts'
import type { CollectedOperation } from '../collect-operations.ts'
import { shorten } from '../suggestions.ts'
import type { CollectedObject } from '../walk.ts'
import { citedEdition } from '../walk.ts'
import type { Check, CheckContext } from './check-context.ts'

/**
 * Reports links to unknown operations, and link parameters that the operation does not have. Source: OpenAPI 3.1.1, "Link Object".
 */
export const linkTarget: Check = (context, report) => {
  const { collected, release } = context
  if (collected.links.length === 0) return
  const section = `OpenAPI ${citedEdition[release]}, Link Object`
  const byId = new Map<string, CollectedOperation>()
  for (const operation of [...context.operations, ...context.webhookOperations, ...context.callbackOperations]) {
    const { operationId } = operation.fields
    if (operationId !== undefined && !byId.has(operationId)) byId.set(operationId, operation)
  }
  for (const link of collected.links) {
    const { operationId, operationRef } = link.value
    if (typeof operationId === 'string') {
      const target = byId.get(operationId)
      if (target) {
        reportParameters(link, target, context, report)
        continue
      }
      const ids = () => [...byId.keys()]
      report({
        code: 'link-target',
        message: `Cannot find link target \`${shorten(operationId)}\`: no operation has this \`operationId\``,
        file: link.file,
        pointer: `${link.pointer}/operationId`,
        section,
        hint: didYouMean(context.suggest(operationId, ids)) ?? 'Correct the name, or add this `operationId` to the operation',
      })
    } else if (typeof operationRef === 'string') {
      const found = context.findUri(link.file, operationRef)
      if (!found) continue
      if ('failure' in found) {
        const { hint } = found.failure
        const message = `Cannot find link target ${found.failure.message.replace(/^Cannot find /, '')}`
        const finding = {
          code: 'link-target',
          message,
          file: link.file,
          pointer: `${link.pointer}/operationRef`,
          section,
        } as const
        report(hint === undefined ? finding : { ...finding, hint })
        continue
      }
      const { file, pointer } = found.place
      const target = [...context.operations, ...context.webhookOperations].find(
        ({ operation }) => operation.file === file && operation.pointer === pointer,
      )
      if (target) reportParameters(link, target, context, report)
    }
  }
}

/** A name can have its location as a prefix: `path.id`. */
function reportParameters(
  link: CollectedObject,
  target: CollectedOperation,
  { release, listParameters, suggest }: CheckContext,
  report: Parameters<Check>[1],
): void {
  const { parameters } = link.value
  if (!isObject(parameters)) return
  const listed = [...listParameters(target.pathItem), ...listParameters(target.operation)]
  if (listed.some(({ unknown }) => unknown)) return
  const names = new Set(listed.flatMap(({ name, location }) => (name === undefined ? [] : [name, `${location}.${name}`])))
  for (const key of Object.keys(parameters)) {
    if (names.has(key)) continue
    const { method, operationId, file, pointer } = target.fields
    const path = parsePointer(pointer).at(-2) ?? ''
    const called = operationId === undefined ? `\`${method.toUpperCase()} ${shorten(path)}\`` : `\`${shorten(operationId)}\``
    report({
      code: 'link-target',
      message: `Unexpected link parameter \`${shorten(key)}\`, expected a parameter of the operation ${called}`,
      file: link.file,
      pointer: pointerChild(`${link.pointer}/parameters`, key),
      on: 'key',
      hint: didYouMean(suggest(key, () => [...names])) ?? 'Use the name of a parameter of the linked operation',
      section: `OpenAPI ${citedEdition[release]}, Link Object`,
      related: [{ file, pointer, on: 'key', message: 'the linked operation' }],
    })
  }
}
