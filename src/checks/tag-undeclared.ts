import { collectTags } from '../openapi/read/collect-operations.ts'
import { listPlaces } from '../openapi/references/follow-reference.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'

/**
 * Reports undeclared tags of operations, each once at its first use.
 *
 * Documents that declare no tags do so on purpose. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`.
 */
export const tagUndeclared: Check = ({ release, root, operations, webhookOperations, suggest }, report) => {
  if (listPlaces(root, 'tags').length === 0) return
  const declared = collectTags(root, release).map(({ name }) => name)
  const known = new Set(declared)
  for (const { fields } of [...operations, ...webhookOperations]) {
    fields.tags.forEach((tag, index) => {
      if (known.has(tag)) return
      known.add(tag)
      report({
        at: { file: fields.file, pointer: `${fields.pointer}/tags` },
        key: index,
        message: `Unexpected tag \`${shorten(tag)}\`, expected a tag declared in the top-level \`tags\``,
        hint: didYouMean(suggest(tag, () => declared)) ?? 'Declare it in the top-level `tags` with a `description`',
        section: 'OpenAPI Object',
      })
    })
  }
}
