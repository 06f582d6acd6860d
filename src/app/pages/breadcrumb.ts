import { type ComponentChild, h } from 'preact'

/** The way to a page, from the outside in. */
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
