import { readIgnoreFile } from '../../../docs/read/read-docs-directory.ts'
import { type Files, listBelow } from '../../../files/files.ts'
import { lazy } from '../../../text/plain/lists.ts'
import type { LinkTargets } from '../../plan/checks/check-links.ts'
import { createPageSearch } from '../../plan/checks/check-redirects.ts'
import { assetType, isGeneratedFile } from '../../plan/file-types.ts'
import { listPageDirectories } from '../../plan/page-directories.ts'
import { createPathSuggester } from '../../plan/site-links.ts'

interface KnownTargets {
  readonly root: string
  readonly base: string | undefined
  readonly routes: Pick<ReadonlySet<string>, 'has' | 'keys'>
  readonly redirects: readonly { readonly source: string }[]
  readonly operationRoutes?: ReadonlyMap<string, string>
  /** The output paths of OpenAPI documents. */
  readonly documents: ReadonlySet<string>
  /** The routes of divisions whose OpenAPI document could not be read. */
  readonly unreadable: readonly string[]
  /** The routes that can be the first page of a directory, in order. */
  readonly firstPages: Iterable<string>
  /** Whether links to directories are reported. Otherwise, they are valid: a site redirects them. */
  readonly reportsDirectories: boolean
}

/** Finds the publishable files, and adds the pages and redirects. */
export async function toLinkTargets(known: KnownTargets, files: Files): Promise<LinkTargets> {
  const { root, base, routes, redirects, documents, unreadable, firstPages, reportsDirectories } = known
  const listed = await listBelow(root, files)
  const { isIgnored } = await readIgnoreFile(root, files)
  const isPublic = (path: string) => !/(?:^|\/)\.(?!well-known\/)/.test(path) && !isIgnored(path)
  const sources = redirects.map(({ source }) => source.replace(/^\/+|(?<!\/)\/+$/g, ''))
  const exact = new Set(sources)
  const patterns = sources.filter((source) => /[:*]/.test(source)).map((source) => source.replace(/[:*].*$/s, ''))
  const directories = lazy(() => listPageDirectories(firstPages))
  const published = new Set(listed.filter(isPublic))
  const all = new Set(listed)
  const exclusionOf = (path: string) => {
    const file = [path, `${path}.mdx`, `${path}.md`].find((one) => all.has(one))
    if (file === undefined || !isIgnored(file)) return undefined
    const steps = file.split('/')
    const directories = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'))
    return directories.find((directory) => isIgnored(`${directory}/_`)) ?? file
  }
  return {
    base,
    hasPage: createPageSearch(routes, published),
    ...(known.operationRoutes && { operationRoutes: known.operationRoutes }),
    files: published,
    nearestPage: createPathSuggester(() => routes.keys()),
    nearestFile: createPathSuggester(() => [...published].filter((path) => assetType(path) !== undefined)),
    isRedirected: (path) =>
      exact.has(path) || patterns.some((start) => path.startsWith(start)) || (!reportsDirectories && directories().has(path)),
    firstPageIn: (path) => (reportsDirectories ? directories().get(path) : undefined),
    isGenerated: (path) => isGeneratedFile(path) || documents.has(path),
    exclusionOf,
    isUnknown: (path) => unreadable.some((route) => path.startsWith(`${route}/`)),
  }
}
