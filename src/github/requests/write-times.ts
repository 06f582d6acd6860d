/** Limits on the writes of one installation. */
export interface WriteLimits {
  /** Minimum time between two writes. GitHub, "Best practices for using the REST API": at least one second. */
  readonly spacingMs: number
  /** Writes of content per installation: 80 per minute and 500 per hour (GitHub, "Rate limits", secondary limits). */
  readonly writesPerMinute: number
  readonly writesPerHour: number
  /** The length of those windows. Shorter only in tests. */
  readonly minuteMs: number
  readonly hourMs: number
}

/** When an installation wrote and until when it must wait, in milliseconds of one clock. */
export interface WriteTimes {
  /** The end of the pause that GitHub requested. */
  readonly pausedUntil: number
  readonly lastWriteAt?: number
  /** The writes of the last hour, oldest first, in slots of time, because thousands of single times would be too long for a row. */
  readonly slots: readonly (readonly [startsAt: number, writes: number])[]
}

export const noWrites: WriteTimes = { pausedUntil: 0, slots: [] }

const slotsPerMinute = 20

/** The earliest time for another write that is within all limits. */
export function findNextWrite(times: WriteTimes, limits: WriteLimits, now: number): number {
  const { spacingMs, writesPerMinute, writesPerHour, minuteMs, hourMs } = limits
  return Math.max(
    now,
    times.pausedUntil,
    times.lastWriteAt === undefined ? 0 : times.lastWriteAt + spacingMs,
    findRoom(times, limits, writesPerMinute, minuteMs),
    findRoom(times, limits, writesPerHour, hourMs),
  )
}

/** The share of the hourly writes that bulk work may use. */
const bulkShare = 0.75

/** The earliest time for a write of bulk work, by its share alone. */
export function findBulkRoom(times: WriteTimes, limits: WriteLimits): number {
  return findRoom(times, limits, Math.floor(limits.writesPerHour * bulkShare), limits.hourMs)
}

/** When fewer than `max` writes are in the window. A slot leaves it with its end, so that no write leaves it too early. */
function findRoom({ slots }: WriteTimes, { minuteMs }: WriteLimits, max: number, windowMs: number): number {
  let writes = 0
  for (const [startsAt, count] of slots.toReversed()) {
    writes += count
    if (writes >= max) return startsAt + minuteMs / slotsPerMinute + windowMs
  }
  return 0
}

/** Adds a write, which may be in the future, and forgets those of more than an hour ago. */
export function addWrite(times: WriteTimes, { minuteMs, hourMs }: WriteLimits, at: number): WriteTimes {
  const slotMs = minuteMs / slotsPerMinute
  const startsAt = Math.floor(at / slotMs) * slotMs
  const known = times.slots.filter((slot) => slot[0] + slotMs + hourMs > at)
  const last = known.at(-1)
  const slots = last?.[0] === startsAt ? known.with(-1, [startsAt, last[1] + 1]) : [...known, [startsAt, 1] as const]
  return { ...times, lastWriteAt: at, slots }
}

/** The number of writes in a window that ends now. */
export function countWrites({ slots }: WriteTimes, { minuteMs }: WriteLimits, windowMs: number, now: number): number {
  const since = now - windowMs - minuteMs / slotsPerMinute
  return slots.reduce((sum, [startsAt, writes]) => (startsAt > since ? sum + writes : sum), 0)
}
