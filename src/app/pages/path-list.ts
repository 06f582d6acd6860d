import { type ComponentChild, h } from 'preact'

export interface PathEntry {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept'
  readonly path: string
  readonly href?: string | undefined
  readonly notes?: readonly (string | undefined)[]
}

const shownEntries = 200

/** Paths with what happened to each; beyond 200 the rest is counted. */
export function pathList(entries: readonly PathEntry[]): ComponentChild {
  const rest = entries.length - shownEntries
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
          detail && h('small', null, h('bdi', null, detail)),
        ),
      )
    }),
    rest > 0 && h('li', null, `… and ${rest.toLocaleString('en-US')} more`),
  )
}
