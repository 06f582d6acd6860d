import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { CheckLinks, Survey } from '../../../docs/check/survey-docs-directory.ts'
import { listStrings } from '../../../text/json/json-values.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import { listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import type { LinkCheckOptions } from './scan-links.ts'

/** Creates the check of what a build checks in a docs directory. Loaded when it is needed: it is a third of the program. */
export function createLinkCheck(options: LinkCheckOptions = {}): CheckLinks {
  return async (...given) => {
    const { checkLinks } = await import('./scan-links.ts')
    return await checkLinks(...given, options)
  }
}

/** A link to another site. */
export interface ExternalLink {
  /** Without a fragment. */
  readonly url: string
  readonly place: Pick<Finding, 'file' | 'pointer' | 'offsets'>
}

/** Lists the links and images of the pages and of `docs.json` at other sites, each URL of a file once. Omits example hosts. */
export function listExternalLinks({
  root,
  docsFiles,
  docsConfig,
}: Pick<Survey, 'root' | 'docsFiles' | 'docsConfig'>): ExternalLink[] {
  const inPages = [...docsFiles.pages].flatMap(([path, text]) => {
    const seen = new Set<string>()
    return listWrittenUrls(text).flatMap(({ href, start }) => {
      const url = toExternalUrl(href)
      if (url === undefined || seen.has(url)) return []
      seen.add(url)
      return [{ url, place: { file: joinPath(root, path), pointer: '', offsets: { start, end: start + href.length } } }]
    })
  })
  if (!docsConfig) return inPages
  const inSettings = listStrings(docsConfig.value).flatMap(({ pointer, text }): ExternalLink[] => {
    const url = /\/href$|^\/footer\/socials\/[^/]+$/.test(pointer) ? toExternalUrl(text) : undefined
    return url === undefined ? [] : [{ url, place: { file: docsConfig.source.path, pointer } }]
  })
  return [...inPages, ...inSettings]
}

/** Hosts that are reserved for examples and tests. Source: RFC 2606, RFC 6761. */
const exampleHosts = /(?:^|\.)(?:example|test|invalid|localhost|local|internal|example\.(?:com|net|org))$/

function toExternalUrl(href: string): string | undefined {
  const written = href.replaceAll('&amp;', '&')
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return undefined
  const url = new URL(written)
  // Placeholders, such as `https://<your-domain>` and `https://{tenant}.acme.com`.
  if (exampleHosts.test(url.hostname) || /[<>{}$]|%7B|%3C/i.test(written) || url.username !== '') return undefined
  url.hash = ''
  return url.href
}
