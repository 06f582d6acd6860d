import { commonTypes, listPlaces, typesIn } from '../openapi/references/follow-reference.ts'
import type { Check } from './check-context.ts'

/** Reports an `allOf` of types that no value has. Contradictions in one schema are found in the walk. */
export const schemaContradiction: Check = ({ collected, follow }, report) => {
  for (const schema of collected.composed) {
    const parts = [schema, ...listPlaces(schema, 'allOf')].flatMap((part) => follow.chain(part).filter(follow.counts))
    let common: string[] = []
    for (const types of parts.map(typesIn)) {
      if (types.length === 0) continue
      const both = common.length === 0 ? types : commonTypes(common, types)
      if (both.length === 0) {
        const message = `Unexpected \`${types.join('` or `')}\` together with \`${common.join('` or `')}\` in \`allOf\`: no value has both types`
        report({ at: schema, key: 'allOf', on: 'key', message, hint: 'Write `anyOf` to allow either', section: 'Schema Object' })
        break
      }
      common = both
    }
  }
}
