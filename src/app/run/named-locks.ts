/** Lets one piece of work at a time go on under a name. */
export type NamedLocks = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** Makes a set of locks for this process. Work that waits under a name goes on in the order in which it came. */
export function createNamedLocks(): NamedLocks {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = tails.get(name)
    const own = (async () => {
      await before?.catch(() => undefined)
      return await work()
    })()
    tails.set(name, own)
    try {
      return await own
    } finally {
      if (tails.get(name) === own) tails.delete(name)
    }
  }
}
