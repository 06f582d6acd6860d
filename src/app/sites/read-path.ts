/** A path of a site as its files are named, and the query as it was sent, with its `?`. */
export interface SiteRequestPath {
  /** Without the leading `/`; `''` is the start page. */
  readonly path: string
  readonly query: string
}

/**
 * Reads the target of a request; `undefined` for what can be no file of a site: steps that lead up, encoded separators, empty steps (a redirect
 * from `//host/` would leave the site), control characters, and what is no path at all.
 */
export function readPath(target: string): SiteRequestPath | undefined {
  if (!target.startsWith('/') || target.startsWith('//')) return undefined
  const end = target.search(/[?#]/)
  const raw = end === -1 ? target : target.slice(0, end)
  const query = end === -1 || target[end] === '#' ? '' : target.slice(end).replace(/#.*$/s, '')
  if (/%(?:2f|5c|00)/i.test(raw)) return undefined
  let path: string
  try {
    path = decodeURIComponent(raw.slice(1))
  } catch {
    return undefined
  }
  if (/[\p{Cc}\\]/u.test(path)) return undefined
  const steps = path.split('/')
  const isBad = (step: string, index: number) =>
    step === '.' || step === '..' || (step === '' && index < steps.length - 1 && steps.length > 1)
  return steps.some(isBad) ? undefined : { path, query }
}

/** A path as it stands in an address of the site. */
export function toAddress(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`
}
