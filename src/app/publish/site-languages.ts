import type { IncomingHttpHeaders } from 'node:http'

/** A language of a site with its start page. */
export interface SiteLanguage {
  /** A BCP 47 tag. */
  readonly tag: string
  /** The path of a URL of the site. */
  readonly start: string
}

/** The request headers that decide the language of the start page. */
export const languageHeaders = 'Accept-Language, Cookie, Sec-Fetch-Site, Referer, User-Agent'

/** The cookie in which the page's script stores the language that a reader chose. */
const cookieName = 'site-language'

/** Parses `_languages`, which `src/site/page/output` writes: a tag and a path per line, the default language first. Other lines are ignored. */
export function readSiteLanguages(text: string): readonly SiteLanguage[] {
  return text.split('\n').flatMap((line) => {
    const [, tag, start] = /^([A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*) (\/(?!\/)[\x21-\x5b\x5d-\x7e]*)$/.exec(line) ?? []
    return tag === undefined || start === undefined ? [] : [{ tag, start }]
  })
}

/**
 * Returns the start page that a request for `/` is redirected to; `undefined` for the default language. The language is the one that the reader chose
 * on the site, else the first of `Accept-Language` that the site has.
 *
 * Crawlers are not redirected, because they index all languages, nor are clients that want no HTML. A link on the site itself opens its target.
 */
export function findStart(languages: readonly SiteLanguage[], headers: IncomingHttpHeaders): string | undefined {
  const [byDefault] = languages
  if (languages.length < 2 || !headers.accept?.includes('text/html')) return undefined
  if (crawlers.test(headers['user-agent'] ?? '') || isFromSite(headers)) return undefined
  const chosen = findExact(readCookie(headers.cookie), languages)
  const wanted = chosen ?? findAccepted(headers['accept-language'] ?? '', languages)
  return wanted === byDefault || wanted?.start === '/' ? undefined : wanted?.start
}

const crawlers = /bot\b|crawl|spider|slurp|facebookexternalhit|headless|lighthouse/i

function isFromSite({ 'sec-fetch-site': site, referer, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin'
  return referer !== undefined && URL.canParse(referer) && new URL(referer).host === host
}

function readCookie(header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

function findExact(tag: string | undefined, languages: readonly SiteLanguage[]): SiteLanguage | undefined {
  return languages.find((language) => language.tag.toLowerCase() === tag?.toLowerCase())
}

/** The most languages of a header that are read. Browsers send at most ten. */
const maxAccepted = 20

/** Finds the first accepted language that a site has, in the order of the weights. Source: RFC 9110, section 12.5.4. */
function findAccepted(header: string, languages: readonly SiteLanguage[]): SiteLanguage | undefined {
  const accepted = header
    .split(',', maxAccepted)
    .flatMap((part) => {
      const [, tag, weight = '1'] =
        /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(part) ?? []
      return tag === undefined || Number(weight) === 0 ? [] : [{ tag, weight: Number(weight) }]
    })
    .toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of accepted) {
    const found = findExact(tag, languages) ?? findNearest(tag, languages)
    if (found) return found
  }
  return undefined
}

/** The same language in the same script, such as `pt-BR` for `pt-PT`, else only the same language. */
function findNearest(tag: string, languages: readonly SiteLanguage[]): SiteLanguage | undefined {
  const wanted = readLocale(tag)
  if (!wanted) return undefined
  const same = languages.filter((language) => readLocale(language.tag)?.language === wanted.language)
  return same.find((language) => readLocale(language.tag)?.script === wanted.script) ?? same[0]
}

function readLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
