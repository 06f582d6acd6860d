import { parseIgnoreFile } from '../docs/path-patterns.ts'
import type { Files } from '../files/files.ts'
import type { LinkTargets } from '../site/check-links.ts'
import { assetType } from '../site/files/asset-types.ts'
import type { SiteSource } from '../site/render-site-page.tsx'
import { createPathSuggester } from '../site/suggest-path.ts'
import { joinPath } from '../text/relative-path.ts'
import { toSourceFile } from '../text/source-file.ts'

/** Where links of a site may lead: its pages, its redirects, and the files of the docs root that may be published. */
export async function findLinkTargets({ context, root }: SiteSource, files: Files): Promise<LinkTargets> {
  const prefix = root === '' ? '' : `${root}/`
  const listed = (await files.list(root)).map((path) => path.slice(prefix.length))
  const isIgnored = await readIgnored(root, files)
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
    isUntold: (path) => untold.some((start) => path.startsWith(start)),
  }
}

async function readIgnored(root: string, files: Files): Promise<(path: string) => boolean> {
  const result = await files.read(joinPath(root, '.mintignore'))
  return parseIgnoreFile(result.kind === 'file' ? toSourceFile('', result.bytes).text : '')
}
