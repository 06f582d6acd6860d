import { type ComponentChild, h } from 'preact'
import { formatDate } from '../pages/words.ts'

/** `3 s ago`, `4 min ago`, `2 hours ago`, `yesterday`, `6 days ago`; beyond a month the day itself. */
export function toAgo(time: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000))
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  const days = Math.floor(hours / 24)
  if (days < 31) return days === 1 ? 'yesterday' : `${days} days ago`
  return formatDate(time).split(',', 1)[0] ?? ''
}

/** With the exact time for who points at it. */
export function ago(time: string, now: Date, prefix = ''): ComponentChild {
  return h('time', { class: 'when numeric', dateTime: time, title: formatDate(time) }, `${prefix}${toAgo(time, now)}`)
}

/** `18.4 MB`, `640 kB`; decimal, as disks are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
