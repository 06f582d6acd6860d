export interface Random {
  /** The next number from 0 to 1. */
  (): number
  /** A random element. */
  of<Value>(values: readonly Value[]): Value
}

/** Random numbers from 0 to 1, always the same for a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
  return Object.assign(next, {
    of<Value>(values: readonly Value[]): Value {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('There is nothing to choose from')
      return value
    },
  })
}
