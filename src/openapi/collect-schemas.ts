import { isObject, readKey } from '../text/is-object.ts'
import { childPlace } from './collect-operations.ts'
import type { FollowReference, Place } from './follow-reference.ts'
import { isSet, toMintExtension, toText } from './read-extensions.ts'
import type { NamedSchema } from './types.ts'

/** The names of the schemas that `collectSchemas` lists. */
export function listSchemaNames(root: Place, follow: FollowReference): string[] {
  const { value } = findSchemas(root, follow)
  return isObject(value) ? Object.keys(value) : []
}

/** Lists what stands under `components.schemas` of the entry document, in its order. What stands beside a `$ref` wins over what it leads to. */
export function collectSchemas(root: Place, follow: FollowReference): NamedSchema[] {
  const schemas = findSchemas(root, follow)
  return listSchemaNames(root, follow).map((name) => toNamedSchema(name, followAlias(childPlace(schemas, name), follow)))
}

function findSchemas(root: Place, follow: FollowReference): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), 'schemas'))
}

/** Longest chain of references that a title is looked for behind; components that lead to one another without end take no time then. */
const maxAliases = 8

function followAlias(schema: Place, follow: FollowReference): Place[] {
  const places = [schema]
  for (let next = follow.next(schema); next && places.length < maxAliases; next = follow.next(next)) places.push(next)
  return places
}

function toNamedSchema(name: string, places: readonly Place[]): NamedSchema {
  // A component that stands for another one keeps its own name, not the title of the other.
  const own = places.filter((place, index) => index === 0 || place.file !== places[0]?.file)
  const find = (key: string) =>
    (key === 'title' ? own : places).find(({ value }) => isObject(value) && readKey(value, key) !== undefined)
  const read = (key: string) => {
    const value = find(key)?.value
    return isObject(value) ? readKey(value, key) : undefined
  }
  const { file, pointer } = find('x-mint') ?? places[0] ?? { file: '', pointer: '' }
  return {
    name,
    file,
    pointer,
    title: toText(read('title')),
    description: toText(read('description')),
    deprecated: read('deprecated') === true || undefined,
    hidden: isSet(read('x-hidden')),
    excluded: isSet(read('x-excluded')),
    mint: toMintExtension(read('x-mint'), undefined),
  }
}
