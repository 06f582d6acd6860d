import { childPlace } from '../openapi/references/follow-reference.ts'
import { citedEdition } from '../openapi/walk.ts'
import { isObject } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'

/** Reports duplicate tags. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`. */
export const tagUnique: Check = ({ release, root }, report) => {
  const tags = childPlace(root, 'tags')
  if (!Array.isArray(tags.value)) return
  const firstByName = new Map<string, string>()
  tags.value.forEach((tag: unknown, index) => {
    const name = isObject(tag) ? tag['name'] : undefined
    if (typeof name !== 'string') return
    const pointer = `${tags.pointer}/${index}/name`
    const first = firstByName.get(name)
    if (first === undefined) {
      firstByName.set(name, pointer)
      return
    }
    report({
      code: 'tag-unique',
      message: `Unexpected duplicate tag \`${shorten(name)}\`, expected each name once`,
      file: tags.file,
      pointer,
      hint: 'Remove one of the two',
      section: `OpenAPI ${citedEdition[release]}, OpenAPI Object`,
      related: [{ pointer: first, message: 'first declared here' }],
    })
  })
}
