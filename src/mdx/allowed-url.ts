/** Schemes that a link of a page may have. Everything else, `javascript:` above all, could run or fetch something nobody asked for. */
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'vscode', 'cursor'])

/**
 * Whether an address in a page may stand in a `href` or `src`: relative ones, and those with an allowed scheme. Images may also be
 * `data:image/…`, but not SVG, which can hold script.
 */
export function isAllowedUrl(url: string, use: 'link' | 'media'): boolean {
  // Browsers drop controls and blanks before they read the scheme: `java\nscript:` is one.
  const bare = url.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase()
  if (scheme === undefined) return true
  if (use === 'media' && scheme === 'data') return /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i.test(bare)
  return use === 'media' ? scheme === 'http' || scheme === 'https' : linkSchemes.has(scheme)
}
