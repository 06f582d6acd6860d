import { isObject, pointerChild, readOwn, stringOf } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lists.ts'
import { childPlace } from '../references/follow-reference.ts'
import type { Description, ExternalDocs, FollowReference, NamedSchema, OpenApiRelease, Place, Tag, TagGroup } from '../types.ts'
import {
  type CollectedOperation,
  isSet,
  type ListParameters,
  type PathItemEntry,
  toMintExtension,
  toOperation,
  toWebhook,
} from './collect-operations.ts'

/** The results of a check from which a description is created. */
interface DescriptionParts {
  readonly release: OpenApiRelease
  readonly version: string
  /** The entry document. */
  readonly root: Place
  readonly operations: readonly CollectedOperation[]
  readonly webhooks: readonly { readonly entry: PathItemEntry; readonly operations: readonly CollectedOperation[] }[]
  readonly follow: FollowReference
  readonly listParameters: ListParameters
}

/** Creates the description. Its lists are created on first access, because a check without pages needs none of them. */
export function toDescription(parts: DescriptionParts): Description {
  const { release, version, root, follow, listParameters } = parts
  const title = childPlace(follow.end(childPlace(root, 'info')), 'title').value
  const operations = lazy(() => parts.operations.map((operation) => toOperation(operation, listParameters)))
  const webhooks = lazy(() => parts.webhooks.map((webhook) => toWebhook(webhook.entry, webhook.operations, listParameters)))
  const tags = lazy(() => collectTags(root, release))
  const tagGroups = lazy(() => collectTagGroups(root))
  const schemas = lazy(() => collectSchemas(root, follow))
  return {
    entryPath: root.file,
    release,
    version,
    title: typeof title === 'string' ? title : '',
    get operations() {
      return operations()
    },
    get webhooks() {
      return webhooks()
    },
    get tags() {
      return tags()
    },
    get tagGroups() {
      return tagGroups()
    },
    get schemas() {
      return schemas()
    },
  }
}

/** The names of the schemas that `collectSchemas` lists. */
export function listSchemaNames(root: Place, follow: FollowReference): string[] {
  const { value } = findSchemas(root, follow)
  return isObject(value) ? Object.keys(value) : []
}

/**
 * Lists the entries of `components.schemas` of the entry document, in its order. Fields next to a `$ref` override those of its target.
 */
function collectSchemas(root: Place, follow: FollowReference): NamedSchema[] {
  const schemas = findSchemas(root, follow)
  return listSchemaNames(root, follow).map((name) => toNamedSchema(name, followAlias(childPlace(schemas, name), follow)))
}

function findSchemas(root: Place, follow: FollowReference): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), 'schemas'))
}

/** Longest chain of references that is followed for a title, so that cyclic components cost no time. */
const maxAliases = 8

function followAlias(schema: Place, follow: FollowReference): Place[] {
  const places = [schema]
  for (let next = follow.next(schema); next && places.length < maxAliases; next = follow.next(next)) places.push(next)
  return places
}

function toNamedSchema(name: string, places: readonly Place[]): NamedSchema {
  // A component that is only a reference keeps its own name, not the title of its target.
  const own = places.filter((place, index) => index === 0 || place.file !== places[0]?.file)
  const find = (key: string) =>
    (key === 'title' ? own : places).find(({ value }) => isObject(value) && readOwn(value, key) !== undefined)
  const read = (key: string) => {
    const value = find(key)?.value
    return isObject(value) ? readOwn(value, key) : undefined
  }
  const { file, pointer } = find('x-mint') ?? places[0] ?? { file: '', pointer: '' }
  return {
    name,
    file,
    pointer,
    title: stringOf(read('title')),
    description: stringOf(read('description')),
    deprecated: read('deprecated') === true || undefined,
    hidden: isSet(read('x-hidden')),
    excluded: isSet(read('x-excluded')),
    mint: toMintExtension(read('x-mint'), undefined),
  }
}

/** Lists the elements of `x-tagGroups` that have a name. Source: Redocly, "x-tagGroups". */
function collectTagGroups(root: Place): TagGroup[] {
  const groups = childPlace(root, 'x-tagGroups').value
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown): TagGroup[] => {
    const name = isObject(group) ? stringOf(group['name'])?.trim() : undefined
    const tags: readonly unknown[] = isObject(group) && Array.isArray(group['tags']) ? group['tags'] : []
    return name ? [{ name, tags: tags.filter((tag) => typeof tag === 'string') }] : []
  })
}

/** Lists the `tags` of the entry document that have a name. `summary`, `kind` and `parent` exist since OpenAPI 3.2. */
export function collectTags(root: Place, release: OpenApiRelease): Tag[] {
  const tags = childPlace(root, 'tags')
  if (!Array.isArray(tags.value)) return []
  return tags.value.flatMap((tag: unknown, index): Tag[] => {
    const name = isObject(tag) ? stringOf(tag['name']) : undefined
    if (!isObject(tag) || name === undefined) return []
    const { description, externalDocs, summary, kind, parent, 'x-group': group, 'x-displayName': displayName } = tag
    return [
      {
        name,
        group: stringOf(group) ?? (release === '3.2' ? stringOf(summary) : undefined),
        displayName: stringOf(displayName),
        kind: release === '3.2' ? stringOf(kind) : undefined,
        parent: release === '3.2' ? stringOf(parent) : undefined,
        description: stringOf(description),
        externalDocs: toExternalDocs(externalDocs),
        file: tags.file,
        pointer: pointerChild(tags.pointer, index),
      },
    ]
  })
}

function toExternalDocs(value: unknown): ExternalDocs | undefined {
  const url = isObject(value) ? stringOf(value['url']) : undefined
  return isObject(value) && url !== undefined ? { url, description: stringOf(value['description']) } : undefined
}
