import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { childPlace } from './collect-operations.ts'
import type { Place } from './follow-reference.ts'
import { toText } from './read-extensions.ts'
import type { ExternalDocs, OpenApiRelease, Tag } from './types.ts'

/** Lists `tags` of the entry document; entries without a name are left out. `summary` and `kind` are fields since OpenAPI 3.2. */
export function collectTags(root: Place, release: OpenApiRelease): Tag[] {
  const tags = childPlace(root, 'tags')
  if (!Array.isArray(tags.value)) return []
  return tags.value.flatMap((tag: unknown, index): Tag[] => {
    const name = isObject(tag) ? toText(tag['name']) : undefined
    if (!isObject(tag) || name === undefined) return []
    const { description, externalDocs, summary, kind, 'x-group': group } = tag
    return [
      {
        name,
        group: toText(group) ?? (release === '3.2' ? toText(summary) : undefined),
        kind: release === '3.2' ? toText(kind) : undefined,
        description: toText(description),
        externalDocs: toExternalDocs(externalDocs),
        file: tags.file,
        pointer: pointerChild(tags.pointer, index),
      },
    ]
  })
}

function toExternalDocs(value: unknown): ExternalDocs | undefined {
  const url = isObject(value) ? toText(value['url']) : undefined
  return isObject(value) && url !== undefined ? { url, description: toText(value['description']) } : undefined
}
