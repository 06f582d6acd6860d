import { childPlace } from '../openapi/collect-operations.ts'
import { isObject } from '../text/is-object.ts'
import type { MergedSchema } from './merge-schema.ts'
import { findKeyword, type SchemaSetting, toSchemaView } from './to-schema-view.ts'
import type { OtherKeyView } from './types.ts'

/** The keys of an object that have no name: those of a pattern, and all others. `true` and `{}` say nothing and are left out. */
export function toOtherKeys(merged: MergedSchema, setting: SchemaSetting): OtherKeyView[] {
  const patterns = findKeyword(merged, 'patternProperties')
  const names = isObject(patterns?.value) ? Object.keys(patterns.value) : []
  const views: OtherKeyView[] = names.flatMap((pattern) =>
    patterns ? [{ label: toLabel(pattern), pattern, schema: toSchemaView(childPlace(patterns, pattern), setting) }] : [],
  )
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const place = findKeyword(merged, keyword)
    if (!place || !isObject(place.value) || Object.keys(place.value).length === 0) continue
    views.push({ label: 'any other key', pattern: undefined, schema: toSchemaView(place, setting) })
  }
  return views
}

/** `^x-` reads better as `x-…`. */
function toLabel(pattern: string): string {
  const prefix = /^\^([\w-]+)(?:\.\*\$?)?$/.exec(pattern)?.[1]
  return prefix === undefined ? 'key of a pattern' : `${prefix}…`
}
