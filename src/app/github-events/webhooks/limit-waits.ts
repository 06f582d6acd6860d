import { withTimeout } from '../../http/waiting.ts'

export interface WaitLimits {
  /** Callers wait this long. */
  readonly answerWithinMs: number
  /** While work has run for longer than this, no new work starts. */
  readonly refuseAfterMs: number
  /** Work that has run for even longer no longer prevents new work. Its connection may be lost without notice. */
  readonly forgetAfterMs: number
}

/** Runs work, or rejects instead of letting its caller wait too long. */
type RunWithLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Limits how long callers wait for work that a slow database delays.
 *
 * A caller whose time is over gets `createError()`. Its work goes on, because a running transaction cannot be taken back. If work takes even
 * longer, new work is refused before it starts: it would only make the rest slower.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function limitWaits(
  { answerWithinMs, refuseAfterMs, forgetAfterMs }: WaitLimits,
  createError: () => Error,
  now: () => number = () => performance.now(),
): RunWithLimit {
  /** Running work, oldest first. */
  const running = new Set<{ readonly startedAt: number }>()
  const mustRefuse = () => {
    const at = now()
    for (const { startedAt } of running) {
      const ranMs = at - startedAt
      if (ranMs < forgetAfterMs) return ranMs >= refuseAfterMs
    }
    return false
  }
  return async (work) => {
    if (mustRefuse()) throw createError()
    const one = { startedAt: now() }
    running.add(one)
    const ended = work().finally(() => running.delete(one))
    return await withTimeout(ended, answerWithinMs, createError)
  }
}
