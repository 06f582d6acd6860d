import { groupBy } from '../../src/text/plain/lists.ts'
import type { Expectation, Json } from './list-facts.ts'
import { decodeEntities } from './read-shown-page.ts'

type SiteFiles = ReadonlyMap<string, string>

/** Internal links that lead nowhere, and names of schemas without a link to their page. Authors wrote links of their own sites into documents. */
export function findDeadLinks(
  files: SiteFiles,
  document: string,
  schemaNames: ReadonlySet<string>,
): { faults: string[]; count: number } {
  const faults = new Set<string>()
  let count = 0
  // A title or a format can be the name of another schema.
  const others = new Set(Array.from(document.matchAll(/"(?:title|format)":\s*"([^"]*)"/g), ([, word = '']) => word))
  const idsOf = new Map<string, Set<string>>()
  // Relative links begin in the folder of the page, and a slash is added to their path.
  const isWritten = (href: string) => {
    const whole = decodeURI(href).replace(/\/(?=#|$)/, '')
    const links = [whole, whole.slice(1), whole.replace(/^\/[^/]*\//, '')].filter((link) => link.length > 1)
    return links.some((link) => [`](${link}`, `"${link}`, `'${link}`, `../${link}`].some((text) => document.includes(text)))
  }
  for (const [path, html] of files)
    if (path.endsWith('.html'))
      idsOf.set(path, new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => decodeEntities(id))))
  for (const [path, text] of files) {
    if (path.endsWith('.html')) {
      for (const [, href = ''] of text.matchAll(/\shref="([/#][^"]*)"/g)) {
        count++
        const [, file = '', hash = ''] = /^([^#?]*)[^#]*#?(.*)$/.exec(decodeEntities(href)) ?? []
        const at = file === '' ? path : toPath(file)
        if (file.startsWith('//') || isOutside(at)) continue
        const isDead = hash !== '' && at.endsWith('.html') && !idsOf.get(at)?.has(decodeURIComponent(hash))
        if ((!files.has(at) || isDead) && !isWritten(file) && !isWritten(decodeEntities(href)))
          faults.add(`${path}: ${href} leads nowhere`)
      }
    } else if (path.endsWith('.md')) {
      for (const [, href = ''] of text.matchAll(/\]\((\/[^()\s]*)\)/g)) {
        count++
        if (!isOutside(toPath(href)) && !files.has(toPath(href)) && !isWritten(href)) faults.add(`${path}: ${href} leads nowhere`)
      }
    }
    for (const [, type = ''] of text.matchAll(/<span class="p-type">(.*?)<\/span>/gs)) {
      const words = decodeEntities(type.replace(/<a\b.*?<\/a>/gs, '').replace(/<[^>]*>/g, '')).split(
        / · | or |, |array of |arrays of |map of string to /,
      )
      count++
      for (const word of words)
        if (schemaNames.has(word) && !typeWords.has(word) && !others.has(word))
          faults.add(`${path}: ${word} is a name without a link`)
    }
  }
  return { faults: [...faults], count }
}

/** Files that are no text. */
const isOutside = (path: string) => path.startsWith('_assets/') || !/\.(?:html|md|json)$/.test(path)
const toPath = (href: string) => {
  const path = decodeURIComponent(href.replace(/^\//, '').replace(/[#?].*$/, ''))
  return path === '' || path.endsWith('/') ? `${path}index.html` : path
}
const typeWords = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
  'null',
  'any',
  'file',
  'map',
  'date',
  'binary',
])

/** Intervals in rows that accept other numbers than their schemas. */
export function findWrongIntervals(
  expectations: readonly Expectation[],
  files: SiteFiles,
  routeOf: (page: string) => string | undefined,
): { faults: string[]; count: number } {
  const rowsOf = new Map<string, Map<string, Interval[]>>()
  const pages = groupByPage(files)
  const faults: string[] = []
  let count = 0
  for (const { page, rows, facts } of expectations) {
    const route = routeOf(page)
    for (const { limited, at } of facts) {
      if (!limited || route === undefined || rows.length === 0) continue
      count++
      const shown = rowsOf.get(route) ?? readIntervals(pages.get(route) ?? [])
      rowsOf.set(route, shown)
      const wanted = toInterval(limited)
      const found = rows.flatMap((name) => shown.get(name) ?? [])
      if (!found.some((interval) => isSame(interval, wanted, limited)))
        faults.push(`${at}: ${JSON.stringify(wanted)} is not shown, but ${JSON.stringify(found.slice(0, 4))}`)
    }
  }
  return { faults, count }
}

/** The HTML and Markdown of each route, with that of its parts. */
function groupByPage(files: SiteFiles): Map<string, readonly (readonly [string, string])[]> {
  const pages = [...files].filter(([path]) => /\.(?:html|md)$/.test(path))
  return groupBy(pages, ([path]) => path.replace(/(?:^|\/)(?:_parts\/.*|index\.html)$|^index\.md$|\.md$/, ''))
}

interface Interval {
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Whether the limit itself is not accepted. */
  readonly isMinOpen?: boolean
  readonly isMaxOpen?: boolean
}

/** What the limits of several schemas accept, as both versions of OpenAPI write them. */
function toInterval(schemas: readonly Json[]): Interval {
  let interval: Interval = {}
  for (const schema of schemas) {
    for (const [limit, isOpen] of [
      ['minimum', schema['exclusiveMinimum'] === true],
      ['exclusiveMinimum', true],
    ] as const) {
      const min = schema[limit]
      const { min: least = Number.NEGATIVE_INFINITY } = interval
      if (typeof min === 'number' && (min > least || (min === least && isOpen)))
        interval = { ...interval, min, isMinOpen: isOpen }
    }
    for (const [limit, isOpen] of [
      ['maximum', schema['exclusiveMaximum'] === true],
      ['exclusiveMaximum', true],
    ] as const) {
      const max = schema[limit]
      const { max: most = Number.POSITIVE_INFINITY } = interval
      if (typeof max === 'number' && (max < most || (max === most && isOpen))) interval = { ...interval, max, isMaxOpen: isOpen }
    }
  }
  return interval
}

/** Whether two intervals accept the same numbers near their limits. */
function isSame(one: Interval, other: Interval, schemas: readonly Json[]): boolean {
  const isWhole = schemas.some(({ type }) => type === 'integer')
  const limits = [one.min, one.max, other.min, other.max].flatMap((limit) => limit ?? [])
  const near = limits.flatMap((limit) => [
    limit - 1,
    limit - Math.abs(limit) * 1e-6 - 1e-9,
    limit,
    limit + Math.abs(limit) * 1e-6 + 1e-9,
    limit + 1,
  ])
  const numbers = [...near, -1e300, 1e300].filter((number) => !isWhole || Number.isInteger(number))
  return numbers.every((number) => accepts(one, number) === accepts(other, number))
}

function accepts({ min, max, isMinOpen, isMaxOpen }: Interval, number: number): boolean {
  const isAbove = min === undefined || number > min || (number === min && !isMinOpen)
  return isAbove && (max === undefined || number < max || (number === max && !isMaxOpen))
}

/** The intervals that the rows of pages show, by name. */
function readIntervals(pages: readonly (readonly [string, string])[]): Map<string, Interval[]> {
  const found = new Map<string, Interval[]>()
  for (const [, html] of pages) {
    for (const chunk of html.split(/class="p-name[^>]*>/).slice(1)) {
      const name = decodeEntities(chunk.slice(0, chunk.indexOf('</')).replace(/<[^>]*>/g, ''))
      const intervals = Array.from(chunk.matchAll(/<li>([^<]*)<\/li>/g), ([, text = '']) => parseInterval(decodeEntities(text)))
      const known = found.get(name) ?? []
      found.set(name, known)
      known.push(...intervals.flatMap((interval) => interval ?? []))
    }
  }
  return found
}

/** `1 to 5`, `Exactly 1`, `More than 0, at most 2.5`. */
function parseInterval(text: string): Interval | undefined {
  const number = '(-?[\\d,]+(?:\\.\\d+)?(?:e[+-]?\\d+)?)'
  const [, exact, from, to] = new RegExp(`^(?:Exactly ${number}|${number} to ${number})$`).exec(text) ?? []
  const read = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits.replaceAll(',', '')))
  if (exact !== undefined || from !== undefined) return { min: read(exact ?? from), max: read(exact ?? to) }
  const open = new RegExp(`^(?:(at least|more than) ${number})?(?:, )?(?:(at most|less than) ${number})?$`, 'i').exec(text)
  const [, lower, min, upper, max] = open ?? []
  if (min === undefined && max === undefined) return undefined
  return {
    min: read(min),
    max: read(max),
    isMinOpen: lower?.toLowerCase() === 'more than',
    isMaxOpen: upper?.toLowerCase() === 'less than',
  }
}

/** Values and names of the document that stand nowhere on their page as they are written. */
export function findUnwritten(
  expectations: readonly Expectation[],
  files: SiteFiles,
  routeOf: (page: string) => string | undefined,
): { faults: string[]; count: number } {
  const texts = new Map<string, string>()
  const pages = groupByPage(files)
  const faults: string[] = []
  let count = 0
  for (const { page, facts } of expectations) {
    const route = routeOf(page)
    if (route === undefined) continue
    const text = texts.get(route) ?? readTexts(pages.get(route) ?? [])
    texts.set(route, text)
    for (const { kind, shown, at } of facts) {
      if (kind !== 'value' && kind !== 'name') continue
      const scalars = shown.length === 1 ? listScalars(shown[0] ?? '') : []
      count += scalars.length
      const missing = scalars.find(
        (one) => !text.includes(collapse(one)) && !text.includes(collapse(JSON.stringify(one).slice(1, -1))),
      )
      if (missing !== undefined) faults.push(`${at}: ${collapse(missing).slice(0, 120)}`)
    }
  }
  return { faults, count }
}

/** The Markdown of a page and its parts, and the letters of their HTML. */
function readTexts(page: readonly (readonly [string, string])[]): string {
  return page
    .map(([path, text]) => collapse(path.endsWith('.md') ? text : decodeEntities(text.replace(/<[^>]*>/g, ''))))
    .join('\n')
}

/** The scalars in the text of a value. */
function listScalars(text: string): string[] {
  if (!/^[[{]/.test(text)) return [text]
  const found: string[] = []
  try {
    JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
      if (typeof value === 'string') found.push(value)
      else if (typeof value !== 'object') found.push(context?.source ?? String(value))
      return value
    })
    return found
  } catch {
    return [text]
  }
}

const collapse = (text: string) => text.replace(/[\s\u200b\u00a0]+/g, ' ').trim()
