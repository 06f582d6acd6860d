import { toNode } from '../model/api.ts'
import { mapPlaces } from '../openapi/references/follow-reference.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, findComponents, listRequirements } from './check-context.ts'

/**
 * Reports security requirements for schemes that are missing from `components.securitySchemes`. Source: OpenAPI 3.1.1, "Security
 * Requirement Object".
 */
export const securityScheme: Check = (context, report) => {
  const { release, suggest } = context
  const schemes = findComponents(context, 'securitySchemes')
  if ((schemes.value ?? undefined) !== undefined && toNode(schemes, context).isUnresolved) return // The walk has reported it.
  const declared = mapPlaces(schemes, undefined).map(({ name }) => name)
  const known = new Set(declared)
  for (const { name, place } of listRequirements(context)) {
    if (known.has(name) || (release === '3.2' && /[/#:]/.test(name))) continue
    report({
      at: place,
      message: `Unexpected security scheme \`${shorten(name)}\`, expected a scheme declared in \`components.securitySchemes\``,
      on: 'key',
      hint: didYouMean(suggest(name, () => declared)) ?? 'Declare it in `components.securitySchemes`',
      section: 'Security Requirement Object',
    })
  }
}
