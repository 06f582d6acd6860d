import type { ComponentChildren } from 'preact'
import { isDivision, listRoutes } from '../../plan/divisions.ts'
import type { NavigationNode, SitePage } from '../../plan/types.ts'
import { ContentNodes } from '../components/content-nodes.tsx'
import { Description } from '../components/markdown-text.tsx'
import { PageLink } from '../shell/group-pages.tsx'
import { readContent, type SiteSource } from '../site-context.ts'
import { toTree } from './element-tree.tsx'
import { type Side, type Sides, type Subject, toSubject } from './review-subjects.tsx'

/** The guides of a site by the path of their file. */
export type Guides = ReadonlyMap<string, SitePage>

/** Pages that show a part of an API are compared with the API. */
export function listGuides({ context }: SiteSource): Guides {
  const guides = context.plan.pages.filter(({ subject, externalUrl }) => subject.kind === 'guide' && externalUrl === undefined)
  return new Map(guides.flatMap((page) => (page.path === undefined ? [] : [[page.path, page]])))
}

/** The guides that differ, with their changed words marked, and the navigation if its guides differ. */
export function reviewGuides(sites: Sides<SiteSource>, guides: Sides<Guides>): Subject[] {
  const isGuide = { method: undefined, tag: 'Guides' } as const
  const navigation = { ...isGuide, name: 'Navigation', read: (side: Side) => readNavigation(sites[side], guides[side]) }
  const paths = new Set([...guides.revision.keys(), ...guides.base.keys()])
  const pages = [...paths].map((path) => ({
    ...isGuide,
    name: path,
    read: (side: Side) => readGuide(sites[side], guides[side].get(path)),
  }))
  return [navigation, ...pages].flatMap((page) => toSubject(page, []) ?? [])
}

function readGuide(site: SiteSource, page: SitePage | undefined) {
  if (!page) return undefined
  const { context } = site
  const elements = (
    <>
      <p class="lead">{page.title}</p>
      <Description text={page.description} api={{ site: context, page }} class="prose" />
      <ContentNodes nodes={readContent(page, site).nodes} context={context} page={page} />
    </>
  )
  return { root: toTree(elements) }
}

function readNavigation({ context }: SiteSource, guides: Guides) {
  const [page] = guides.values()
  const routes = new Set([...guides.values()].flatMap(({ route, hidden }) => (hidden ? [] : [route])))
  const show = (nodes: readonly NavigationNode[]): ComponentChildren =>
    nodes.map((node) => {
      if (node.kind === 'page' && page && routes.has(node.route))
        return (
          <li id={node.route}>
            <PageLink context={context} page={page} route={node.route} />
          </li>
        )
      if (!isDivision(node) || node.hidden || !listRoutes(node).some((route) => routes.has(route))) return null
      return (
        <li>
          {node.label} <ul>{show(node.children)}</ul>
        </li>
      )
    })
  return { root: toTree(<ul class="tree">{show(context.plan.navigation.children)}</ul>) }
}
