import { stringify } from 'yaml'
import type { DescriptionCheck } from '../../openapi/check-description.ts'
import { isObject } from '../../source/is-object.ts'
import type { SiteFile } from '../render/types.ts'

/** The most text that is converted. Writing YAML takes about a second per megabyte. */
const maxCharacters = 1_000_000

/**
 * Converts the entry document of an API to the other format, next to its published file: YAML to JSON and JSON to YAML. References to other
 * files are unchanged, because these files are published too.
 */
export function toOtherFormat(
  check: DescriptionCheck | undefined,
  downloads: ReadonlyMap<string, SiteFile>,
): SiteFile | undefined {
  const entryPath = check?.description?.entryPath ?? ''
  const original = downloads.get(entryPath)?.path
  const value = check?.documents.get(entryPath)?.parsed.value
  if (original === undefined || countCharacters(value, maxCharacters) > maxCharacters) return undefined
  const isJson = /\.json$/i.test(original)
  const path = `${original.replace(/\.(?:json|ya?ml)$/i, '')}.${isJson ? 'yaml' : 'json'}`
  if ([...downloads.values()].some((file) => file.path.toLowerCase() === path.toLowerCase())) return undefined
  const content = isJson
    ? stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
    : `${JSON.stringify(value, undefined, 2)}\n`
  return { path, content }
}

/** The number of characters of all keys and values, counted up to a limit. Aliases count once for each use. */
function countCharacters(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  let count = 2
  const isList = Array.isArray(value)
  for (const [key, child] of isList ? value.entries() : isObject(value) ? Object.entries(value) : []) {
    count += (isList ? 1 : String(key).length) + countCharacters(child, limit - count)
    if (count > limit) return count
  }
  return count
}
