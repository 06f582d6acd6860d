import { citedEdition } from '../openapi/walk.ts'
import { isObject } from '../text/json/json-values.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, findComponents, listRequirements } from './check-context.ts'

/**
 * Reports security requirements for schemes that are missing from `components.securitySchemes`. Source: OpenAPI 3.1.1, "Security
 * Requirement Object".
 */
export const securityScheme: Check = (context, report) => {
  const { release, suggest } = context
  const schemes = findComponents(context, 'securitySchemes').value
  if (schemes !== undefined && (!isObject(schemes) || typeof schemes['$ref'] === 'string')) return // The walk has reported it.
  const declared = schemes === undefined ? [] : Object.keys(schemes)
  const known = new Set(declared)
  for (const { name, place } of listRequirements(context)) {
    if (known.has(name) || (release === '3.2' && /[/#:]/.test(name))) continue
    report({
      code: 'security-scheme',
      message: `Unexpected security scheme \`${shorten(name)}\`, expected a scheme declared in \`components.securitySchemes\``,
      file: place.file,
      pointer: place.pointer,
      on: 'key',
      hint: didYouMean(suggest(name, () => declared)) ?? 'Declare it in `components.securitySchemes`',
      section: `OpenAPI ${citedEdition[release]}, Security Requirement Object`,
    })
  }
}
