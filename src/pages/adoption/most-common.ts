/** The value that most elements have, and how many have it; the first of equals. `undefined` for no elements. */
export function mostCommon<Element, Value>(
  elements: Iterable<Element>,
  toValue: (element: Element) => Value,
): { readonly value: Value; readonly count: number } | undefined {
  const counts = new Map<Value, number>()
  for (const element of elements) {
    const value = toValue(element)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  let best: { value: Value; count: number } | undefined
  for (const [value, count] of counts) if (!best || count > best.count) best = { value, count }
  return best
}
