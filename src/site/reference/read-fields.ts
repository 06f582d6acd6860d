import { childPlace, keepOrder, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { type Place, pointerChild } from '../../text/json/json-values.ts'
import { locatePointers } from '../../text/parse-source.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'

/** Makes the properties of schemas keep the order of their file. What an overlay added comes last. */
export async function keepWrittenOrder(schemas: readonly Place[], source: SourceFile): Promise<void> {
  const maps = schemas.map((schema) => childPlace(schema, 'properties'))
  const names = maps.map((map) => mapPlaces(map, undefined).map(({ name }) => name))
  const pointers = maps.flatMap((map, index) => [
    map.pointer,
    ...(names[index] ?? []).map((name) => pointerChild(map.pointer, name)),
  ])
  const places = await locatePointers(source, pointers)
  for (const [index, map] of maps.entries()) {
    const around = places.get(map.pointer)
    const startOf = (name: string) => {
      const place = places.get(pointerChild(map.pointer, name))
      return place && place !== around ? place.value.start : Number.POSITIVE_INFINITY
    }
    const starts = new Map(names[index]?.map((name) => [name, startOf(name)]))
    const inOrder = [...starts].sort(([, left], [, right]) => (left === right ? 0 : left - right)).map(([name]) => name)
    keepOrder(map, inOrder)
  }
}
