import { isObject } from '../../text/is-object.ts'
import { pointerChild } from '../../text/json-pointer.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { didYouMean, shorten } from '../name-value.ts'
import { citedEdition } from '../section-of.ts'
import type { Check } from './check.ts'

/** Reports names of security requirements that `components.securitySchemes` does not have. Source: OpenAPI 3.1.1, "Security Requirement Object". */
export const securityScheme: Check = ({ release, root, operations, webhookOperations, follow, suggest }, report) => {
  const schemes = follow.end(childPlace(follow.end(childPlace(root, 'components')), 'securitySchemes')).value
  if (schemes !== undefined && (!isObject(schemes) || typeof schemes['$ref'] === 'string')) return // The walk has reported it.
  const declared = schemes === undefined ? [] : Object.keys(schemes)
  const known = new Set(declared)
  const checkOwner = (owner: Place) => {
    if (!isObject(owner.value) || owner.value['security'] === undefined) return
    const list = childPlace(owner, 'security')
    if (!Array.isArray(list.value)) return
    list.value.forEach((requirement: unknown, index) => {
      if (!isObject(requirement)) return
      for (const name of Object.keys(requirement)) {
        if (known.has(name) || (release === '3.2' && /[/#:]/.test(name))) continue
        report({
          code: 'security-scheme',
          message: `Unexpected security scheme \`${shorten(name)}\`, expected one that \`components.securitySchemes\` declares`,
          file: list.file,
          pointer: pointerChild(pointerChild(list.pointer, index), name),
          on: 'key',
          hint: didYouMean(suggest(name, () => declared)) ?? `declare it under \`components.securitySchemes\``,
          section: `OpenAPI ${citedEdition[release]}, Security Requirement Object`,
        })
      }
    })
  }
  checkOwner(root)
  for (const { operation } of operations) checkOwner(operation)
  for (const { operation } of webhookOperations) checkOwner(operation)
}
