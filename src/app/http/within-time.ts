/**
 * The result of some work, or `over()` thrown once the time has passed. The work itself goes on.
 *
 * @throws what the work throws, or `over()`.
 */
export async function withinTime<Result>(work: Promise<Result>, timeoutMs: number, over: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(over()), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
