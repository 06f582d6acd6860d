import { collectTags } from '../openapi/read/collect-operations.ts'
import type { Tag } from '../openapi/types.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, findCircles } from './check-context.ts'

/** Reports undeclared tag parents and cycles of parents. Source: OpenAPI 3.2.0, "Tag Object", `parent`. */
export const tagParent: Check = (context, report) => {
  const tags = collectTags(context.root, context.release)
  const byName = new Map(tags.toReversed().map((tag) => [tag.name, tag]))
  const settled = new Set<unknown>()
  const listParents = (tag: Tag) => [byName.get(tag.parent ?? '')].filter((parent) => parent !== undefined)
  for (const tag of tags) {
    const { name, parent } = tag
    if (parent === undefined) continue
    if (!byName.has(parent)) {
      if (isDeclaredElsewhere(parent, context)) continue
      const near = context.suggest(parent, () => [...new Set(tags.map((one) => one.name))].filter((one) => one !== name))
      report({
        at: tag,
        key: 'parent',
        message: `Unexpected \`${shorten(parent)}\` for \`parent\` of tag \`${shorten(name)}\`, expected the name of a declared tag`,
        hint: didYouMean(near) ?? `Add a tag with \`name: ${shorten(parent)}\``,
        section: 'Tag Object',
      })
      continue
    }
    const [circle = []] = findCircles(tag, (step) => step, listParents, settled)
    const [first, ...others] = circle.slice(0, -1)
    if (!first) continue
    const names = circle.map((step) => `\`${shorten(step.name)}\``).join(' → ')
    report({
      at: first,
      key: 'parent',
      message: `Unexpected cycle of tag parents: ${names}`,
      hint: others.length === 0 ? 'Remove `parent`' : 'Remove `parent` from one of these tags',
      section: 'Tag Object',
      related: others.map((step) => ({ pointer: `${step.pointer}/parent`, message: `the parent of \`${shorten(step.name)}\`` })),
    })
  }
}

/** Whether another document of the description declares the tag. */
function isDeclaredElsewhere(name: string, { root, release, documents }: CheckContext): boolean {
  return [...documents].some(([file, { parsed }]) => {
    const tags = file === root.file ? [] : collectTags({ file, pointer: '', value: parsed.value }, release)
    return tags.some((tag) => tag.name === name)
  })
}

/**
 * Reports undeclared tags of operations, each once at its first use.
 *
 * Documents that declare no tags do so on purpose. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`.
 */
export const tagUndeclared: Check = ({ release, root, operations, webhookOperations, suggest }, report) => {
  const declared = collectTags(root, release).map(({ name }) => name)
  if (declared.length === 0) return
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
