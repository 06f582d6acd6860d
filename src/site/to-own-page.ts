import type { SitePage } from './types.ts'

/** A page that no file of the docs root stands for, such as the one at addresses without a page; nothing lists it. */
export function toOwnPage({ route, title }: Pick<SitePage, 'route' | 'title'>): SitePage {
  return {
    route,
    path: undefined,
    title,
    sidebarTitle: title,
    description: undefined,
    icon: undefined,
    tag: undefined,
    deprecated: false,
    mode: 'default',
    externalUrl: undefined,
    hidden: true,
    noindex: true,
    frontmatter: {},
    subject: { kind: 'guide' },
    trail: [],
  }
}
