import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type DocsConfig, type Redirect, readRedirects, readUnusableRedirects } from '../../../docs/navigation/docs-config.ts'

/**
 * Reports redirects that no site can serve, redirects in a loop, redirects to another redirect, and redirects without effect. A missing destination is
 * reported with the other links of `docs.json`.
 *
 * @param routes The routes of all pages.
 */
export function checkRedirects(docsConfig: DocsConfig, routes: ReadonlySet<string>): Finding[] {
  const redirects = readRedirects(docsConfig)
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
  // The first redirect from a path counts.
  const bySource = new Map(redirects.toReversed().map((redirect) => [toRedirectPath(redirect.source), redirect]))
  const follow = createFollower(bySource, createPageSearch(routes))
  const others = redirects.flatMap((redirect): Finding | [] => {
    const { source, destination } = redirect
    const found = (code: Finding['code'], message: string, hint: string) => toFinding(redirect, code, message, hint)
    const first = bySource.get(toRedirectPath(source))
    if (first && first !== redirect) {
      const related = [{ pointer: `/redirects/${first.index}`, message: 'first redirect' }]
      return { ...found('redirect-unused', 'an earlier one has the same source', 'Remove one of them'), related }
    }
    if (routes.has(toRedirectPath(source)))
      return found('redirect-unused', 'the site has a page with this path', 'Remove the redirect')
    const end = follow(redirect)
    if (end === undefined) return found('redirect-loop', 'it redirects to itself', 'Change `destination` to a page')
    // A redirect to the last destination would open another part of the page.
    if (toRedirectPath(end) === toRedirectPath(destination) || toFragment(end) !== toFragment(destination)) return []
    return found('redirect-chain', `\`${destination}\` is redirected too`, `Change \`destination\` to \`${end}\``)
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

/** Creates a search for the destination at the end of a chain; `undefined` if the redirect is part of a loop. Parameters keep their names in `start`. */
function createFollower(bySource: ReadonlyMap<string, Redirect>, hasPage: (path: string) => boolean) {
  const patterns = [...bySource].filter(([source]) => isPattern(source)).sort(([, a], [, b]) => a.index - b.index)
  const findNext = (path: string) => {
    const exact = bySource.get(path)
    // A file of the site, such as a PDF, is found before patterns.
    const pattern = /\.\w+$/.test(path) ? undefined : patterns.find(([source]) => matchPattern(source, path))?.[1]
    return exact && pattern && pattern.index < exact.index ? pattern : (exact ?? pattern)
  }
  return (start: Redirect): string | undefined => {
    const seen = new Set<Redirect>([start])
    const own = toRedirectPath(start.source)
    for (let { destination } = start; ; ) {
      const path = toRedirectPath(destination)
      const isEnd = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(destination) || (path !== own && hasPage(path))
      const next = isEnd ? undefined : findNext(path)
      if (!next) return destination
      if (next === start) return undefined
      // A redirect that leads into a loop, which is reported where it is.
      if (seen.has(next)) return start.destination
      seen.add(next)
      const values = matchPattern(toRedirectPath(next.source), path)
      destination = next.destination.replace(/(:\w+)\*?|\*/g, (found, name = '*') => values?.get(name) ?? found)
    }
  }
}

/** Creates a search for a page or file: the one with a path, or any that a pattern matches. */
export function createPageSearch(routes: Pick<ReadonlySet<string>, 'has' | 'keys'>, others: Iterable<string> = []) {
  const isKnown = (pattern: string) => [...routes.keys(), ...others].some((path) => matchPattern(pattern, path) !== undefined)
  return (path: string): boolean => routes.has(path) || (isPattern(path) && isKnown(path))
}

/** Whether a path has parameters: `*` and `:slug*` at its end match any number of segments, `:slug` one. */
export function isPattern(path: string): boolean {
  return /(?:^|\/):|\*/.test(path) && !/^[a-z]+:/i.test(path)
}

/**
 * What the parameters of a pattern match in a path. `undefined` if the path does not match. Neither has a leading slash. A path can be a pattern itself, which
 * matches if everything does that it matches.
 */
function matchPattern(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>()
  if (!isPattern(pattern)) return pattern === path ? values : undefined
  const steps = pattern.split('/')
  const given = path.split('/')
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1
    const [, start = '', name = '*'] = (isLast && /^([^:*]*)(:\w+)?\*$/.exec(step)) || []
    const value = given[index]
    if (isLast && step.endsWith('*')) {
      const rest = given.slice(index).join('/')
      return rest.startsWith(start) ? values.set(name, rest.slice(start.length)) : undefined
    }
    if (value === undefined || (step !== value && (!step.startsWith(':') || value.includes('*')))) return undefined
    values.set(step, value)
  }
  return given.length > steps.length ? undefined : values
}

function toFragment(destination: string): string {
  return /#.*$/s.exec(destination)?.[0] ?? ''
}

/** A path without a leading or trailing slash, a query and a fragment. */
export function toRedirectPath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/^\/+|(?<!\/)\/+$/g, '')
}
