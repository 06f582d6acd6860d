import type { Scope, Value } from './types.ts'

/**
 * Counts the values that code can still reach from a value, up to a limit. Characters of strings count, too (64 as one value), and so
 * do the members of data that were read.
 */
export function countRetained(root: Value, most: number): number {
  const seen = new Set<object>()
  const stack: (Value | Scope)[] = [root]
  let count = 0
  while (stack.length > 0 && count <= most) {
    const one = stack.pop()
    count += typeof one === 'string' ? 1 + one.length / 64 : 1
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    for (const inner of listHeld(one)) stack.push(inner)
  }
  return count
}

function* listHeld(holder: (Value & object) | Scope): Iterable<Value | Scope> {
  if (!('kind' in holder)) {
    if (holder.parent) yield holder.parent
    for (const { value } of holder.names.values()) yield value
    return
  }
  switch (holder.kind) {
    case 'list':
      yield* holder.held ? holder.held() : holder.items
      break
    case 'object':
      yield* holder.source ? holder.source.held() : holder.entries.values()
      break
    case 'collection':
      yield* holder.entries.keys()
      yield* holder.entries.values()
      break
    case 'function':
      yield holder.scope
      yield* holder.entries.values()
      break
    case 'built-in':
    case 'generator':
      yield* holder.holds ?? []
      break
    default:
  }
}
