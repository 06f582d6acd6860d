import type { MdxProps, MdxValue } from './types.ts'

/** Makes what YAML or JSON gave a value of MDX. */
export function toValue(data: unknown): MdxValue {
  if (Array.isArray(data)) return { kind: 'list', items: data.map(toValue) }
  if (typeof data === 'object' && data !== null)
    return { kind: 'object', entries: toProps(Object.entries(data).map(([key, value]) => [key, toValue(value)])) }
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? data : null
}

/** Values by name, in an object without a prototype. */
export function toProps(entries: Iterable<readonly [name: string, value: MdxValue]>): MdxProps {
  const props: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of entries) props[name] = value
  return props
}
