import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { joinPath } from '../../source/relative-path.ts'
import { readConnections } from '../render/api/connect-sources.ts'
import { assetType, findSvgFault } from '../render/files/file-types.ts'
import { listCrawlerFiles, listRedirects, renderHeaders } from '../render/files/hosting-files.ts'
import { listPageIndex, pageListPath, renderNotFound, renderOAuthPage, renderPageList } from '../render/files/own-pages.tsx'
import { renderLlmsIndex } from '../render/markdown/llms-files.ts'
import type { SiteSource } from '../render/site-context.ts'
import type { SiteFile } from '../render/types.ts'

/** The files of a site that belong to no single page and are made, not copied. */
export function listOtherFiles(source: SiteSource): SiteFile[] {
  return [...source.files, ...source.downloads.values(), ...prepareContextFiles(source).make()]
}

/** Those that are made of what pages know of the site around them; `contents` names all of it, as plain data. */
export function prepareContextFiles(source: SiteSource): { readonly contents: () => unknown; readonly make: () => SiteFile[] } {
  const { context } = source
  const connections = readConnections(source)
  return {
    contents() {
      const { plan, pageByRoute: _, imageSizes = [], onLink: _onLink, ...site } = context
      const pages = plan.pages.map(({ trail: _trail, ...page }) => page)
      return [site, plan.settings, plan.navigation, pages, [...imageSizes], connections]
    },
    make: () => [
      ...listRedirects(context),
      ...listCrawlerFiles(context),
      ...listPageIndex(context),
      renderLlmsIndex(context),
      { path: pageListPath, content: renderPageList(context) },
      ...(connections.hasSignIn ? [renderOAuthPage(context)] : []),
      { path: '404.html', content: renderNotFound(context) },
      { path: '_headers', content: renderHeaders(context.base, connections.connect) },
      // GitHub Pages would leave out what begins with `_`.
      { path: '.nojekyll', content: '' },
    ],
  }
}

/** Top-level folders whose images, videos and fonts are always published: other sites may link to them. */
const publicFolders = /^(?:public|static|assets|images|img|logo|media|fonts)\//i

/** All files of the repository in a site together. */
const limitBytes = 200 * 1024 * 1024

/** The files of a docs root (paths relative to it) that are published unasked. */
export function listPublicAssets(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    const type = publicFolders.test(path) ? assetType(path) : undefined
    return type === 'inert' || type === 'svg'
  })
}

/** Reads files of a docs directory one by one and passes them to `emit`; reports those that cannot be published. */
export async function copyAssets(
  root: string,
  paths: Iterable<string>,
  files: Files,
  emit: (file: SiteFile) => void,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const taken = new Map<string, string>()
  let total = 0
  for (const path of [...new Set(paths)].sort()) {
    const file = joinPath(root, path)
    const refuse = (reason: string, hint: string) => {
      const message = `Cannot publish \`${path}\`: ${reason}`
      findings.push({ code: 'asset-refused', message, file, pointer: '', offsets: { start: 0, end: 0 }, hint })
    }
    const same = taken.get(path.toLowerCase())
    if (same !== undefined) {
      refuse(`only the case of its name tells it from \`${same}\``, 'rename one of the two: many disks know one name for both')
      continue
    }
    const result = await files.read(file)
    if (result.kind === 'outside') refuse('it is a link that leads out of the repository', 'put the file itself there')
    if (result.kind === 'too-large')
      refuse(`it has ${toMegabytes(result.sizeBytes)}`, 'put large files on a server for downloads')
    if (result.kind === 'unreadable') refuse(result.reason, 'make it a regular file that can be read')
    if (result.kind !== 'file') continue
    const fault = assetType(path) === 'svg' ? findSvgFault(result.bytes) : undefined
    if (fault !== undefined) {
      refuse(fault, 'save the drawing without it, or as PNG or WebP')
      continue
    }
    if (total + result.bytes.length > limitBytes) {
      refuse(
        `the files of the site together have more than ${toMegabytes(limitBytes)}`,
        'put large files on a server for downloads',
      )
      continue
    }
    total += result.bytes.length
    taken.set(path.toLowerCase(), path)
    emit({ path, content: result.bytes })
  }
  return findings
}

function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`
}
