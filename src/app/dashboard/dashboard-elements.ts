import { type ComponentChild, h } from 'preact'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { formatDate, formatDay, type IconName, icon, inlineCode, stateLabels } from '../pages/elements.ts'
import { toRefName, toSubject, toUpdatePath } from './visit.ts'

export interface UpdateItem {
  readonly stored: StoredUpdate
  /** Link text; defaults to the subject of the commit. */
  readonly title?: string
  /** Second line; defaults to the commit, its author and the summary. */
  readonly note?: ComponentChild
  /** The section of the update page that the title links to. */
  readonly anchor?: string
  /** Button or link at the end of the line. */
  readonly action?: ComponentChild
}

/** A list of updates, one per line. */
export function updateList(items: readonly UpdateItem[], now: Date): ComponentChild {
  return h(
    'ul',
    { class: 'list' },
    items.map(({ stored, title, note, anchor, action }) => {
      const { update } = stored
      return h(
        'li',
        { class: `is-${update.status}` },
        icon(update.status),
        h(
          'span',
          null,
          h('span', { class: 'hidden' }, `${stateLabels[update.status]}: `),
          h(
            'a',
            { href: `${toUpdatePath(stored)}${anchor === undefined ? '' : `#${anchor}`}` },
            h('bdi', null, inlineCode(title ?? toSubject(stored))),
          ),
          h('small', null, note ?? commitNote(stored)),
        ),
        ago(update.createdAt, now, update.status === 'in_progress' ? 'started ' : ''),
        h('span', { class: 'action' }, action),
      )
    }),
  )
}

/** `main, b70d5e2 by octocat: Valid: 1 document.` */
function commitNote(stored: StoredUpdate): ComponentChild {
  const { commit, author, summary } = stored.update
  return [
    h('bdi', null, toRefName(stored)),
    ', ',
    h('span', { class: 'mono' }, commit.sha.slice(0, 7)),
    ' by ',
    h('bdi', null, author),
    summary && [': ', h('bdi', null, inlineCode(summary))],
  ]
}

interface ActionForm {
  readonly action: string
  readonly label: string
  /** Target of the action, added to the label for screen readers. */
  readonly of?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly iconName?: IconName
  readonly isMain?: boolean
}

/** A form with one button, so that actions work without JavaScript. */
export function actionForm({ action, label, of, fields = {}, iconName, isMain = false }: ActionForm): ComponentChild {
  return h(
    'form',
    { method: 'post', action },
    Object.entries(fields).map(([name, value]) => h('input', { type: 'hidden', name, value })),
    h(
      'button',
      { class: isMain ? 'button' : 'button quiet', type: 'submit' },
      iconName && icon(iconName),
      label,
      of !== undefined && h('span', { class: 'hidden' }, ` ${of}`),
    ),
  )
}

/** Links to the previous and next page; nothing if there is only one page. */
export function pager(
  path: string,
  { page, pages, ...query }: { page: number; pages: number } & Readonly<Record<string, string | number>>,
): ComponentChild {
  if (pages <= 1) return undefined
  const to = (number: number) => `${path}?${new URLSearchParams({ ...toStrings(query), page: String(number) })}`
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    page > 1 && h('a', { class: 'button quiet', href: to(page - 1), rel: 'prev' }, 'Newer'),
    h('span', { class: 'numeric' }, `Page ${page} of ${pages}`),
    page < pages && h('a', { class: 'button quiet', href: to(page + 1), rel: 'next' }, 'Older'),
  )
}

function toStrings(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

/** Links to the newest and the older entries of a list with cursor pagination. @param list The anchor of the list. */
export function cursorPager(
  path: string,
  { cursor, nextCursor }: { cursor?: string | undefined; nextCursor?: string | undefined },
  list: 'updates' | 'changes' = 'updates',
) {
  if (cursor === undefined && nextCursor === undefined) return undefined
  return h(
    'nav',
    { class: 'pager', 'aria-label': `Pages of ${list}` },
    cursor !== undefined && h('a', { class: 'button quiet', href: `${path}#${list}` }, 'Newest'),
    nextCursor !== undefined &&
      h('a', { class: 'button quiet', href: `${path}?cursor=${encodeURIComponent(nextCursor)}#${list}`, rel: 'next' }, 'Older'),
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

/** The relative time, with the exact time as a tooltip. */
export function ago(time: string, now: Date, prefix = ''): ComponentChild {
  return h('time', { class: 'when numeric', dateTime: time, title: formatDate(time) }, `${prefix}${toAgo(time, now)}`)
}

/** `18.4 MB`, `640 kB`, in decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
