import { childPlace } from '../openapi/references/follow-reference.ts'
import { citedEdition } from '../openapi/walk.ts'
import { isObject, type JsonObject, pointerChild } from '../text/json/json-values.ts'
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
  const section = `OpenAPI ${citedEdition[release]}, Security Requirement Object`
  const reported = new Set<string>()
  const scopesOf = memoizeScopes()
  for (const { name, place } of listRequirements(context)) {
    if (!Array.isArray(place.value) || place.value.length === 0) continue
    const scheme = follow.end(childPlace(schemes, name))
    const type = isObject(scheme.value) ? scheme.value['type'] : undefined
    if (release === '3.0' && (type === 'apiKey' || type === 'http')) {
      if (reported.has(name)) continue
      reported.add(name)
      report({
        code: 'security-scope',
        message: `Unexpected scopes for security scheme \`${shorten(name)}\` of type \`${type}\`, expected an empty list`,
        file: place.file,
        pointer: place.pointer,
        hint: `Write \`${shorten(name)}: []\` wherever the scheme is used, or change to \`openapi: 3.1.1\`, which allows a list of role names`,
        section,
      })
      continue
    }
    const declared = type === 'oauth2' && isObject(scheme.value) ? scopesOf(scheme.value) : undefined
    if (!declared) continue
    place.value.forEach((scope: unknown, index) => {
      if (typeof scope !== 'string' || declared.has(scope)) return
      report({
        code: 'security-scope',
        message: `Unexpected scope \`${shorten(scope)}\`, expected a scope declared by a flow of \`${shorten(name)}\``,
        file: place.file,
        pointer: pointerChild(place.pointer, index),
        hint: didYouMean(suggest(scope, () => [...declared])) ?? 'Declare it in `scopes` of the flow',
        section,
        related: [{ file: scheme.file, pointer: scheme.pointer, on: 'key', message: 'the security scheme' }],
      })
    })
  }
}

/** Lists the scopes of a scheme once. Every operation can require it. */
function memoizeScopes(): (scheme: JsonObject) => ReadonlySet<string> | undefined {
  const known = new Map<JsonObject, ReadonlySet<string> | undefined>()
  return (scheme) => {
    if (!known.has(scheme)) known.set(scheme, listScopes(scheme))
    return known.get(scheme)
  }
}

/** The scopes of all flows, or `undefined` if the flows are invalid, which the walk has already reported. */
function listScopes(scheme: JsonObject): Set<string> | undefined {
  const flows = scheme['flows']
  if (!isObject(flows)) return undefined
  const scopes = new Set<string>()
  for (const [name, flow] of Object.entries(flows)) {
    if (name.startsWith('x-')) continue
    if (!isObject(flow) || !isObject(flow['scopes'])) return undefined
    for (const scope of Object.keys(flow['scopes'])) scopes.add(scope)
  }
  return scopes
}
