import { isObject } from '../text/is-object.ts'
import type { DocsConfig } from './types.ts'

/** An entry of `redirects` in `docs.json`. */
export interface Redirect {
  /** Position in the list. */
  readonly index: number
  /** As they are written: an address of the site, with leading `/`, or a pattern. */
  readonly source: string
  readonly destination: string
}

/** Lists `redirects`; entries that are none are left out. */
export function readRedirects(docsConfig: DocsConfig | undefined): Redirect[] {
  const written = docsConfig?.value['redirects']
  if (!Array.isArray(written)) return []
  return written.flatMap((entry: unknown, index) => {
    if (!isObject(entry)) return []
    const { source, destination } = entry
    return typeof source === 'string' && typeof destination === 'string' ? [{ index, source, destination }] : []
  })
}
