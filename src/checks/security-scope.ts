import { childPlace } from '../openapi/references/follow-reference.ts'
import { entriesOf, isObject, listOf, readOwn, readText } from '../text/json/json-values.ts'
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
  const { release, follow, suggest } = context
  const schemes = findComponents(context, 'securitySchemes')
  const section = 'Security Requirement Object'
  const reported = new Set<string>()
  const declaredBy = new Map<unknown, ReadonlySet<string> | undefined>()
  for (const { name, place } of listRequirements(context)) {
    const scopes = listOf(place.value)
    if (scopes.length === 0) continue
    const scheme = follow.end(childPlace(schemes, name))
    const type = readText(scheme.value, 'type')
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
    const declared = type === 'oauth2' ? getOrMake(declaredBy, scheme.value, () => listScopes(scheme.value)) : undefined
    if (!declared) continue
    for (const [index, scope] of scopes.entries()) {
      if (typeof scope !== 'string' || declared.has(scope)) continue
      report({
        at: place,
        key: index,
        message: `Unexpected scope \`${shorten(scope)}\`, expected a scope declared by a flow of \`${shorten(name)}\``,
        hint: didYouMean(suggest(scope, () => [...declared])) ?? 'Declare it in `scopes` of the flow',
        section,
        related: [{ file: scheme.file, pointer: scheme.pointer, on: 'key', message: 'the security scheme' }],
      })
    }
  }
}

/** The scopes of all flows, or `undefined` if the flows are invalid, which the walk has already reported. */
function listScopes(scheme: unknown): Set<string> | undefined {
  const flows = readOwn(scheme, 'flows')
  const scopes = entriesOf(flows).flatMap(([name, flow]) => (name.startsWith('x-') ? [] : [readOwn(flow, 'scopes')]))
  return isObject(flows) && scopes.every(isObject) ? new Set(scopes.flatMap((one) => Object.keys(one))) : undefined
}
