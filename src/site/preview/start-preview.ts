import type { Reporting } from '../../docs/types.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import { watchFolder } from '../../files/disk-files.ts'
import { baseName } from '../../text/plain/paths.ts'
import type { ReadSiteOptions } from '../make/read-site.ts'
import { findPartOwner } from '../page/api/part-pages.ts'
import { renderNotFound } from '../page/output/generated-pages.tsx'
import { renderSitePage } from '../page/output/render-site-page.tsx'
import { findSearchFile, searchFolder } from '../page/search/search-index.ts'
import { type AssetPaths, hashForName, type SiteSource, toHref } from '../page/site-context.ts'
import { toOwnContentType, toShownContentType } from '../plan/file-types.ts'
import type { SiteFile } from '../plan/types.ts'
import { renderPanel, renderProblemPage } from './preview-problems.tsx'
import { type PreviewResponse, startPreviewServer, toTextResponse } from './preview-server.ts'
import {
  createPreviewSite,
  type OpenDocs,
  type PreviewPage,
  type PreviewReading,
  type PreviewSite,
  renderPreviewPage,
} from './preview-site.ts'

export interface PreviewOptions extends Pick<ReadSiteOptions, 'root' | 'assets' | 'madeFiles' | 'readChangelogs'> {
  readonly host: string
  readonly port: number
  /** The watched directory as an absolute path. */
  readonly watched: OwnedPath
  readonly files: PreviewFiles
  /**
   * Called for each reading with the paths that changed before it, relative to the watched directory. Empty for the first
   * reading.
   */
  readonly onReading: (reading: PreviewReading, changed: readonly string[]) => void
  /** Called for each viewed page. */
  readonly onPage: (page: PreviewPage) => void
}

interface Preview {
  readonly port: number
  /** Resolves after the first reading. */
  readonly ready: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Serves the site of a docs directory and notifies open pages when files change. Starts listening before anything is read.
 *
 * @throws the error of `node:net` if no port is available.
 */
export async function startPreview(options: PreviewOptions, open: OpenDocs, reporting: Reporting = {}): Promise<Preview> {
  const { root, assets, madeFiles, readChangelogs, host, port, watched, files, onReading, onPage } = options
  const made = { ...(madeFiles && { madeFiles }), ...(readChangelogs && { readChangelogs }) }
  const reading = { root, assets, base: '/', url: undefined, isPreview: true, ...made }
  const site = createPreviewSite(reading, open, reporting)
  const state = { version: 0 }
  const answer = createResponder({ site, files, assets, onPage, version: () => String(state.version) })
  const server = await startPreviewServer({ host, port, answer })
  const watch = watchFolder(watched, (changed) => {
    void site.refresh().then((reading) => {
      state.version++
      onReading(reading, changed)
      server.announce(String(state.version))
    })
  })
  return {
    port: server.port,
    ready: site.reading().then((reading) => onReading(reading, [])),
    async close() {
      watch.close()
      await server.close()
    },
  }
}

/** The files besides the pages. */
interface PreviewFiles {
  /** Files of every site. */
  readonly site: readonly SiteFile[]
  /** Files that only the preview adds to pages. */
  readonly preview: { readonly stylesheet: Uint8Array; readonly script: Uint8Array }
}

interface ResponderOptions {
  readonly site: PreviewSite
  readonly files: PreviewFiles
  readonly assets: AssetPaths
  readonly onPage: (page: PreviewPage) => void
  /** The version of the files that a response is based on. */
  readonly version: () => string
}

/** Creates the request handler for site paths. Pages are rendered on demand. Never rejects. */
function createResponder(options: ResponderOptions): (path: string) => Promise<PreviewResponse> {
  const { site, files, assets, onPage, version } = options
  const stylesheet = nameByContent('preview', 'css', files.preview.stylesheet)
  const script = nameByContent('preview', 'js', files.preview.script)
  const fixed = new Map<string, string | Uint8Array>([
    ...files.site.map(({ path, content }) => [path, content] as const),
    [stylesheet, files.preview.stylesheet],
    [script, files.preview.script],
  ])
  const toPageResponse = (status: number, html: string, panel: string, at: string): PreviewResponse => {
    const head = `<meta name="preview-version" content="${at}"><link rel="stylesheet" href="/${stylesheet}"><script type="module" src="/${script}"></script>`
    const headEnd = html.indexOf('</head>')
    // Must come before the page's own scripts, which can change the elements it needs.
    const first = html.indexOf('<script type="module"')
    const place = first === -1 || first > headEnd ? headEnd : first
    const bodyEnd = html.lastIndexOf('</body>')
    const body = html.slice(0, place) + head + html.slice(place, bodyEnd) + panel + html.slice(bodyEnd)
    return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body }
  }
  const toProblemResponse = (
    status: number,
    title: string,
    text: string | undefined,
    reading: PreviewReading | undefined,
    at: string,
  ) => {
    const problems = { diagnostics: reading?.diagnostics ?? [], sourceOf: reading?.sourceOf ?? (() => undefined) }
    const look = { title, text, stylesheet: `/${assets.stylesheet}`, theme: `/${assets.theme}` }
    return toPageResponse(status, renderProblemPage(problems, look), '', at)
  }
  /** The subjects of viewed pages by route, for redirects to renamed pages. */
  const seen = new Map<string, string>()
  const answer = async (path: string, at: string): Promise<PreviewResponse> => {
    const inside = path.slice(1)
    const content = fixed.get(inside)
    if (content !== undefined) return toPackageFileResponse(inside, content)
    if (inside.startsWith('_preview/')) return toTextResponse(404, 'Not found')
    const reading = await site.reading()
    const { source } = reading
    if (!source || source.context.plan.pages.length === 0) {
      const isBroken = reading.diagnostics.some(({ code, severity }) => severity === 'error' && code !== 'navigation-empty')
      const title = isBroken ? 'Cannot show the site' : 'The site has no pages yet'
      return toProblemResponse(isBroken ? 500 : 404, title, undefined, reading, at)
    }
    const route = inside.replace(/(?:^|\/)index\.html$/, '').replace(/(?<!\/)\/+$/, '')
    const page = source.context.plan.pageByRoute.get(route)
    if (page) {
      const href = toHref(source.context.hosting, route)
      if (!path.endsWith('/') && !path.endsWith('/index.html')) return redirect(href)
      seen.set(route, JSON.stringify(page.subject))
      const shown = await renderPreviewPage(page, source, reading)
      onPage(shown)
      const panel = renderPanel({ diagnostics: shown.problems, sourceOf: shown.sourceOf }, reading.stale)
      return toPageResponse(200, shown.html, panel, at)
    }
    const subject = seen.get(route)
    const moved = source.context.plan.pages.find((one) => one.subject.kind !== 'guide' && JSON.stringify(one.subject) === subject)
    if (moved) return redirect(toHref(source.context.hosting, moved.route))
    if (route === '') {
      // Pages in the navigation come first, in navigation order.
      const [start] = source.context.plan.pages
      if (start) return redirect(toHref(source.context.hosting, start.route))
    }
    if (inside.startsWith(`${searchFolder}/`)) {
      const index = findSearchFile(inside, source)
      return index === undefined ? toTextResponse(404, 'Not found') : toPackageFileResponse(inside, index.content)
    }
    // Redirects are pages too.
    for (const name of [inside, `${route}/index.html`]) {
      const other = reading.otherFiles().get(name)
      if (other !== undefined) return toPackageFileResponse(name, other)
    }
    const part = findPartFile(route, source)
    if (part && typeof part.content === 'string') {
      if (part.path.endsWith('.md')) return toPackageFileResponse(part.path, part.content)
      return path.endsWith('/') ? toPageResponse(200, part.content, '', at) : redirect(`${path}/`)
    }
    const attachment = findAttachment(inside, source)
    if (attachment) return toPackageFileResponse(inside, attachment.content)
    const bytes = await reading.readAsset(inside)
    if (bytes) return toRepositoryFileResponse(inside, bytes)
    return toPageResponse(404, renderNotFound(source.context), '', at)
  }
  return async (path) => {
    const at = version()
    try {
      return await answer(path, at)
    } catch (error) {
      // This is a bug in openapi-pages. The preview keeps running.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return toProblemResponse(500, 'Cannot show this page', text, undefined, at)
    }
  }
}

/** Finds a page of a part of a schema, or its Markdown. It is generated with the page that contains the part. */
function findPartFile(route: string, source: SiteSource): SiteFile | undefined {
  const owner = findPartOwner(route)
  const page = owner === undefined ? undefined : source.context.plan.pageByRoute.get(owner)
  const path = route.endsWith('.md') ? route : `${route}/index.html`
  return page && renderSitePage(page, source).attachments.find((file) => file.path === path)
}

/** Finds a file that is generated with a page, such as `guides/start.openapi.json`. */
function findAttachment(path: string, source: SiteSource): SiteFile | undefined {
  const name = baseName(path)
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const stem = path.slice(0, path.length - name.length + dot)
    const page = source.context.plan.pageByRoute.get(stem === 'index' ? '' : stem)
    const found = page && renderSitePage(page, source).attachments.find((file) => file.path === path)
    if (found) return found
  }
  return undefined
}

function redirect(to: string): PreviewResponse {
  return { status: 302, headers: { Location: to }, body: '' }
}

function nameByContent(name: string, extension: string, content: Uint8Array): string {
  return `_preview/${name}-${hashForName(content)}.${extension}`
}

/** A file of this package, such as a script. */
function toPackageFileResponse(path: string, content: string | Uint8Array): PreviewResponse {
  return { status: 200, headers: { 'Content-Type': toOwnContentType(path) }, body: content }
}

/** A file of the repository. If opened directly, it is sandboxed so that it cannot run scripts or load anything. */
function toRepositoryFileResponse(path: string, content: Uint8Array): PreviewResponse {
  const type = toShownContentType(path)
  return {
    status: 200,
    headers: {
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      ...(type === undefined ? { 'Content-Disposition': 'attachment' } : {}),
    },
    body: content,
  }
}
