import { decodePercent } from '../../text/relative-path.ts'

/** What a built site says of its own answers: its files `_headers` and `_redirects`. */
export interface SiteRules {
  /** Headers of a path, the last rule that fits wins for each. */
  headersOf(path: string): Readonly<Record<string, string>>
  /** Redirects from one address, by path without slashes at its ends. */
  readonly redirects: ReadonlyMap<string, Redirect>
  /** Redirects from patterns, in the order of the site. */
  readonly patterns: readonly RedirectPattern[]
}

interface Redirect {
  readonly to: string
  readonly status: number
}

interface RedirectPattern {
  match(path: string): Redirect | undefined
}

/** Those that a site may set; the rest is the server's. */
const allowedHeaders = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Content-Type',
  'Cache-Control',
]

/** Reads both files, as `src/site/files` writes them; lines of another form are left out. */
export function readSiteRules(headers: string, redirects: string): SiteRules {
  const blocks = readHeaders(headers)
  const exact = new Map<string, Redirect>()
  const patterns: RedirectPattern[] = []
  for (const line of redirects.split('\n')) {
    const [from, to, status] = line.split(' ')
    if (from === undefined || to === undefined || !/^30[12]$/.test(status ?? '') || !isGoal(to)) continue
    // A header holds no other characters.
    const redirect = { to: to.replace(/[^\x21-\x7e]+/g, encodeURIComponent), status: Number(status) }
    const source = decodePercent(from).replace(/^\/+|(?<!\/)\/+$/g, '')
    if (/\*$|(?:^|\/):\w/.test(source)) patterns.push(toPattern(source, redirect))
    else if (!exact.has(source)) exact.set(source, redirect)
  }
  return {
    headersOf: (path) => Object.assign({}, ...blocks.filter(({ fits }) => fits(path)).map(({ values }) => values)),
    redirects: exact,
    patterns,
  }
}

/** An address of the site, or one of the web. */
function isGoal(to: string): boolean {
  return /^\/(?![/\\])/.test(to) || /^https?:\/\/[^/]/i.test(to)
}

function readHeaders(text: string) {
  const blocks: { fits: (path: string) => boolean; values: Record<string, string> }[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) blocks.push({ fits: toFits(line.slice(1)), values: {} })
    const [, name = '', value = ''] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? []
    const block = blocks.at(-1)
    if (block && allowedHeaders.includes(name)) block.values[name] = value
  }
  return blocks
}

/** `*` stands for anything, and there is one at most. */
function toFits(pattern: string): (path: string) => boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return (path) => path === pattern
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return (path) => path.length >= start.length + end.length && path.startsWith(start) && path.endsWith(end)
}

/** `:name` is one step, a final `*` all the rest. What is put into the goal cannot change where it leads but by its path. */
function toPattern(source: string, { to, status }: Redirect): RedirectPattern {
  const steps = source.split('/')
  const hasRest = steps.at(-1) === '*'
  const fixed = hasRest ? steps.slice(0, -1) : steps
  return {
    match(path) {
      const given = path.replace(/(?<!\/)\/+$/, '').split('/')
      if (hasRest ? given.length < fixed.length : given.length !== fixed.length) return undefined
      const values = new Map<string, string>()
      for (const [index, step] of fixed.entries()) {
        const value = given[index] ?? ''
        if (/^:\w/.test(step)) values.set(step.slice(1), encodeURIComponent(value))
        else if (step !== value) return undefined
      }
      values.set('splat', given.slice(fixed.length).map(encodeURIComponent).join('/'))
      return { to: to.replace(/(?<=\/):(\w+)/g, (found, name: string) => values.get(name) ?? found), status }
    },
  }
}
