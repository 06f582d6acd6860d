import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { formatNumber, groupBy } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import { listWrittenUrls } from '../../text/plain/scan-markdown.ts'
import { type DocsConfig, readRedirects, withoutBase } from '../navigation/docs-config.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'

/** Fewer paths are a typo. */
const fewestPaths = 3

/**
 * Finds the path of the site on its host, if no setting names it: most internal links and redirects start with it, no page is below it, and
 * pages are found without it. All of these links have one cause, so they are one finding.
 *
 * @param pages Texts by path, with extension.
 */
export function findBasePath(
  docsConfig: DocsConfig,
  pages: ReadonlyMap<string, string>,
  configPath: string,
): { readonly docsConfig: DocsConfig; readonly findings: readonly Finding[] } | undefined {
  if (docsConfig.base !== undefined) return undefined
  const redirected = readRedirects(docsConfig).flatMap(({ source, destination }) => [source, destination])
  const linked = [...pages.values()].flatMap((text) => listWrittenUrls(text).map(({ href }) => href.replace(/[?#].*$/s, '')))
  const paths = [...redirected, ...linked].filter((path) => /^\/[^/]/.test(path))
  const [base = '', inBase = []] =
    [...groupBy(paths, (path) => path.replace(/^(\/[^/]+).*$/s, '$1/'))].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  const routes = new Set([...pages.keys()].map((path) => `/${withoutPageExtension(path)}`))
  const foundCount = inBase.filter((path) => routes.has(withoutBase(path, base))).length
  const isMost = inBase.length >= fewestPaths && inBase.length * 2 > paths.length
  if (!isMost || foundCount * 4 < inBase.length || [...routes].some((route) => `${route}/`.startsWith(base))) return undefined
  const message = `${formatNumber(inBase.length)} of ${formatCount(paths.length, 'link')} and redirects start with \`${base}\`, which is no directory here`
  const hint = `If the site is below this path on its host, set \`site: { base: ${base} }\` in \`${baseName(configPath)}\``
  const finding: Finding = { code: 'link-unresolved', message, file: docsConfig.source.path, pointer: '', hint }
  return { docsConfig: { ...docsConfig, base }, findings: [finding] }
}
