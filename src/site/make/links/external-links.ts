import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { Survey } from '../../../docs/check/survey-docs-directory.ts'
import { escapePointerSegment, isObject } from '../../../text/json/json-values.ts'
import { listWrittenUrls } from '../../content/page-urls.ts'

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
  const prefix = root === '' ? '' : `${root}/`
  const inPages = [...docsFiles.pages].flatMap(([path, text]) => {
    const seen = new Set<string>()
    return listWrittenUrls(text).flatMap(({ href, start }) => {
      const url = toExternalUrl(href)
      if (url === undefined || seen.has(url)) return []
      seen.add(url)
      return [{ url, place: { file: prefix + path, pointer: '', offsets: { start, end: start + href.length } } }]
    })
  })
  if (!docsConfig) return inPages
  const inSettings: ExternalLink[] = []
  const visit = (value: unknown, pointer: string, isLink: boolean): void => {
    if (typeof value === 'string') {
      const url = isLink ? toExternalUrl(value) : undefined
      if (url !== undefined) inSettings.push({ url, place: { file: docsConfig.source.path, pointer } })
    } else if (Array.isArray(value)) for (const [index, one] of value.entries()) visit(one, `${pointer}/${index}`, false)
    else if (isObject(value)) {
      for (const [key, one] of Object.entries(value))
        visit(one, `${pointer}/${escapePointerSegment(key)}`, key === 'href' || pointer === '/footer/socials')
    }
  }
  visit(docsConfig.value, '', false)
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
