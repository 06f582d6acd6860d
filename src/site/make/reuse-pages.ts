import { hashContent } from '../../files/output-folder.ts'
import { stringOf } from '../../text/json/json-values.ts'
import { withoutControls } from '../../text/plain/escape-text.ts'
import { renderAgentNote } from '../page/agent-note.ts'
import { listIds } from '../page/element-ids.ts'
import { llmsSeparator } from '../page/markdown/llms-files.ts'
import type { RenderedPage } from '../page/output/render-site-page.tsx'
import { type SiteSource, toMarkdownPath } from '../page/site-context.ts'
import type { SiteFile, SitePage } from '../plan/types.ts'
import { hashImageSizes } from './page-keys.ts'
import {
  type EarlierBuild,
  type EmitFile,
  hashOf,
  type RememberedGroup,
  type RememberedPage,
  type RenderMemory,
} from './render-memory.ts'

/** Returns the recorded page if it would render the same and its files are in the output. */
export function reuseEarlierPage(
  page: SitePage,
  key: string,
  source: SiteSource,
  memory: RenderMemory,
  keep: EarlierBuild['keep'],
): RememberedPage | undefined {
  const known = memory.pages.get(page.route)
  if (known?.key !== key || known.texts !== hashTexts(known.uses, source)) return undefined
  if (known.imageSizes !== hashImageSizes(known.links, page, source)) return undefined
  if (!keep(known.files)) return undefined
  const { ids, files, ...rest } = known
  // The stamps belong to the earlier build. Those of this build are read at the end.
  return { ...rest, ...(hasFewParts(page) && ids && { ids }), files: files.map(({ path, hash }) => ({ path, hash })) }
}

/** Emits the files of a rendered page and records what the next build needs. */
export function recordPage(page: SitePage, key = '', source: SiteSource, rendered: RenderedPage, emit: EmitFile): RememberedPage {
  const { html, attachments, findings, links, search, files: uses } = rendered
  const files = [{ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: html }, ...attachments]
  const hashes = files.map((file) => ({ path: file.path, hash: emit(file) }))
  const text = findOwnMarkdown(page, rendered, source)
  return {
    key,
    texts: key === '' ? '' : hashTexts(uses, source),
    uses,
    links,
    imageSizes: key === '' ? '' : hashImageSizes(links, page, source),
    findings,
    search,
    ...(hasFewParts(page) ? { ids: listIds(html) } : {}),
    text: { hash: hashContent(text), length: text.length },
    files: hashes,
  }
}

/** Returns the Markdown of a rendered page. */
export function findMarkdown(page: SitePage, { attachments }: RenderedPage): string {
  const content = attachments.find(({ path }) => path === toMarkdownPath(page))?.content
  return stringOf(content) ?? ''
}

/** Returns the Markdown of a rendered page without the note at its start, which all pages share. */
export function findOwnMarkdown(page: SitePage, rendered: RenderedPage, { context }: Pick<SiteSource, 'context'>): string {
  const text = findMarkdown(page, rendered)
  const note = withoutControls(renderAgentNote(context))
  return text.startsWith(note) ? text.slice(note.length) : text
}

/** Returns the heading IDs of a page from an earlier build, if the page is unchanged. */
export function findKnownIds(page: RememberedPage, before: RememberedPage | undefined): readonly string[] | undefined {
  return page.key !== '' && before?.key === page.key && before.texts === page.texts ? before.ids : undefined
}

/** Operation pages are long and rarely link targets, so their IDs are only listed on demand. */
function hasFewParts({ subject }: SitePage): boolean {
  return !('source' in subject)
}

function hashTexts(files: readonly string[], { textOf }: SiteSource): string {
  return hashOf(files.map((file) => textOf(file) ?? null))
}

/**
 * Creates a function that returns the Markdown of a page from an earlier build, cut out of the file with the Markdown of many
 * pages. It returns `undefined` if that file has changed.
 */
export function createEarlierTexts({
  memory,
  read,
}: Pick<EarlierBuild, 'memory' | 'read'>): (route: string) => string | undefined {
  const places = new Map<string, { readonly path: string; readonly start: number } & RememberedPage['text']>()
  for (const { files, routes = [], startLength = 0 } of memory.groups.values()) {
    const path = files[0]?.path ?? ''
    let start = startLength
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

/**
 * Groups of files that combine many pages and are only regenerated if their inputs change.
 *
 * @param keep keeps files of the earlier build, all or none.
 */
export function createFileGroups(
  { stamp, memory }: Pick<EarlierBuild, 'stamp' | 'memory'>,
  keep: EarlierBuild['keep'],
  emit: EmitFile,
) {
  const groups = new Map<string, RememberedGroup>()
  const emitAll = (made: readonly SiteFile[]) => made.map((file) => ({ path: file.path, hash: emit(file) }))
  return {
    /**
     * Adds a group and returns its files.
     *
     * @param name unique name of the group in the build. @param contents plain data that identifies all inputs. @param pages the
     * pages with their Markdown in the single file of the group, after a start of this length.
     */
    async add(
      name: string,
      contents: () => unknown,
      make: () => Promise<readonly SiteFile[]>,
      pages?: Pick<RememberedGroup, 'routes' | 'startLength'>,
    ) {
      if (stamp === '') return emitAll(await make())
      const key = hashOf([stamp, contents()])
      const known = memory.groups.get(name)
      const isKept = known?.key === key && keep(known.files)
      const files = isKept ? known.files.map(({ path, hash }) => ({ path, hash })) : emitAll(await make())
      groups.set(name, { key, files, ...pages })
      return files
    },
    /** The record for the next build. */
    remembered: () => groups,
  }
}
