import { splitStyle, toAllowedStyle } from './allowed-style.ts'
import type { MdxValue } from './types.ts'

/** What is allowed of a `style`, a text or an object, in one canonical text; `''` where nothing is. */
export function readStyle(value: MdxValue | undefined): string {
  if (typeof value === 'string') return toAllowedStyle(splitStyle(value))
  if (value === undefined || value === null || typeof value !== 'object' || value.kind !== 'object') return ''
  const pairs = Object.entries(value.entries).flatMap(([name, one]) =>
    typeof one === 'string' || typeof one === 'number' ? [[name, one] as const] : [],
  )
  return toAllowedStyle(pairs)
}
