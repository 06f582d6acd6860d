/** Removes `.` and `..` steps and doubled slashes. Steps above the top stay as leading `..`; the top itself is `''`. */
export function normalizePath(path: string): string {
  // Most have nothing to remove.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) return path
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}

/** Joins two relative paths with `/` and normalizes the result. */
export function joinPath(folder: string, path: string): string {
  // References lead up at their start, and from folders that are normalized: what is left to join has then nothing to remove.
  let above = folder
  let below = path
  while (below.startsWith('../') && above !== '' && !above.endsWith('.') && !above.endsWith('/')) {
    above = parentPath(above)
    below = below.slice(3)
  }
  return normalizePath(above === '' ? below : `${above}/${below}`)
}

/** The folder of a path, `''` for a file at the top. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The last step of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** How to say `path` as seen from `folder`; both relative to the same top, with `/`. */
export function relativePath(folder: string, path: string): string {
  const from = normalizePath(folder).split('/').filter(Boolean)
  const to = normalizePath(path).split('/').filter(Boolean)
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

/** Removes the extension of a JSON or YAML file. */
export function withoutDocumentExtension(path: string): string {
  return path.replace(/\.(?:json|ya?ml)$/i, '')
}

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
