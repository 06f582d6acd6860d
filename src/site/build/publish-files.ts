import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { joinPath } from '../../source/relative-path.ts'
import { readConnections } from '../render/api/connect-sources.ts'
import { assetType, findSvgRisk } from '../render/files/file-types.ts'
import { listPageIndex, pageListPath, renderNotFound, renderOAuthPage, renderPageList } from '../render/files/generated-pages.tsx'
import { listCrawlerFiles, listRedirects, renderHeaders } from '../render/files/hosting-files.ts'
import { renderLlmsIndex } from '../render/markdown/llms-files.ts'
import type { SiteSource } from '../render/site-context.ts'
import type { SiteFile } from '../render/types.ts'

/** Lists generated files of a site that belong to no single page. */
export function listOtherFiles(source: SiteSource): SiteFile[] {
  return [...source.files, ...source.downloads.values(), ...prepareContextFiles(source).make()]
}

/** Prepares files that depend on the site-wide context of pages. `contents` returns all inputs as plain data. */
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
      // Without this file, GitHub Pages omits names that start with `_`.
      { path: '.nojekyll', content: '' },
    ],
  }
}

/** Top-level directories with images, videos and fonts that are always published, since other sites may link to them. */
const publicFolders = /^(?:public|static|assets|images|img|logo|media|fonts)\//i

/** Limit for all repository files of a site together. */
const maxTotalBytes = 200 * 1024 * 1024

/** Lists the files of a docs directory that are always published. Paths are relative to it. */
export function listPublicAssets(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    const type = publicFolders.test(path) ? assetType(path) : undefined
    return type === 'inert' || type === 'svg'
  })
}

/** Reads files of a docs directory one by one and passes them to `emit`. Reports those that cannot be published. */
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
      refuse(`its name differs from \`${same}\` only in case`, 'Rename one of them: many file systems are case-insensitive')
      continue
    }
    const result = await files.read(file)
    if (result.kind === 'outside')
      refuse('it is a symbolic link to a file outside the repository', 'Replace the link with the file')
    if (result.kind === 'too-large')
      refuse(`it has ${toMegabytes(result.sizeBytes)}, which is too large`, 'Host large files on a download server')
    if (result.kind === 'unreadable') refuse(result.reason, 'Replace it with a readable regular file')
    if (result.kind !== 'file') continue
    const fault = assetType(path) === 'svg' ? findSvgRisk(result.bytes) : undefined
    if (fault !== undefined) {
      refuse(fault, 'Save the drawing without it, or as PNG or WebP')
      continue
    }
    if (total + result.bytes.length > maxTotalBytes) {
      refuse(`the files of the site have more than ${toMegabytes(maxTotalBytes)}`, 'Host large files on a download server')
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
