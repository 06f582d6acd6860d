import { Session } from 'node:inspector/promises'

/** Methods that visit a list or mapping without executing code of this repository. */
const [ofArrays, ofObjects] = [
  ['includes', 'indexOf', 'find', 'findIndex', 'some', 'every', 'filter', 'map', 'flatMap', 'slice', 'join'] as const,
  ['keys', 'values', 'entries', 'fromEntries'] as const,
]

/**
 * Counts the calls of functions of the sources, and the values that built-in functions visit. Blocks are not counted: the engine counts them only
 * in functions that it compiles while it measures.
 */
export async function countCalls(run: () => Promise<unknown>): Promise<number> {
  let steps = 0
  const restore: (() => void)[] = []
  const replace = (owner: object, name: string, sizeOf: (self: unknown, result: unknown) => number) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    const original = descriptor?.value as (...args: unknown[]) => unknown
    const counted = function (this: unknown, ...args: unknown[]) {
      const result = Reflect.apply(original, this, args)
      steps += sizeOf(this, result)
      return result
    }
    Object.defineProperty(owner, name, { ...descriptor, value: counted })
    restore.push(() => Object.defineProperty(owner, name, descriptor ?? {}))
  }
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const name of ofArrays) replace(Array.prototype, name, (self) => (Array.isArray(self) ? self.length : 0))
  for (const name of ofObjects) replace(Object, name, (_self, result) => (Array.isArray(result) ? result.length : 0))
  try {
    await run()
  } finally {
    for (const undo of restore) undo()
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  for (const { url, functions } of result) {
    if (!url.includes('/src/')) continue
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  }
  return steps
}
