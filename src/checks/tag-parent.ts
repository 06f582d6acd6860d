import { childPlace } from '../openapi/references/follow-reference.ts'
import { citedEdition } from '../openapi/walk.ts'
import { isObject } from '../text/json/json-values.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckContext, findCircles } from './check-context.ts'

interface NestedTag {
  readonly name: string
  readonly parent: string | undefined
  /** Of the value of `parent`. */
  readonly pointer: string
}

/** Reports undeclared tag parents and cycles of parents. Source: OpenAPI 3.2.0, "Tag Object", `parent`. */
export const tagParent: Check = (context, report) => {
  if (context.release !== '3.2') return
  const tags = listTags(context)
  const byName = new Map<string, NestedTag>()
  for (const tag of tags) if (!byName.has(tag.name)) byName.set(tag.name, tag)
  const section = `OpenAPI ${citedEdition[context.release]}, Tag Object`
  const settled = new Set<unknown>()
  const listParents = (tag: NestedTag) => [byName.get(tag.parent ?? '')].filter((parent) => parent !== undefined)
  for (const tag of tags) {
    const { name, parent, pointer } = tag
    if (parent === undefined) continue
    if (!byName.has(parent)) {
      if (isDeclaredElsewhere(parent, context)) continue
      report({
        code: 'tag-parent',
        message: `Unexpected \`${shorten(parent)}\` for \`parent\` of tag \`${shorten(name)}\`, expected the name of a declared tag`,
        file: context.root.file,
        pointer,
        hint: suggestParent(tag, byName, context),
        section,
      })
      continue
    }
    const [circle = []] = findCircles(tag, (step) => step, listParents, settled)
    const [first, ...others] = circle.slice(0, -1)
    if (!first) continue
    const names = circle.map((step) => `\`${shorten(step.name)}\``).join(' → ')
    report({
      code: 'tag-parent',
      message: `Unexpected cycle of tag parents: ${names}`,
      file: context.root.file,
      pointer: first.pointer,
      hint: others.length === 0 ? 'Remove `parent`' : 'Remove `parent` from one of these tags',
      section,
      related: others.map((step) => ({ pointer: step.pointer, message: `the parent of \`${shorten(step.name)}\`` })),
    })
  }
}

function listTags({ root }: CheckContext): NestedTag[] {
  const tags = childPlace(root, 'tags')
  if (!Array.isArray(tags.value)) return []
  return tags.value.flatMap((tag: unknown, index) => {
    if (!isObject(tag) || typeof tag['name'] !== 'string') return []
    const { name, parent } = tag
    return { name, parent: typeof parent === 'string' ? parent : undefined, pointer: `${tags.pointer}/${index}/parent` }
  })
}

/** Whether another document of the description declares the tag. */
function isDeclaredElsewhere(name: string, { root, documents }: CheckContext): boolean {
  for (const [path, { parsed }] of documents) {
    const tags = path !== root.file && isObject(parsed.value) ? parsed.value['tags'] : undefined
    if (Array.isArray(tags) && tags.some((tag: unknown) => isObject(tag) && tag['name'] === name)) return true
  }
  return false
}

function suggestParent(tag: NestedTag, byName: ReadonlyMap<string, NestedTag>, { suggest }: CheckContext): string {
  const parent = tag.parent ?? ''
  const near = suggest(parent, () => [...byName.keys()].filter((name) => name !== tag.name))
  return didYouMean(near) ?? `Add a tag with \`name: ${shorten(parent)}\``
}
