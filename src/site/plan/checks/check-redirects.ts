import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type DocsConfig, type Redirect, readRedirects, readUnusableRedirects } from '../../../docs/navigation/docs-config.ts'

/**
 * Reports redirects that no site can serve, redirects in a loop, redirects to another redirect, and redirects without effect. Skips patterns. A missing destination is
 * reported with the other links of `docs.json`.
 */
export function checkRedirects(docsConfig: DocsConfig, hasPage: (route: string) => boolean): Finding[] {
  const redirects = readRedirects(docsConfig).filter(
    ({ source, destination }) => !/\/:|^:|\*/.test(`${source} ${toRedirectPath(destination)}`),
  )
  const toFinding = ({ source, index }: Redirect, code: Finding['code'], message: string, hint: string): Finding => ({
    code,
    message: `Unexpected redirect from \`${source}\`: ${message}`,
    file: docsConfig.source.path,
    pointer: `/redirects/${index}`,
    hint,
  })
  const unusable = readUnusableRedirects(docsConfig).map((redirect) => {
    const { code, message, hint } = problems[redirect.problem]
    return toFinding(redirect, code, message, hint)
  })
  const bySource = new Map<string, Redirect>()
  for (const redirect of redirects) {
    const source = toRedirectPath(redirect.source)
    if (!bySource.has(source)) bySource.set(source, redirect)
  }
  const others = redirects.flatMap((redirect): Finding | [] => {
    const { source, destination } = redirect
    const found = (code: Finding['code'], message: string, hint: string) => toFinding(redirect, code, message, hint)
    const first = bySource.get(toRedirectPath(source))
    if (first && first !== redirect) {
      const related = [{ pointer: `/redirects/${first.index}`, message: 'first redirect' }]
      return { ...found('redirect-unused', 'an earlier one has the same source', 'Remove one of them'), related }
    }
    if (hasPage(toRedirectPath(source)))
      return found('redirect-unused', 'the site has a page with this path', 'Remove the redirect')
    const end = followRedirects(redirect, bySource)
    if (end === undefined) return found('redirect-loop', 'it redirects to itself', 'Change `destination` to a page')
    // A redirect to the last destination would open another part of the page.
    if (
      toRedirectPath(end.destination) === toRedirectPath(destination) ||
      toFragment(end.destination) !== toFragment(destination)
    )
      return []
    return found('redirect-chain', `\`${destination}\` is redirected too`, `Change \`destination\` to \`${end.destination}\``)
  })
  return [...unusable, ...others]
}

const problems = {
  fragment: {
    code: 'redirect-fragment',
    message: 'browsers do not send the fragment of a URL, so it is ignored',
    hint: 'Remove the redirect, or the fragment from `source`',
  },
  query: {
    code: 'redirect-query',
    message: 'redirects match only paths, so it is ignored',
    hint: 'Remove the redirect, or the query from `source`',
  },
  target: {
    code: 'redirect-target',
    message: 'its destination is neither a path nor an `https` URL, so it is ignored',
    hint: 'Change `destination` to a path such as `/guide`, or to a URL that starts with `https://`',
  },
} as const

/** The last redirect of a chain; `undefined` if the redirect is part of a loop. */
function followRedirects(start: Redirect, bySource: ReadonlyMap<string, Redirect>): Redirect | undefined {
  const seen = new Set<Redirect>()
  let last = start
  for (let next: Redirect | undefined = start; next && !seen.has(next); next = bySource.get(toRedirectPath(next.destination))) {
    seen.add(next)
    last = next
  }
  const following = bySource.get(toRedirectPath(last.destination))
  if (following === start) return undefined
  // A redirect that leads into a loop, which is reported where it is.
  return following ? start : last
}

function toFragment(destination: string): string {
  return /#.*$/s.exec(destination)?.[0] ?? ''
}

/** A path without a leading or trailing slash, a query and a fragment. */
export function toRedirectPath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/^\/+|(?<!\/)\/+$/g, '')
}
