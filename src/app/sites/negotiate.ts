import type { SiteEncoding } from '../../store/stored-sites.ts'

/**
 * The stored body that an `Accept-Encoding` likes best; `identity` where it takes no other (RFC 9110, section 12.5.3). Of two that it likes
 * equally, the smaller.
 */
export function chooseEncoding(
  accept: string | undefined,
  bodies: Readonly<Partial<Record<SiteEncoding, number>>>,
): SiteEncoding {
  const weights = new Map<string, number>()
  for (const part of (accept ?? '').split(',', 20)) {
    const [, name, weight] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (encoding: SiteEncoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const)
    .filter((encoding) => bodies[encoding] !== undefined && weightOf(encoding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a) || (bodies[a] ?? 0) - (bodies[b] ?? 0))
  return best ?? 'identity'
}

/** The bytes that a `Range` asks for; `undefined` where all are sent: no range, several, or a form that is not read (RFC 9110, section 14.2). */
export function chooseRange(
  header: string | undefined,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes }
  }
  const [start, end] = [Number(first), last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)]
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}

/** Whether an `If-None-Match` or `If-Match` names this tag. */
export function listsTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
