import { type ComponentChild, h } from 'preact'
import type { UpdateState } from '../../status/types.ts'

/** SVG paths on a 16 by 16 grid, drawn for this project. The stroke has the text color. */
const paths = {
  success: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm5.25 8.25 2 2 3.5-4'],
  failure: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm6 6 4 4M10 6l-4 4'],
  error: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'm6 6 4 4M10 6l-4 4'],
  in_progress: ['M8 1.75A6.25 6.25 0 1 1 1.75 8'],
  queued: [
    'M14.25 8a6.25 6.25 0 0 1-.6 2.7M12 12.8a6.25 6.25 0 0 1-2.4 1.2M6.4 14A6.25 6.25 0 0 1 4 12.8M2.3 10.7a6.25 6.25 0 0 1 0-5.4M4 3.2A6.25 6.25 0 0 1 6.4 2M9.6 2A6.25 6.25 0 0 1 12 3.2',
  ],
  warning: ['M8 2.25 14.25 13H1.75Z', 'M8 6.5v3M8 11.2v.05'],
  info: ['M14.25 8A6.25 6.25 0 1 1 1.75 8a6.25 6.25 0 0 1 12.5 0Z', 'M8 7.5v3.25M8 5.2v.05'],
  branch: [
    'M6 3.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0ZM6 12.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0ZM13 5.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0Z',
    'M4.5 5v6M11.5 7c0 2.5-7 1.5-7 4',
  ],
  external: ['M6.5 3.5h-3v9h9v-3M9 2.75h4.25V7M13 3 7.5 8.5'],
  retry: ['M13.25 8A5.25 5.25 0 1 1 11.6 4.2L13.25 5.7', 'M13.25 2.5v3.25H10'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  chevron: ['m6 3.5 4.5 4.5L6 12.5'],
  sun: [
    'M10.75 8a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z',
    'M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  ],
  moon: ['M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z'],
} as const

export type IconName = keyof typeof paths

/** An icon next to a label: hidden from screen readers. */
export function icon(name: IconName, className = ''): ComponentChild {
  return h(
    'svg',
    { class: `icon ${className}`.trim(), viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    paths[name].map((d) => h('path', { d })),
  )
}

/** The links from the top level down to a page. */
export function breadcrumb(items: readonly ComponentChild[]): ComponentChild {
  return h(
    'nav',
    { 'aria-label': 'Breadcrumb' },
    h(
      'ol',
      { class: 'crumbs' },
      items.map((item) => h('li', null, h('bdi', null, item))),
    ),
  )
}

/** A section heading with an anchor and an optional count: a number, or words such as `2 errors, 1 warning`. */
export function heading(id: string, label: string, found?: number | string | undefined): ComponentChild {
  return h('h2', { id }, label, found !== undefined && h('small', null, found.toLocaleString('en-US')))
}

/** Renders text in backticks as `<code>`. An unpaired backtick is left unchanged. */
export function inlineCode(text: string): ComponentChild[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.length > 2 && part.startsWith('`') && part.endsWith('`') ? h('code', null, part.slice(1, -1)) : part))
}

/** Display labels of the update states. */
export const stateLabels: Readonly<Record<UpdateState, string>> = {
  queued: 'Queued',
  in_progress: 'In progress',
  success: 'Success',
  failure: 'Failure',
}

/** `1 page`, `1,240 pages`. */
export function count(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`
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

interface PathEntry {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept'
  readonly path: string
  readonly href?: string | undefined
  readonly notes?: readonly (string | undefined)[]
}

const shownEntries = 200

/** Up to 200 paths with their changes, and the number of the rest. @param unlisted Number of further paths. */
export function pathList(entries: readonly PathEntry[], unlisted = 0): ComponentChild {
  const rest = Math.max(0, entries.length - shownEntries) + unlisted
  return h(
    'ul',
    { class: 'paths' },
    entries.slice(0, shownEntries).map(({ kind, path, href, notes = [] }) => {
      const detail = notes.filter(Boolean).join(' · ')
      return h(
        'li',
        { class: `is-${kind}` },
        h('span', { class: 'kind' }, kind),
        h(
          'span',
          null,
          h('bdi', { class: 'mono' }, href ? h('a', { href }, path) : path),
          detail && h('small', null, h('bdi', null, inlineCode(detail))),
        ),
      )
    }),
    rest > 0 && h('li', null, `… and ${rest.toLocaleString('en-US')} more`),
  )
}
