/** Keeps what was used last, up to a bound: on how many there are, or on what they weigh. */
export class BoundedMap<Key, Value> {
  readonly #values = new Map<Key, { readonly value: Value; readonly weight: number }>()
  readonly #most: number
  #weight = 0
  constructor(most: number) {
    this.#most = most
  }
  get(key: Key): Value | undefined {
    const found = this.#values.get(key)
    if (!found) return undefined
    // Last in the order of a map is what was set last.
    this.#values.delete(key)
    this.#values.set(key, found)
    return found.value
  }
  set(key: Key, value: Value, weight = 1): void {
    const known = this.#values.get(key)
    if (known) this.#weight -= known.weight
    this.#values.delete(key)
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const [oldest, { weight: freed }] of this.#values) {
      if (this.#weight <= this.#most) return
      this.#values.delete(oldest)
      this.#weight -= freed
    }
  }
}
