/** Names of members that every object of JavaScript has, each with an ordinary name that is as long and sorts next to it. */
export const names: readonly (readonly [name: string, ordinary: string])[] = [
  ['constructor', 'constructoq'],
  ['__proto__', '__protp__'],
  ['toString', 'toStrinh'],
  ['hasOwnProperty', 'hasOwnPropertz'],
  ['toLocaleString', 'toLocaleStrinh'],
]

type Segments = readonly (string | number)[]

/** A key or a text in a value that consists of mappings, lists and scalars. */
export interface Position {
  readonly kind: 'key' | 'text'
  readonly segments: Segments
}

export function listPositions(value: unknown, segments: Segments = []): Position[] {
  if (typeof value === 'string') return [{ kind: 'text', segments }]
  if (Array.isArray(value)) return value.flatMap((entry, index) => listPositions(entry, [...segments, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    const own = [...segments, key]
    return [{ kind: 'key' as const, segments: own }, ...listPositions(entry, own)]
  })
}

/** A copy with another key or text. */
export function put(value: unknown, { kind, segments }: Position, name: string): unknown {
  const [first, ...rest] = segments
  if (first === undefined) return name
  const inside = { kind, segments: rest }
  if (Array.isArray(value)) return value.map((entry, index) => (index === first ? put(entry, inside, name) : entry))
  const entries = Object.entries(Object(value)).map(([key, entry]) => {
    if (key !== first) return [key, entry]
    return kind === 'key' && rest.length === 0 ? [name, entry] : [key, put(entry, inside, name)]
  })
  return Object.fromEntries(entries)
}
