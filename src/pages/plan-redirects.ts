import type { Finding } from '../diagnostic/diagnostic.ts'
import { type Redirect, readRedirects } from '../docs/config-entries.ts'
import type { JsonEdit } from '../docs/edit-json.ts'
import type { DocsConfig } from '../docs/types.ts'
import type { PageOutcome } from './plan-file-changes.ts'

/** A page that has another address now; both with leading `/`. */
export interface AddressMove {
  readonly from: string
  readonly to: string
}

/**
 * Plans the `redirects` of `docs.json` that lead readers from where a page was to where it is.
 *
 * Redirects that led to the old address lead to the new one, so that there are no chains. One that would lead away from the new address, or
 * to itself, goes. The old address gets one redirect, and none where it has one already.
 */
export function planRedirects(docsConfig: DocsConfig | undefined, moves: readonly AddressMove[]): JsonEdit[] {
  if (!docsConfig || moves.length === 0) return []
  const written = docsConfig.value['redirects']
  // What is no list is a fault of its own, and not ours to replace.
  if (written !== undefined && !Array.isArray(written)) return []
  const redirects = readRedirects(docsConfig)
  const newAddresses = new Map(moves.map(({ from, to }) => [from, to]))
  const arrivals = new Set(moves.map(({ to }) => to))
  const edits: JsonEdit[] = []
  const leaving = new Set<string>()
  for (const redirect of redirects) {
    const destination = newAddresses.get(withSlash(redirect.destination)) ?? redirect.destination
    const source = withSlash(redirect.source)
    if (arrivals.has(source)) {
      edits.push({ kind: 'remove', pointer: `/redirects/${redirect.index}` })
      continue
    }
    leaving.add(source)
    if (destination !== redirect.destination) edits.push(toDestination(redirect, destination))
  }
  const added = moves.filter(({ from }) => !leaving.has(from)).map(({ from, to }) => ({ source: from, destination: to }))
  if (added.length === 0) return edits
  if (written === undefined) return [...edits, { kind: 'set', object: '', key: 'redirects', value: added }]
  return [...edits, { kind: 'insert', array: '/redirects', index: written.length, values: added }]
}

/** Reports the redirects whose destination is a page that an update removes; its readers would get a page that does not exist. */
export function findBrokenRedirects(
  docsConfig: DocsConfig | undefined,
  outcomes: readonly Pick<PageOutcome, 'kind' | 'path' | 'target'>[],
): Finding[] {
  const removed = new Map(outcomes.flatMap(({ kind, path, target }) => (kind === 'removed' ? [[toAddress(path), target]] : [])))
  return readRedirects(docsConfig).flatMap(({ index, source, destination }): Finding[] => {
    const target = removed.get(
      withSlash(destination)
        .replace(/[?#].*$/s, '')
        .replace(/\/$/, ''),
    )
    if (!docsConfig || target === undefined) return []
    const message = `The redirect from \`${source}\` leads to \`${destination}\`, the page of \`${target}\`, which is removed`
    const place = { file: docsConfig.source.path, pointer: `/redirects/${index}/destination` }
    return [
      { code: 'redirect-unresolved', message, ...place, hint: 'name another page as `destination`, or remove the redirect' },
    ]
  })
}

function toDestination({ index }: Redirect, destination: string): JsonEdit {
  return { kind: 'set', object: `/redirects/${index}`, key: 'destination', value: destination }
}

/** The address of a page by its path with extension. */
export function toAddress(path: string): string {
  return `/${path.replace(/\.mdx?$/i, '')}`
}

/** Written without the leading slash it is the same address. */
function withSlash(written: string): string {
  return written.startsWith('/') ? written : `/${written}`
}
