import type { UpdateState } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'

/** `#482` for a pull request, otherwise the name of the branch or tag. */
export function toRefName({ update, details }: StoredUpdate): string {
  if (details.pullNumber !== undefined) return `#${details.pullNumber}`
  return update.commit.ref.replace(/^refs\/(heads|tags)\//, '')
}

/** Display labels of the update states. */
export const stateLabels: Readonly<Record<UpdateState, string>> = {
  queued: 'Queued',
  in_progress: 'In progress',
  success: 'Success',
  failure: 'Failure',
}

export interface UpdateMark {
  /** The icon and the color, as in `is-warning`. */
  readonly name: UpdateState | 'warning'
  readonly label: string
}

/** The mark of an update in lists and on its page: a success with breaking changes of the API is a warning. */
export function toMark(state: UpdateState, isBreaking: boolean): UpdateMark {
  if (state === 'success' && isBreaking) return { name: 'warning', label: 'Breaking changes' }
  return { name: state, label: stateLabels[state] }
}

/** `0.4 s`, `42 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const whole = Math.round(milliseconds / 1000)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** The `07:15:03` of an ISO time, in UTC. */
export function formatTime(time: string): string {
  return time.slice(11, 19)
}

/** `20 Nov 2026, 07:15 UTC`. */
export function formatDate(time: string): string {
  return `${formatDay(time)}, ${time.slice(11, 16)} UTC`
}

/** `20 Nov 2026`. */
export function formatDay(time: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(time),
  )
}

/** `3 s ago`, `4 min ago`, `2 hours ago`, `yesterday`, `6 days ago`; the date after a month. */
export function toAgo(time: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000))
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  const days = Math.floor(hours / 24)
  if (days < 31) return days === 1 ? 'yesterday' : `${days} days ago`
  return formatDay(time)
}

/** `18.4 MB`, `640 kB`, in decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Turns a message or hint, which has no full stop, into a sentence. */
export function sentence(fragment: string): string {
  const text = fragment.charAt(0).toUpperCase() + fragment.slice(1)
  return /[.?!:]$/.test(text) ? text : `${text}.`
}

/** A URL without its scheme and trailing slash. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
