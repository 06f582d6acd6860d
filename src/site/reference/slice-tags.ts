import type { CollectedOperation } from '../../openapi/read/collect-operations.ts'
import { listPlaces } from '../../openapi/references/follow-reference.ts'
import { isObject, readText } from '../../text/json/json-values.ts'
import { exceptionField } from '../../text/plain/source-file.ts'
import { perDescription, type ReferenceContext } from './context.ts'

/** The Tag Objects of each description by name, with their positions: every slice needs a few of them. */
const tagsOf = perDescription((context) => {
  const all = listPlaces(context.root, 'tags').map(
    ({ value }, index) => [readText(value, 'name') ?? '', { value, index }] as const,
  )
  // The first of several with a name counts.
  return new Map(all.toReversed())
})

/** The most tags of a slice. A chain of parents can have all tags of a document. */
const maxTags = 100

/** The Tag Objects of the operations, with their ancestors (3.2: `parent`), in document order. */
export function listTags(operations: readonly CollectedOperation[], context: ReferenceContext): unknown[] {
  const tags = tagsOf(context)
  const wanted = new Set(operations.flatMap(({ fields }) => fields.tags))
  for (const name of wanted) {
    const parent = readText(tags.get(name)?.value, 'parent')
    // Iterating a set includes values that are added meanwhile.
    if (parent !== undefined && wanted.size < maxTags) wanted.add(parent)
  }
  return [...wanted]
    .flatMap((name) => tags.get(name) ?? [])
    .toSorted((a, b) => a.index - b.index)
    .map(({ value }) => {
      const shown = withoutExceptions(value)
      const parent = readText(shown, 'parent')
      if (!isObject(shown) || parent === undefined || wanted.has(parent)) return shown
      const { parent: _, ...top } = shown
      return top
    })
}

/** An object without its exceptions to rules. */
export function withoutExceptions(value: unknown): unknown {
  if (!isObject(value) || !(exceptionField in value)) return value
  const { [exceptionField]: _, ...shown } = value
  return shown
}
