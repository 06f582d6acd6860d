import type { SiteStore } from '../../store/site-types.ts'
import type { ChangedPage, SiteNews } from '../../store/types.ts'
import { toAddress } from '../sites/read-path.ts'
import type { BuiltSiteFiles } from './site-types.ts'

/** More than a person reads; they are counted all the same. */
const listedPages = 100

/** The files of a build: hash by path. */
export type BuildHashes = ReadonlyMap<string, string>

/**
 * What a built site shows that the site before it did not: by the Markdown of its pages, which changes with what a page says and not with the
 * navigation around it.
 *
 * @param before What the default branch had; absent for a first site, where everything is new and nothing stands out.
 */
export function toSiteNews({ pages, files }: Pick<BuiltSiteFiles, 'pages' | 'files'>, before: BuildHashes | undefined): SiteNews {
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]))
  const first = pages.find(({ isOperation }) => isOperation) ?? pages[0]
  const news = { mainRoute: first?.route ?? '', changedPages: [], changedCount: 0 }
  if (!before) return news
  const changed = pages.flatMap(({ route, title, isOperation }) => {
    const path = toMarkdownPath(route)
    const [hash, old] = [hashes.get(path), before.get(path)]
    if (hash === undefined || hash === old) return []
    const page: ChangedPage = { kind: old === undefined ? 'added' : 'modified', route, title }
    return [{ page, rank: (isOperation ? 0 : 2) + (page.kind === 'added' ? 0 : 1) }]
  })
  // An operation before a guide, what is new before what is different; else in the order of the navigation.
  const sorted = changed.sort((a, b) => a.rank - b.rank).map(({ page }) => page)
  const routes = new Set(pages.map(({ route }) => route))
  const removed = listPages(before).filter((route) => !routes.has(route))
  return {
    mainRoute: sorted[0]?.route ?? news.mainRoute,
    changedPages: [...sorted, ...removed.map((route): ChangedPage => ({ kind: 'removed', route }))].slice(0, listedPages),
    changedCount: sorted.length + removed.length,
  }
}

/** The newest site of the default branch but that of the commit itself. */
export async function findBefore(
  sites: SiteStore,
  projectId: string,
  { defaultRef, sha }: { readonly defaultRef: string; readonly sha: string },
): Promise<BuildHashes | undefined> {
  const builds = await sites.list(projectId, { ref: defaultRef, limit: 2 })
  const build = builds.find((one) => one.sha !== sha)
  return build && new Map((await sites.listFiles(build.id)).map(({ path, hash }) => [path, hash]))
}

/** The address of a page of a site, whose own address ends in `/`. */
export function toPageUrl(site: string, route: string): string {
  return new URL(toAddress(route === '' ? '' : `${route}/`), site).href
}

function toMarkdownPath(route: string): string {
  return route === '' ? 'index.md' : `${route}.md`
}

function listPages(hashes: BuildHashes): string[] {
  return [...hashes.keys()].flatMap((path) => {
    if (path === 'index.md') return hashes.has('index.html') ? [''] : []
    const route = path.endsWith('.md') ? path.slice(0, -3) : undefined
    return route !== undefined && hashes.has(`${route}/index.html`) ? [route] : []
  })
}
