/** Encodes text for a part of a URL. Lone surrogates, which cannot be encoded, become U+FFFD. */
export function encodeUrlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Encodes a path for a URL, except its `/`. */
export function encodeFilePath(path: string): string {
  return path.split('/').map(encodeUrlPart).join('/')
}

/** Encodes what a whole URL cannot contain, such as spaces. Lone surrogates become U+FFFD. */
export function encodeUrl(text: string): string {
  return encodeURI(text.toWellFormed())
}

/** The schemes of URLs that text from a document or page may link to. Browsers run no code for them. */
export const linkSchemes: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Images can be embedded, except SVG, which can contain scripts. */
const embeddedImage = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i

/** A URL that `isAllowedUrl` accepts, or that is our own. All `href` and `src` of a site have this type, see test/untrusted-text.test.ts. */
export type AllowedUrl = string & { readonly isAllowedUrl: true }

/**
 * Whether a site may link to a URL, or show it as an image (`media`): paths, fragments, and URLs with an allowed scheme. The only judge of the
 * URLs in pages, feeds and other files of a site.
 *
 * Reads a URL like browsers, which ignore control characters, whitespace (`java\nscript:`) and the case of the scheme. They also read `\` as `/`
 * (`/\evil.example`), which is refused, because nobody means a host with it.
 */
export function isAllowedUrl(url: string, use: 'link' | 'media'): url is AllowedUrl {
  const bare = url.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  const scheme = /^[^/?#:]*(?=:)/.exec(bare)?.[0].toLowerCase()
  if (scheme === 'data') return use === 'media' && embeddedImage.test(bare)
  if (/^[^?#]*\\/.test(bare)) return false
  if (scheme === 'http' || scheme === 'https') return /^[a-z]+:\/\/[^/?#]/i.test(bare)
  return scheme === undefined || (use === 'link' && linkSchemes.includes(scheme))
}

/** Tells an address from a path. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** Percent-decodes a string. Returns it unchanged if it contains an invalid escape, such as a stray `%`. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
