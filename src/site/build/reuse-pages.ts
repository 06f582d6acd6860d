import { hashContent } from '../../files/output-folder.ts'
import { llmsSeparator } from '../render/markdown/llms-files.ts'
import { toMarkdownPath } from '../render/markdown/page-markdown.ts'
import { listIds } from '../render/part-ids.ts'
import type { RenderedPage } from '../render/render-site-page.tsx'
import type { SiteSource } from '../render/site-context.ts'
import type { SiteFile, SitePage } from '../render/types.ts'
import { hashNames } from './page-keys.ts'
import {
  type EarlierBuild,
  type EmitFile,
  hashOf,
  type RememberedGroup,
  type RememberedPage,
  type RenderMemory,
} from './render-memory.ts'

/** What was remembered of a page, if it would render the same and its files are in the output. */
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

/** The ids of a page's parts as an earlier build found them, if the page is the same. */
export function findKnownIds(page: RememberedPage, before: RememberedPage | undefined): readonly string[] | undefined {
  return page.key !== '' && before?.key === page.key && before.texts === page.texts ? before.ids : undefined
}

/** Pages of operations are long and rarely linked into: their ids are listed only when needed. */
function hasFewParts({ subject }: SitePage): boolean {
  return !('source' in subject)
}

function hashTexts(files: readonly string[], { root, textOf }: SiteSource): string {
  const prefix = root === '' ? '' : `${root}/`
  return hashOf(files.map((file) => textOf(file.slice(prefix.length)) ?? null))
}

/**
 * Makes the function that gives the Markdown of a page as an earlier build wrote it, cut out of the file that has those of many pages. Absent
 * if that file has changed.
 */
export function createEarlierTexts({
  memory,
  read,
}: Pick<EarlierBuild, 'memory' | 'read'>): (route: string) => string | undefined {
  const places = new Map<string, { readonly path: string; readonly start: number } & RememberedPage['text']>()
  for (const { files, routes = [] } of memory.groups.values()) {
    const path = files[0]?.path ?? ''
    let start = 0
    for (const route of routes) {
      const { hash = '', length = 0 } = memory.pages.get(route)?.text ?? {}
      places.set(route, { path, start, hash, length })
      start += length + llmsSeparator.length
    }
  }
  let last: { readonly path: string; readonly text: string } | undefined
  const textOf = (path: string): string => {
    // Pages are requested in file order.
    if (last?.path !== path) last = { path, text: Buffer.from(read(path) ?? []).toString('utf8') }
    return last.text
  }
  return (route) => {
    const place = places.get(route)
    const text = place && textOf(place.path).slice(place.start, place.start + place.length)
    return text !== undefined && hashContent(text) === place?.hash ? text : undefined
  }
}

/** Files of a site that are made of many pages, and are made again only when what they are made of has changed. */
interface FileGroups {
  /**
   * @param name of the group among all of the build.
   * @param contents names all that the files are made of; plain data.
   * @param routes of the pages whose Markdown the one file has.
   */
  readonly add: (
    name: string,
    contents: () => unknown,
    make: () => Promise<readonly SiteFile[]>,
    routes?: readonly string[],
  ) => Promise<void>
  /** For the next build. */
  readonly remembered: () => Map<string, RememberedGroup>
}

/** @param keep keeps files of the earlier build, all or none. */
export function createFileGroups(
  { stamp, memory }: Pick<EarlierBuild, 'stamp' | 'memory'>,
  keep: EarlierBuild['keep'],
  emit: EmitFile,
): FileGroups {
  const groups = new Map<string, RememberedGroup>()
  const emitAll = (made: readonly SiteFile[]) => made.map((file) => ({ path: file.path, hash: emit(file) }))
  return {
    async add(name, contents, make, routes) {
      if (stamp === '') {
        emitAll(await make())
        return
      }
      const key = hashOf([stamp, contents()])
      const known = memory.groups.get(name)
      const isKept = known?.key === key && keep(known.files)
      const files = isKept ? known.files.map(({ path, hash }) => ({ path, hash })) : emitAll(await make())
      groups.set(name, { key, files, ...(routes && { routes }) })
    },
    remembered: () => groups,
  }
}
