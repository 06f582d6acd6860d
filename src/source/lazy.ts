/** A function that makes a value when it is first asked for it, and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
