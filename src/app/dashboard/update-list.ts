import { type ComponentChild, h } from 'preact'
import type { StoredUpdate } from '../../store/update-rows.ts'
import { icon } from '../pages/icons.ts'
import { inlineCode } from '../pages/inline-code.ts'
import { stateWords } from '../pages/words.ts'
import { ago } from './ago.ts'
import { toRefName, toSubject, toUpdatePath } from './dashboard-context.ts'

export interface UpdateItem {
  readonly stored: StoredUpdate
  /** What the line is called; the subject of the commit unless named. */
  readonly title?: string
  /** Below the title; the commit and its end unless given. */
  readonly note?: ComponentChild
  /** A button or link at the end of the line. */
  readonly action?: ComponentChild
}

/** Updates, one a line. */
export function updateList(items: readonly UpdateItem[], now: Date): ComponentChild {
  return h(
    'ul',
    { class: 'list' },
    items.map(({ stored, title, note, action }) => {
      const { update } = stored
      return h(
        'li',
        { class: `is-${update.status}` },
        icon(update.status),
        h(
          'span',
          null,
          h('span', { class: 'hidden' }, `${stateWords[update.status]}: `),
          h('a', { href: toUpdatePath(stored) }, h('bdi', null, title ?? toSubject(stored))),
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
