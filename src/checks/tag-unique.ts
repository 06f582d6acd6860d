import { collectTags } from '../openapi/read/collect-operations.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'

/** Reports duplicate tags. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`. */
export const tagUnique: Check = ({ release, root }, report) => {
  const firstByName = new Map<string, string>()
  for (const tag of collectTags(root, release)) {
    const first = firstByName.get(tag.name)
    if (first === undefined) firstByName.set(tag.name, `${tag.pointer}/name`)
    else
      report({
        at: tag,
        key: 'name',
        message: `Unexpected duplicate tag \`${shorten(tag.name)}\`, expected each name once`,
        hint: 'Remove one of the two',
        section: 'OpenAPI Object',
        related: [{ pointer: first, message: 'first declared here' }],
      })
  }
}
