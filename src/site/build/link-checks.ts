import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { listLooseIds, toLooseId } from '../../source/to-loose-id.ts'
import { readIgnoreFile } from '../../update/read-pages.ts'
import { checkLinks, type FragmentLink, type LinkTargets } from '../render/check-links.ts'
import { assetType, isGeneratedFile } from '../render/files/file-types.ts'
import { suggestNamedPart } from '../render/foreign-links/foreign-links.ts'
import { listNamedParts } from '../render/foreign-links/list-named-parts.ts'
import type { RenderedPage } from '../render/render-site-page.tsx'
import type { SiteSource } from '../render/site-context.ts'
import { createPathSuggester } from '../render/site-links.ts'
import type { SitePage } from '../render/types.ts'
import type { DescriptionLocations } from './locate-in-descriptions.ts'

/** Finds the valid link targets of a site: pages, redirects, and publishable files of the docs directory. */
export async function findLinkTargets({ context, root }: SiteSource, files: Files): Promise<LinkTargets> {
  const prefix = root === '' ? '' : `${root}/`
  const listed = (await files.list(root)).map((path) => path.slice(prefix.length))
  const { isIgnored } = await readIgnoreFile(root, files)
  const isPublic = (path: string) => !/(?:^|\/)\.(?!well-known\/)/.test(path) && !isIgnored(path)
  const sources = context.plan.settings.redirects.map(({ source }) => source.replace(/^\/+|(?<!\/)\/+$/g, ''))
  const exact = new Set(sources)
  const patterns = sources.filter((source) => /[:*]/.test(source)).map((source) => source.replace(/[:*].*$/s, ''))
  const untold = context.plan.pages.flatMap(({ route, path, subject }) =>
    subject.kind === 'unreadable' && path === undefined ? [`${route}/`] : [],
  )
  const published = new Set(listed.filter(isPublic))
  return {
    hasPage: (route) => context.pageByRoute.has(route),
    files: published,
    nearestPage: createPathSuggester(() => context.pageByRoute.keys()),
    nearestFile: createPathSuggester(() => [...published].filter((path) => assetType(path) !== undefined)),
    isRedirected: (path) => exact.has(path) || patterns.some((start) => path.startsWith(start)),
    isGenerated: isGeneratedFile,
    isUnknown: (path) => untold.some((start) => path.startsWith(start)),
  }
}

/** Checks the links of a rendered page, and lists the files of the docs directory that it needs. */
export function checkPageLinks(
  page: SitePage,
  { links, files }: Pick<RenderedPage, 'links' | 'files'>,
  source: SiteSource,
  targets: LinkTargets,
  places: DescriptionLocations,
) {
  const { root, textOf } = source
  const prefix = root === '' ? '' : `${root}/`
  const texts = files.flatMap((file) => {
    const text = textOf(file.slice(prefix.length))
    return text === undefined ? [] : [{ file, text }]
  })
  const nearestNamed = (fragment: string) =>
    listNamedParts(page, source).flatMap((parts) => suggestNamedPart(fragment, parts) ?? [])[0]
  return checkLinks(page, links, texts, { ...targets, nearestNamed }, (href) => places.ofLink(page, href))
}

/**
 * Checks links to page fragments once all pages are known. `idsOf` is called once per linked page. IDs in the format of other
 * hosts are accepted too: see `openTarget`.
 */
export function checkFragments(links: readonly FragmentLink[], idsOf: (route: string) => readonly string[]): Finding[] {
  const known = new Map<string, { readonly ids: readonly string[]; readonly loose: ReadonlySet<string> }>()
  const partsOf = (route: string) => {
    const ids = idsOf(route)
    const parts = { ids, loose: new Set(ids.map(toLooseId)) }
    known.set(route, parts)
    return parts
  }
  return links.flatMap(({ route, id, toFinding }) => {
    const { ids, loose } = known.get(route) ?? partsOf(route)
    return listLooseIds(id).some((one) => loose.has(one)) ? [] : (toFinding(ids) ?? [])
  })
}
