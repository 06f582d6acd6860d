import type { UpdateState } from '../../status/types.ts'

/** The states as people read them. */
export const stateWords: Readonly<Record<UpdateState, string>> = {
  queued: 'Queued',
  in_progress: 'In progress',
  success: 'Success',
  failure: 'Failure',
}

/** `1 page`, `1,240 pages`. */
export function count(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`
}

/** `0.4 s`, `2 min 5 s`: as exact as a reader needs. */
export function formatDuration(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const whole = Math.round(milliseconds / 1000)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `07:15:03` of an ISO time; the page says once that times are in UTC. */
export function formatTime(time: string): string {
  return time.slice(11, 19)
}

/** `20 Nov 2026, 07:15 UTC`. */
export function formatDate(time: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(time),
  )
  return `${day}, ${time.slice(11, 16)} UTC`
}
