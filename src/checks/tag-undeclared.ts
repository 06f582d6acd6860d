import { childPlace } from '../openapi/references/follow-reference.ts'
import { citedEdition } from '../openapi/walk.ts'
import { isObject } from '../text/json/json-values.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'

/**
 * Reports undeclared tags of operations, each once at its first use.
 *
 * Documents that declare no tags do so on purpose. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`.
 */
export const tagUndeclared: Check = ({ release, root, operations, webhookOperations, suggest }, report) => {
  const tags = childPlace(root, 'tags').value
  if (!Array.isArray(tags) || tags.length === 0) return
  const declared = tags.flatMap((tag: unknown) => (isObject(tag) && typeof tag['name'] === 'string' ? tag['name'] : []))
  const known = new Set(declared)
  for (const { fields } of [...operations, ...webhookOperations]) {
    fields.tags.forEach((tag, index) => {
      if (known.has(tag)) return
      known.add(tag)
      report({
        code: 'tag-undeclared',
        message: `Unexpected tag \`${shorten(tag)}\`, expected a tag declared in the top-level \`tags\``,
        file: fields.file,
        pointer: `${fields.pointer}/tags/${index}`,
        hint: didYouMean(suggest(tag, () => declared)) ?? 'Declare it in the top-level `tags` with a `description`',
        section: `OpenAPI ${citedEdition[release]}, OpenAPI Object`,
      })
    })
  }
}
