import { toMarkdownPath } from '../site/markdown/render-page-markdown.ts'
import { listIds } from '../site/part-ids.ts'
import type { RenderedPage, SiteSource } from '../site/render-site-page.tsx'
import type { SitePage } from '../site/types.ts'
import type { EarlierBuild, EmitFile } from './earlier-build.ts'
import { hashNames } from './hash-names.ts'
import { hashOf } from './hash-of.ts'
import type { RememberedPage, RenderMemory } from './render-memory.ts'

/** What was remembered of a page, where it would be rendered the same and its files stand in the output. */
export function takeOver(
  page: SitePage,
  key: string,
  source: SiteSource,
  memory: RenderMemory,
  keep: EarlierBuild['keep'],
): RememberedPage | undefined {
  const known = memory.pages.get(page.route)
  if (known?.key !== key || known.texts !== hashTexts(known.uses, source)) return undefined
  if (known.names !== undefined && known.names !== hashNames(source)) return undefined
  if (!keep(known.files)) return undefined
  const { ids, files, ...rest } = known
  // Stamps are of the earlier build; those of this one are read when it is done.
  return { ...rest, ...(hasFewParts(page) && ids && { ids }), files: files.map(({ path, hash }) => ({ path, hash })) }
}

/** Gives the files of a rendered page to `emit`, and what the next build has to know of it. */
export function rememberPage(
  page: SitePage,
  key = '',
  source: SiteSource,
  rendered: RenderedPage,
  emit: EmitFile,
): RememberedPage {
  const { html, attachments, findings, links, search, files: uses, mayNameParts } = rendered
  const files = [{ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: html }, ...attachments]
  const hashes = files.map((file) => ({ path: file.path, hash: emit(file) }))
  const text = findMarkdown(page, rendered)
  return {
    key,
    texts: key === '' ? '' : hashTexts(uses, source),
    uses,
    ...(key !== '' && mayNameParts ? { names: hashNames(source) } : {}),
    links,
    findings,
    search,
    ...(hasFewParts(page) ? { ids: listIds(html) } : {}),
    text: { hash: hashes.find(({ path }) => path === toMarkdownPath(page))?.hash ?? '', length: text.length },
    files: hashes,
  }
}

/** The Markdown of a rendered page. */
export function findMarkdown(page: SitePage, { attachments }: RenderedPage): string {
  const content = attachments.find(({ path }) => path === toMarkdownPath(page))?.content
  return typeof content === 'string' ? content : ''
}

/** The addresses of the parts of a page as an earlier build found them, if the page is the same. */
export function findKnownIds(page: RememberedPage, before: RememberedPage | undefined): readonly string[] | undefined {
  return page.key !== '' && before?.key === page.key && before.texts === page.texts ? before.ids : undefined
}

/** Pages of operations are long, and few links lead into them: they are looked at when one does. */
function hasFewParts({ subject }: SitePage): boolean {
  return !('source' in subject)
}

function hashTexts(files: readonly string[], { root, textOf }: SiteSource): string {
  const prefix = root === '' ? '' : `${root}/`
  return hashOf(files.map((file) => textOf(file.slice(prefix.length)) ?? null))
}
