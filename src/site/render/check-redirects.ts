import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type Redirect, readRedirects } from '../../docs-config/config-entries.ts'
import type { DocsConfig } from '../../docs-config/types.ts'

/**
 * Reports redirects in a loop, redirects to another redirect, and redirects without effect. Skips patterns. A missing destination is
 * reported with the other links of `docs.json`.
 */
export function checkRedirects(docsConfig: DocsConfig, hasPage: (route: string) => boolean): Finding[] {
  const redirects = readRedirects(docsConfig).filter(
    ({ source, destination }) => !/\/:|^:|\*/.test(`${source} ${toPath(destination)}`),
  )
  const bySource = new Map<string, Redirect>()
  for (const redirect of redirects) {
    const source = toPath(redirect.source)
    if (!bySource.has(source)) bySource.set(source, redirect)
  }
  return redirects.flatMap((redirect): Finding | [] => {
    const { source, destination, index } = redirect
    const found = (code: Finding['code'], message: string, hint: string): Finding => ({
      code,
      message: `Unexpected redirect from \`${source}\`: ${message}`,
      file: docsConfig.source.path,
      pointer: `/redirects/${index}`,
      hint,
    })
    const first = bySource.get(toPath(source))
    if (first && first !== redirect) {
      const related = [{ pointer: `/redirects/${first.index}`, message: 'first redirect' }]
      return { ...found('redirect-unused', 'an earlier one has the same source', 'Remove one of them'), related }
    }
    if (hasPage(toPath(source))) return found('redirect-unused', 'the site has a page with this path', 'Remove the redirect')
    const end = followRedirects(redirect, bySource)
    if (end === undefined) return found('redirect-loop', 'it redirects to itself', 'Change `destination` to a page')
    if (toPath(end.destination) === toPath(destination)) return []
    return found('redirect-chain', `\`${destination}\` is redirected too`, `Change \`destination\` to \`${end.destination}\``)
  })
}

/** The last redirect of a chain; `undefined` if the redirect is part of a loop. */
function followRedirects(start: Redirect, bySource: ReadonlyMap<string, Redirect>): Redirect | undefined {
  const seen = new Set<Redirect>()
  let last = start
  for (let next: Redirect | undefined = start; next && !seen.has(next); next = bySource.get(toPath(next.destination))) {
    seen.add(next)
    last = next
  }
  const following = bySource.get(toPath(last.destination))
  if (following === start) return undefined
  // A redirect that leads into a loop, which is reported where it is.
  return following ? start : last
}

/** A path without a leading or trailing slash, a query and a fragment. */
function toPath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/^\/+|(?<!\/)\/+$/g, '')
}
