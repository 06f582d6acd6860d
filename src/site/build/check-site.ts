import type { DiagnosticCode } from '../../diagnostics/codes.ts'
import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import { cacheFileLists } from '../../files/files.ts'
import type { SourceFile } from '../../source/source-file.ts'
import type { UpdateEnvironment } from '../../update/types.ts'
import { checkSettingLinks, type FragmentLink } from '../render/check-links.ts'
import { listIds } from '../render/element-ids.ts'
import { renderSitePage } from '../render/render-site-page.tsx'
import type { AssetPaths } from '../render/site-context.ts'
import type { SitePage } from '../render/types.ts'
import { checkFragments, checkPageLinks, findLinkTargets } from './link-checks.ts'
import { readSite } from './read-site.ts'

/** The codes of `checkSite`. */
const linkCodes: ReadonlySet<DiagnosticCode> = new Set([
  'link-unresolved',
  'fragment-unresolved',
  'asset-missing',
  'asset-refused',
])

/** No file of a site is needed for its links. */
const noAssets: AssetPaths = { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', playground: '' }

/**
 * Checks links, fragments, images and redirects of a docs directory, with the result of a build. Renders only pages that have links, and
 * pages that links with a fragment refer to. Links in OpenAPI documents are not checked.
 */
export async function checkSite(
  root: string,
  { files, ...surroundings }: UpdateEnvironment,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly sourceOf: (file: string) => SourceFile | undefined }> {
  const environment: UpdateEnvironment = { ...surroundings, files: cacheFileLists(files) }
  const site = await readSite({ root, base: '/', url: undefined, assets: noAssets, isPreview: false }, environment)
  const { source, places, sourceOf } = site
  if (!source) return { diagnostics: [], sourceOf }
  const { plan, pageByRoute } = source.context
  const targets = await findLinkTargets(source, environment.files)
  const findings: Finding[] = []
  const fragments: FragmentLink[] = []
  const idsOf = new Map<string, readonly string[]>()
  const render = async (page: SitePage) => {
    const rendered = await renderSitePage(page, source)
    idsOf.set(page.route, listIds(rendered.html))
    return rendered
  }
  for (const page of plan.pages) {
    const text = page.path === undefined ? undefined : source.textOf(page.path)
    if (page.externalUrl !== undefined || text === undefined || !mayHaveLinks(text)) continue
    const checked = checkPageLinks(page, await render(page), source, targets, places)
    findings.push(...checked.findings)
    fragments.push(...checked.fragments.filter(({ route }) => !isIncomplete(pageByRoute.get(route))))
  }
  for (const { route } of fragments) {
    const page = pageByRoute.get(route)
    if (page && !idsOf.has(route)) await render(page)
  }
  findings.push(...checkFragments(fragments, (route) => idsOf.get(route) ?? []))
  findings.push(...checkSettingLinks(site.settingLinks, targets))
  const found = await site.finish(findings)
  const redirects = site.diagnostics.filter(({ pointer, code }) => pointer.startsWith('/redirects/') && !linkCodes.has(code))
  return { diagnostics: [...redirects, ...found.filter(({ code }) => linkCodes.has(code))], sourceOf }
}

/** Whether a page may have links or images: in Markdown, in attributes, or from imported snippets. */
function mayHaveLinks(text: string): boolean {
  return /\]\(|\]:|<[a-z]|\bimport\b|https?:/i.test(text)
}

/** Whether a page lacks elements because its OpenAPI document cannot be used, which is already reported. */
export function isIncomplete(page: SitePage | undefined): boolean {
  return page?.subject.kind === 'unreadable' || page?.subject.kind === 'unbound'
}
