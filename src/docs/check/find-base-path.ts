import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { formatNumber, groupBy } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import { listWrittenUrls } from '../../text/plain/scan-markdown.ts'
import { type DocsConfig, readRedirects, withoutBase } from '../navigation/docs-config.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import type { DocsFiles } from '../read/read-docs-directory.ts'

const image = /\.(?:png|svg|jpe?g|webp|gif|avif|mp4|webm)$/i

/** Fewer paths are a typo. */
const fewestPaths = 3

/**
 * Finds the path of the site on its host, if no setting names it: most internal links and redirects start with it, or most images, no file is below
 * it, and pages or images are found without it. All of these links have one cause, so they are one finding.
 *
 * @param pages Texts by path, with extension. @param files All files of the docs directory.
 */
export function findBasePath(
  docsConfig: DocsConfig,
  { pages, files }: Pick<DocsFiles, 'pages' | 'files'>,
  configPath: string,
): { readonly docsConfig: DocsConfig; readonly findings: readonly Finding[] } | undefined {
  if (docsConfig.base !== undefined) return undefined
  const redirected = readRedirects(docsConfig).flatMap(({ source, destination }) => [source, destination])
  const linked = [...pages.values()].flatMap((text) => listWrittenUrls(text).map(({ href }) => href.replace(/[?#].*$/s, '')))
  const paths = [...redirected, ...linked].filter((path) => /^\/[^/]/.test(path))
  const images = paths.filter((path) => image.test(path))
  const targets = new Set([...[...pages.keys()].map(withoutPageExtension), ...files].map((path) => `/${path}`))
  const found =
    findSharedStart(paths, targets, (count) => `${formatCount(count, 'link')} and redirects`) ??
    findSharedStart(images, targets, (count) => formatCount(count, 'image'))
  if (!found) return undefined
  const { base, share } = found
  const message = `${share} start with \`${base}\`, which is no directory here`
  const hint = `If the site is below this path on its host, set \`site: { base: ${base} }\` in \`${baseName(configPath)}\``
  const finding: Finding = { code: 'link-unresolved', message, file: docsConfig.source.path, pointer: '', hint }
  return { docsConfig: { ...docsConfig, base }, findings: [finding] }
}

/** The first step of most paths, if they have targets only without it. */
function findSharedStart(paths: readonly string[], targets: ReadonlySet<string>, describe: (count: number) => string) {
  const [base = '', inBase = []] =
    [...groupBy(paths, (path) => path.replace(/^(\/[^/]+).*$/s, '$1/'))].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  const foundCount = inBase.filter((path) => targets.has(withoutBase(path, base))).length
  const isMost = inBase.length >= fewestPaths && inBase.length * 2 > paths.length
  if (!isMost || foundCount * 4 < inBase.length || [...targets].some((path) => `${path}/`.startsWith(base))) return undefined
  return { base, share: `${formatNumber(inBase.length)} of ${describe(paths.length)}` }
}
