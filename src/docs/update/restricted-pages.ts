import { areGroups, isNotPublic } from '../../openapi/public/restriction-marks.ts'
import { isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { parsePageFrontmatter } from '../pages/page-frontmatter.ts'

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

/** The restricted parts of the navigation in a `docs.json`. */
interface RestrictedNavigation {
  /** Pointers of the divisions and entries. None is inside another. */
  readonly parts: readonly string[]
  /** Pages in restricted divisions, as written. */
  readonly pages: readonly string[]
  /** The paths or URLs of OpenAPI documents that only restricted divisions name. */
  readonly documents: readonly string[]
}

/**
 * Finds divisions with `public: false` or another value than `true`, and entries for which `isRestricted` holds.
 *
 * @param value The content of a `docs.json`, with the files that it includes.
 * @param isRestricted Called with each entry of `pages`, as written.
 */
export function findRestrictedNavigation(value: JsonObject, isRestricted: (entry: string) => boolean): RestrictedNavigation {
  const parts: string[] = []
  const pages: string[] = []
  const hidden = new Set<string>()
  const shown = new Set<string>()
  const collect = (part: unknown, into: Set<string>) => {
    for (const found of listDocuments(part)) into.add(found)
  }
  const visit = (part: unknown, pointer: string, isEntry: boolean): void => {
    if (Array.isArray(part)) {
      for (const [index, element] of part.entries()) visit(element, pointerChild(pointer, index), isEntry)
    } else if (typeof part === 'string') {
      if (isEntry && isRestricted(part)) parts.push(pointer)
    } else if (isObject(part)) {
      if (isNotPublic(part['public'])) {
        parts.push(pointer)
        pages.push(...listPages(part))
        collect(part, hidden)
        return
      }
      if ('openapi' in part) collect(part['openapi'], shown)
      for (const [key, child] of Object.entries(part)) visit(child, pointerChild(pointer, key), key === 'pages' || key === 'root')
    }
  }
  visit(value['navigation'], '/navigation', false)
  return { parts, pages, documents: [...hidden].filter((one) => !shown.has(one)) }
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
