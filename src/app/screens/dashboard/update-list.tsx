import type { ComponentChildren } from 'preact'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import { Ago, Icon, IsolatedText } from '../pages/elements.tsx'
import { toMark, toRefName } from '../pages/formats.ts'
import { type MarkedUpdate, toSubject, toUpdatePath } from './visit.ts'

export interface UpdateItem {
  readonly stored: MarkedUpdate
  /** Link text; defaults to the subject of the commit. */
  readonly title?: string
  /** Second line; defaults to the commit, its author and the summary. */
  readonly note?: ComponentChildren
  /** Short marks below the second line. */
  readonly tags?: ComponentChildren
  /** The section of the update page that the title links to. */
  readonly anchor?: string
  /** Button or link at the end of the line. */
  readonly action?: ComponentChildren
}

/** A list of updates, one per line. */
export function UpdateList({ items, now }: { readonly items: readonly UpdateItem[]; readonly now: Date }) {
  return (
    <ul class="list">
      {items.map(({ stored, title, note, tags, anchor, action }) => {
        const { status, createdAt } = stored.update
        const mark = toMark(status, stored.isBreaking)
        return (
          <li class={`is-${mark.name}`}>
            <Icon name={mark.name} />
            <span>
              <span class="hidden">{mark.label}: </span>
              <a href={`${toUpdatePath(stored)}${anchor === undefined ? '' : `#${anchor}`}`}>
                <IsolatedText text={title ?? toSubject(stored)} />
              </a>
              <small>{note ?? <CommitNote stored={stored} />}</small>
              {tags && <span class="tags">{tags}</span>}
            </span>
            <Ago time={createdAt} now={now} prefix={status === 'in_progress' ? 'started ' : ''} />
            {action && <span class="action">{action}</span>}
          </li>
        )
      })}
    </ul>
  )
}

/** `main, b70d5e2 by octocat: Valid: 1 document.` */
function CommitNote({ stored }: { readonly stored: StoredUpdate }) {
  const { commit, author, summary } = stored.update
  return (
    <>
      <bdi>{toRefName(stored)}</bdi>, <span class="mono">{commit.sha.slice(0, 7)}</span> by <bdi>{author}</bdi>
      {summary && (
        <>
          {': '}
          <IsolatedText text={summary} />
        </>
      )}
    </>
  )
}
