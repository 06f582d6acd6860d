import { listIdentifiers, toFragment } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { report, type Side } from '../differences/comparison.ts'
import { toText } from '../differences/name-place.ts'
import { keywordPlaces } from './compared-schema.ts'
import { matchBranches } from './match-alternatives.ts'
import { type SchemaPair, toPlaces } from './schema-pair.ts'

/**
 * Compares references whose target depends on the schemas around them. Every schema with the anchor can be the target, so all of them are
 * compared. Source: JSON Schema 2020-12, core, section 8.2.3.2.
 */
export function compareDynamicReferences(pair: SchemaPair, used: ReadonlySet<string>): void {
  const { state, scope, before, after, compareInner } = pair
  for (const keyword of ['$dynamicRef', '$recursiveRef', 'dependencies'].filter((each) => used.has(each))) {
    const [from, to] = [keywordPlaces(before, keyword), keywordPlaces(after, keyword)]
    const [values, others] = [from, to].map((places) => places.map(({ value }) => value))
    if (!equalJson(values, others)) {
      report(scope, {
        code: 'constraint-changed',
        ...toPlaces(pair, from[0], to[0]),
        detail: keyword,
        message: (at) => `\`${keyword}\` of ${at} changed`,
      })
    } else if (keyword === '$dynamicRef') {
      for (const [index, place] of from.entries()) {
        const { pairs, removed, added } = matchBranches(
          listTargets(place, state.base),
          listTargets(to[index], state.revision),
          state,
        )
        for (const [target, other] of pairs) compareInner(scope, [target], [other])
        for (const [at, target] of removed.entries()) if (added[at]) compareInner(scope, [target], [added[at]])
      }
    }
  }
}

const identifiersOf = onceFor((file: Place) => [...listIdentifiers(file.value)])

/** References to all schemas that a dynamic reference can have as its target, in any file. */
function listTargets(place: Place | undefined, { files = [] }: Side): Place[] {
  const [, anchor = ''] = toText(place?.value).split('#')
  if (anchor === '') return []
  return files.flatMap((one) => {
    const pointers = new Set(identifiersOf(one).flatMap(([id, pointer]) => (id.endsWith(`#${anchor}`) ? pointer : [])))
    return [...pointers].map((pointer) => ({ file: one.file, pointer, value: { $ref: toFragment(pointer) } }))
  })
}
