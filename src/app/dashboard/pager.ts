import { type ComponentChild, h } from 'preact'

/** Links to the pages before and after; nothing where there is one page. */
export function pager(
  path: string,
  { page, pages, ...query }: { page: number; pages: number } & Readonly<Record<string, string | number>>,
): ComponentChild {
  if (pages <= 1) return undefined
  const to = (number: number) => `${path}?${new URLSearchParams({ ...toTexts(query), page: String(number) })}`
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    page > 1 && h('a', { class: 'button quiet', href: to(page - 1), rel: 'prev' }, 'Newer'),
    h('span', { class: 'numeric' }, `Page ${page} of ${pages}`),
    page < pages && h('a', { class: 'button quiet', href: to(page + 1), rel: 'next' }, 'Older'),
  )
}

function toTexts(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

/** Where a list goes on by a cursor: to its start, and to older ones. */
export function cursorPager(
  path: string,
  { cursor, nextCursor }: { cursor?: string | undefined; nextCursor?: string | undefined },
) {
  if (cursor === undefined && nextCursor === undefined) return undefined
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of updates' },
    cursor !== undefined && h('a', { class: 'button quiet', href: `${path}#updates` }, 'Newest'),
    nextCursor !== undefined &&
      h('a', { class: 'button quiet', href: `${path}?cursor=${encodeURIComponent(nextCursor)}#updates`, rel: 'next' }, 'Older'),
  )
}
