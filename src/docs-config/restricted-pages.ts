import { areGroups, isNotPublic } from '../openapi/restricted-parts.ts'
import { isObject } from '../source/is-object.ts'
import { parsePageFrontmatter } from './page-frontmatter.ts'

/**
 * Whether the frontmatter of a page restricts it to groups or to readers that have signed in, or makes a page of a restricted division public.
 * Frontmatter with errors restricts the page if it has one of the keys.
 */
export function readPageRestriction(text: string): 'restricted' | 'public' | 'none' {
  const block = /^\s*---[ \t]*\r?\n/.test(text) ? text.trimStart().slice(3) : ''
  const end = /^---[ \t]*$/m.exec(block.replaceAll('\r', ' '))
  // Without an end, the block ends like a paragraph.
  const yaml = end ? block.slice(0, end.index) : (/^\r?\n(?:.+\r?\n?)*/.exec(block)?.[0] ?? '')
  if (!/groups|public|\\/.test(yaml)) return 'none'
  const frontmatter = parsePageFrontmatter(text)
  const { values = {}, fault } = frontmatter ?? {}
  if (!frontmatter || fault || Object.keys(values).length === 0) {
    const isRestricted = /(?:^|[\s{,"'])groups["']?\s*:|(?:^|[\s{,"'])public["']?\s*:(?!\s*true\s*$)/m.test(yaml)
    return isRestricted ? 'restricted' : 'none'
  }
  if (areGroups(values['groups']) || isNotPublic(values['public'])) return 'restricted'
  return values['public'] === undefined || values['public'] === null ? 'none' : 'public'
}

/** `docs.json`, or a file that it includes, without its restricted parts. */
interface PublicNavigation {
  readonly value: unknown
  /** Pages in restricted divisions, as written. */
  readonly pages: readonly string[]
  /** The paths or URLs of OpenAPI documents that only restricted divisions name. */
  readonly documents: readonly string[]
}

/**
 * Leaves out divisions with `public: false` or another value than `true`, and entries for which `isRestricted` holds.
 *
 * @param isRestricted Called with each entry of `pages`, as written.
 */
export function toPublicNavigation(value: unknown, isRestricted: (entry: string) => boolean): PublicNavigation {
  const pages: string[] = []
  const hidden = new Set<string>()
  const shown = new Set<string>()
  const collect = (part: unknown, into: Set<string>) => {
    for (const found of listDocuments(part)) into.add(found)
  }
  const prune = (part: unknown, isEntry = false): unknown => {
    if (Array.isArray(part)) return part.map((element) => prune(element, isEntry)).filter((element) => element !== undefined)
    if (typeof part === 'string' && isEntry && isRestricted(part)) return undefined
    if (!isObject(part)) return part
    if (isNotPublic(part['public'])) {
      pages.push(...listPages(part))
      collect(part, hidden)
      return undefined
    }
    if ('openapi' in part) collect(part['openapi'], shown)
    return Object.fromEntries(
      Object.entries(part).flatMap(([key, child]) => {
        const keptChild = prune(child, key === 'pages' || key === 'root')
        return keptChild === undefined ? [] : [[key, keptChild]]
      }),
    )
  }
  const pruned =
    isObject(value) && isObject(value['navigation']) ? { ...value, navigation: prune(value['navigation']) } : prune(value)
  return { value: pruned, pages, documents: [...hidden].filter((one) => !shown.has(one)) }
}

function listPages(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(listPages)
  if (!isObject(part)) return []
  const own = [part['root'], ...(Array.isArray(part['pages']) ? part['pages'] : [])]
  return [...own.filter((entry) => typeof entry === 'string'), ...Object.values(part).flatMap(listPages)]
}

/** The values of `openapi` in a part of `docs.json`: strings, objects with `source`, and lists of both. */
function listDocuments(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (Array.isArray(part)) return part.flatMap((element) => (typeof element === 'string' ? [] : listDocuments(element)))
  if (!isObject(part)) return []
  const { openapi, source } = part
  const own =
    typeof openapi === 'string'
      ? [openapi]
      : Array.isArray(openapi)
        ? openapi.flatMap((one) => (typeof one === 'string' ? [one] : listDocuments(one)))
        : listDocuments(openapi)
  const named = typeof source === 'string' ? [source] : []
  return [
    ...own,
    ...named,
    ...Object.entries(part).flatMap(([key, child]) =>
      key === 'openapi' || typeof child === 'string' ? [] : listDocuments(child),
    ),
  ]
}
