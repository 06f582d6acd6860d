import { isObject } from '../text/is-object.ts'
import type { MintExtension } from './types.ts'

/** Whether a switch such as `x-hidden` is on: any value but `false` and `null`. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

/** The value where it is a text. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Reads `x-mint`; `around` is the one of the path item. */
export function toMintExtension(value: unknown, around: unknown): MintExtension | undefined {
  // Few descriptions have any, and a large one has thousands of operations.
  if (!isObject(value) && !isObject(around)) return undefined
  const groups = [...new Set([...toGroups(around), ...toGroups(value)])]
  if (!isObject(value) && groups.length === 0) return undefined
  const { metadata, content, href } = isObject(value) ? value : {}
  return {
    metadata: isObject(metadata) ? metadata : undefined,
    content: toText(content),
    href: toText(href),
    groups: groups.length === 0 ? undefined : groups,
  }
}

function toGroups(value: unknown): string[] {
  const groups = isObject(value) ? value['groups'] : undefined
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : []
}
