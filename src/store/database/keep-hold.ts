/** What this process holds for a limited time, such as the lease of a job, until it is lost. */
export interface Hold {
  /** Aborted when it is lost. */
  readonly signal: AbortSignal
  /**
   * Call this right before an effect that only the holder may have. Asks the store if the time since the last renewal is too long to be sure, for
   * example because the process was paused.
   *
   * @throws if it is lost, or if the store cannot be asked.
   */
  confirm(): Promise<void>
}

export interface KeptHold extends Hold {
  /** Ends it as lost. */
  lose(reason: Error): void
  /** Stops renewing. */
  end(): void
}

/** The times of two clocks in milliseconds. */
export interface ClockReading {
  readonly monotonicMs: number
  readonly wallMs: number
}

export function readClocks(): ClockReading {
  return { monotonicMs: performance.now(), wallMs: Date.now() }
}

/**
 * Milliseconds since a reading, at least. The monotonic clock stops while a machine is suspended, and the other one may be set back, so the clock
 * that moved further counts.
 */
export function elapsedSince({ monotonicMs, wallMs }: ClockReading, now = readClocks()): number {
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs)
}

/** A part of the time is not used, for clocks that run at different speeds and slow connections. */
const usedPart = 0.9

/**
 * Renews a hold until it ends. It is lost if the store refuses a renewal, or if none succeeds for the whole time that it lasts.
 *
 * @param options.since Before the store was asked for it.
 * @param options.renew Resolves with the milliseconds that it lasts from now; 0 if it is lost.
 */
export function keepHold(options: {
  readonly since: ClockReading
  readonly lastsMs: number
  readonly everyMs: number
  readonly renew: () => Promise<number>
  /** Called for each failure of `renew`. */
  readonly onError?: (error: unknown) => void
}): KeptHold {
  const { everyMs, renew, onError } = options
  const lost = new AbortController()
  let since = options.since
  let usedMs = options.lastsMs * usedPart
  let renewing: Promise<void> | undefined
  let expiry: NodeJS.Timeout | undefined
  let isEnded = false

  const isHeld = () => !lost.signal.aborted && elapsedSince(since) < usedMs

  const end = () => {
    isEnded = true
    clearInterval(beat)
    clearTimeout(expiry)
  }

  const lose = (reason: Error) => {
    end()
    lost.abort(reason)
  }

  const expectRenewal = () => {
    clearTimeout(expiry)
    if (isEnded) return
    expiry = setTimeout(() => void expire(), Math.max(0, usedMs - elapsedSince(since)))
  }

  const renewOnce = (): Promise<void> => {
    renewing ??= (async () => {
      const startedAt = readClocks()
      try {
        const lastsMs = await renew()
        if (lastsMs <= 0) return isEnded ? undefined : lose(new Error('Another process has taken over the work'))
        since = startedAt
        usedMs = lastsMs * usedPart
        expectRenewal()
      } catch (error) {
        onError?.(error)
      } finally {
        renewing = undefined
      }
    })()
    return renewing
  }

  /** Asks once more: the process may have been paused, and its work may still be its own. */
  const expire = async () => {
    await Promise.race([confirm().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, everyMs).unref())])
    if (isEnded) return
    // A timer may run a part of a millisecond early.
    if (isHeld()) expectRenewal()
    else lose(new Error('The store did not confirm in time that the work is still held'))
  }

  const confirm = async () => {
    // A renewal that was sent before a pause does not count.
    for (let tries = 0; tries < 2 && !isHeld() && !lost.signal.aborted; tries++) await untilAborted(renewOnce(), lost.signal)
    lost.signal.throwIfAborted()
    if (!isHeld()) throw new Error('Cannot confirm that the work is still held')
  }

  const beat = setInterval(() => void renewOnce(), everyMs)
  expectRenewal()
  return { signal: lost.signal, confirm, lose, end }
}

/** @throws the reason of the signal once it is aborted. */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return await work
  signal.throwIfAborted()
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (abort) signal.removeEventListener('abort', abort)
  }
}
