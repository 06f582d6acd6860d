import { type SiteRequestPath, toAddress } from './read-path.ts'
import type { SiteRules } from './site-rules.ts'

/** What a path of a site leads to. */
export type ResolvedPath<File> =
  | { readonly kind: 'file'; readonly path: string; readonly file: File }
  | { readonly kind: 'redirect'; readonly to: string; readonly status: number }
  | { readonly kind: 'missing' }

/** For hosts that read them, and for nobody else. */
const forHosts = new Set(['_headers', '_redirects', '.nojekyll'])

/**
 * Finds what a path leads to: a redirect from exactly there, a file, the page of a folder (whose address ends in `/`), a redirect by a pattern.
 *
 * Names are compared as they are: a path that differs in case is another one.
 */
export async function resolvePath<File>(
  { path, query }: SiteRequestPath,
  rules: Pick<SiteRules, 'redirects' | 'patterns'>,
  find: (path: string) => Promise<File | undefined>,
): Promise<ResolvedPath<File>> {
  const bare = path.replace(/\/$/, '')
  const redirect = (to: string, status: number) => ({ kind: 'redirect', to: withQuery(to, query), status }) as const
  const moved = rules.redirects.get(bare)
  if (moved) return redirect(moved.to, moved.status)
  if (!forHosts.has(bare)) {
    const isFolder = path === '' || path.endsWith('/')
    const name = isFolder ? `${path}index.html` : path
    const file = await find(name)
    if (file && !isFolder && /(?:^|\/)index\.html$/.test(path))
      return redirect(toAddress(path.slice(0, -'index.html'.length)), 301)
    if (file) return { kind: 'file', path: name, file }
    if (!isFolder && (await find(`${path}/index.html`))) return redirect(toAddress(`${path}/`), 301)
    if (path !== bare && (await find(bare))) return redirect(toAddress(bare), 301)
  }
  for (const pattern of rules.patterns) {
    const found = pattern.match(path)
    if (found) return redirect(found.to, found.status)
  }
  return { kind: 'missing' }
}

function withQuery(to: string, query: string): string {
  return query === '' || to.includes('?') || to.includes('#') ? to : to + query
}
