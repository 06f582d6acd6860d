import { type Api, toNode } from '../model/api.ts'
import { readScheme } from '../model/security.ts'
import { childPlace, mapPlaces } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { getOrMake } from '../text/plain/lists.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, findComponents, listRequirements } from './check-context.ts'

/**
 * Reports scopes that no flow of an `oauth2` scheme declares, and in 3.0 scopes of schemes without flows.
 *
 * In 3.0 the list of other schemes MUST be empty, but large descriptions contain roles there, as 3.1 allows. Such a scheme is reported
 * once. Source: OpenAPI 3.1.1, "Security Requirement Object".
 */
export const securityScope: Check = (context, report) => {
  const { release, suggest } = context
  const schemes = findComponents(context, 'securitySchemes')
  const section = 'Security Requirement Object'
  const reported = new Set<string>()
  const known = new Map<string, ReturnType<typeof readDeclared>>()
  for (const { name, place, scopes } of listRequirements(context)) {
    if (scopes.length === 0) continue
    const { type, scheme, declared } = getOrMake(known, name, () => readDeclared(childPlace(schemes, name), context))
    if (release === '3.0' && (type === 'apiKey' || type === 'http')) {
      if (reported.has(name)) continue
      reported.add(name)
      report({
        at: place,
        message: `Unexpected scopes for security scheme \`${shorten(name)}\` of type \`${type}\`, expected an empty list`,
        hint: `Write \`${shorten(name)}: []\` wherever the scheme is used, or change to \`openapi: 3.1.1\`, which allows a list of role names`,
        section,
      })
      continue
    }
    if (type !== 'oauth2' || !declared) continue
    for (const { value: scope, ...at } of scopes) {
      if (typeof scope !== 'string' || declared.has(scope)) continue
      report({
        at,
        message: `Unexpected scope \`${shorten(scope)}\`, expected a scope declared by a flow of \`${shorten(name)}\``,
        hint: didYouMean(suggest(scope, () => [...declared])) ?? 'Declare it in `scopes` of the flow',
        section,
        related: [{ file: scheme.file, pointer: scheme.pointer, on: 'key', message: 'the security scheme' }],
      })
    }
  }
}

/** A scheme with the scopes of all flows, or `undefined` if the flows are invalid, which the walk has already reported. */
function readDeclared(entry: Place, api: Api) {
  const { type, place: scheme } = readScheme(entry, api)
  const scopes = mapPlaces(scheme, 'flows', 'left-out').map(({ place }) => childPlace(place, 'scopes'))
  const isInvalid = [childPlace(scheme, 'flows'), ...scopes].some((one) => toNode(one, api).isUnresolved)
  const names = scopes.flatMap((one) => mapPlaces(one, undefined)).map(({ name }) => name)
  return { type, scheme, declared: isInvalid ? undefined : new Set(names) }
}
