import { childPlace } from '../openapi/read/collect-operations.ts'
import type { Place } from '../openapi/types.ts'
import { isObject } from '../text/json/json-values.ts'
import type { ComparedSchema } from './compared-schema.ts'

/** The allowed values with their places. */
export interface Values {
  readonly keyword: 'enum' | 'const'
  readonly byKey: ReadonlyMap<string, Place>
  readonly place: Place
}

/** Reads the values of `enum` and `const`. Those of several branches of `allOf` apply together. */
export function readValues({ parts }: ComparedSchema, isNullable: boolean): Values | undefined {
  let found: Values | undefined
  for (const { place, value, allowsNull, folded } of parts) {
    for (const keyword of ['const', 'enum'] as const) {
      const list = folded && keyword === 'enum' ? folded.place : childPlace(place, keyword)
      if (value[keyword] === undefined || (keyword === 'enum' && !Array.isArray(list.value))) continue
      const listed =
        Array.isArray(list.value) && keyword === 'enum' ? list.value.map((_each, index) => childPlace(list, index)) : [list]
      const places = folded && keyword === 'enum' ? folded.values : listed
      const own = new Map(places.map((one) => [toValueKey(one.value), one]))
      if (isNullable && allowsNull) own.set('null', list)
      if (!found) found = { keyword, byKey: own, place: list }
      else {
        const byKey = new Map([...found.byKey].filter(([key]) => own.has(key)))
        found = found.keyword === 'const' || keyword === 'enum' ? { ...found, byKey } : { keyword, byKey, place: list }
      }
    }
  }
  return found
}

/** Whether a schema lists its values, and each of them is `null` or a text that meets a condition. */
export function listsTexts(schema: ComparedSchema, meets: (text: string) => boolean): boolean {
  const listed = readValues(schema, false)
  if (!listed) return false
  return [...listed.byKey.values()].every(({ value }) => value === null || (typeof value === 'string' && meets(value)))
}

/** A text that is equal for equal values, whatever the order of their keys. */
export function toValueKey(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
  })
}
