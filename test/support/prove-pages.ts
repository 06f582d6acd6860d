import { groupBy } from '../../src/text/plain/lists.ts'
import { accepts, type Limit, parseLimits } from './limits.ts'
import { anyPage, type Expectation, type Fact, type Json } from './list-facts.ts'
import { decodeEntities, readShownPage, type ShownPage, squashMarkdown, squashPlain } from './read-shown-page.ts'

type SiteFiles = ReadonlyMap<string, string>

/** How much was compared, and what differs. */
export interface Proof {
  readonly faults: string[]
  count: number
}

export const createProof = (): Proof => ({ faults: [], count: 0 })

/** Internal links that lead nowhere, and names of schemas without a link to their page. Authors wrote links of their own sites into documents. */
export function findDeadLinks(files: SiteFiles, document: string, schemaNames: ReadonlySet<string>): Proof {
  const faults = new Set<string>()
  let count = 0
  // A title or a format can be the name of another schema.
  const others = new Set(Array.from(document.matchAll(/"(?:title|format)":\s*"([^"]*)"/g), ([, word = '']) => word))
  const idsOf = new Map<string, Set<string>>()
  // Relative links begin in the folder of the page, and a slash is added to their path.
  const isWritten = (href: string) => {
    const whole = decodeURI(href).replace(/\/(?=#|$)/, '')
    const links = [decodeURI(href), whole, whole.slice(1), whole.replace(/^\/[^/]*\//, '')].filter((link) => link.length > 1)
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
    for (const [, type = ''] of text.matchAll(/<\/a> <i>(.*?)<\/i>/gs)) {
      const words = decodeEntities(type.replace(/<a\b.*?<\/a>/gs, '').replace(/<[^>]*>/g, '')).split(
        / · | or |, |array of |arrays of |map of string to /,
      )
      count++
      for (const word of words)
        if (schemaNames.has(word) && !typeWords.test(word) && !others.has(word))
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
const typeWords = /^(?:string|integer|number|boolean|object|array|null|any|file|map|date|binary)$/

/**
 * Looks for each fact on the page where it belongs: for its letters in its row, in HTML and in Markdown (`places`), for values and names as they
 * are written (`scalars`), and for limits that accept other numbers than the schemas (`intervals`). The parts of a page belong to it.
 */
export function provePages(
  expectations: readonly Expectation[],
  files: SiteFiles,
  routeOf: (page: string) => string | undefined,
): { readonly places: Proof; readonly scalars: Proof; readonly intervals: Proof } {
  const places: Proof = { faults: listEmptyFolds(files), count: 0 }
  const [scalars, intervals] = [createProof(), createProof()]
  const all = [...files].filter(([path]) => /(?:^|\/)index\.html$|\.md$/.test(path))
  const byRoute = groupBy(all, ([path]) => path.replace(/(?:^|\/)(?:_parts\/.*|index\.html)$|^index\.md$|\.md$/, ''))
  for (const [page, list] of groupBy(expectations, (one) => one.page)) {
    const route = routeOf(page)
    const texts = (page === anyPage ? all : byRoute.get(route ?? '\0')) ?? []
    const html = readShownPage('HTML', texts)
    const formats = [html, readShownPage('Markdown', texts)]
    const written = toWritten(texts)
    for (const { rows, facts } of list) {
      places.count += facts.length
      for (const shown of formats)
        for (const fact of findMissing(facts, rows, shown, routeOf)) {
          const text = fact.shown[0]?.replace(/\s+/g, ' ').slice(0, 80)
          places.faults.push(`${shown.format}: ${fact.at}: ${text}`)
        }
      if (route === undefined) continue
      for (const { kind, shown, at } of facts) {
        if (kind !== 'value' && kind !== 'name') continue
        const values = shown.length === 1 ? listScalars(shown[0] ?? '') : []
        scalars.count += values.length
        const isWritten = (text: string) => written.includes(collapse(text))
        const missing = values.find((one) => !isWritten(one) && !isWritten(JSON.stringify(one).slice(1, -1)))
        if (missing !== undefined) scalars.faults.push(`${at}: ${collapse(missing).slice(0, 120)}`)
      }
      for (const { limited, at } of facts) {
        if (!limited || rows.length === 0) continue
        intervals.count++
        const wanted = toLimits(limited)
        const found = rows
          .flatMap((name) => html.rows.get(squashPlain(name)) ?? [])
          .flatMap(({ items }) => items.map(parseLimits))
        if (!found.some((limits) => isSame(limits, wanted, limited)))
          intervals.faults.push(`${at}: ${JSON.stringify(wanted)} is not shown, but ${JSON.stringify(found.slice(0, 4))}`)
      }
    }
  }
  return { places, scalars, intervals }
}

/** The facts that no row with one of the names has, together. */
function findMissing(
  facts: readonly Fact[],
  names: readonly string[],
  { format, all, rows, links, parts }: ShownPage,
  routeOf: (page: string) => string | undefined,
): readonly Fact[] {
  const isIn = ({ kind, shown }: Fact, text: string) =>
    kind === 'link'
      ? shown.some((name) => links.has(routeOf(`schema ${name}`) ?? '\0'))
      : shown.some((one) => text.includes(squashPlain(one)) || (kind === 'text' && text.includes(squashMarkdown(one))))
  // Lists in a description look like rows of Markdown.
  const wanted = facts.filter((one) => !(format === 'Markdown' && one.kind === 'text' && isIn(one, all)))
  const texts =
    names.length === 0 ? [all] : names.flatMap((name) => rows.get(squashPlain(name)) ?? []).map(({ text }) => text + parts)
  return texts.reduce<readonly Fact[]>((least, text) => {
    const missing = wanted.filter((one) => !isIn(one, text))
    return missing.length < least.length ? missing : least
  }, wanted)
}

/** The pages that parts of other pages load when readers open them, without anything to show there. */
export function listEmptyFolds(files: SiteFiles): string[] {
  const found = new Set<string>()
  for (const html of files.values())
    for (const [, href = ''] of html.matchAll(/<details class="nest lazy">.*?<a href="\/([^"]+)"/gs)) found.add(decodeURI(href))
  const isEmpty = (href: string) => !/<div class="rows">\s*<(?!\/)/.test(files.get(`${href}index.html`) ?? '')
  return [...found].filter(isEmpty).map((href) => `HTML: ${href}: has no rows to open`)
}

/** The limits of several schemas, as both versions of OpenAPI write them. */
function toLimits(schemas: readonly Json[]): Limit[] {
  const toLimit = (value: unknown, isOpen: boolean, isLower: boolean) =>
    typeof value === 'number' ? [{ value, isOpen, isLower }] : []
  return schemas.flatMap(({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) => [
    ...toLimit(minimum, exclusiveMinimum === true, true),
    ...toLimit(exclusiveMinimum, true, true),
    ...toLimit(maximum, exclusiveMaximum === true, false),
    ...toLimit(exclusiveMaximum, true, false),
  ])
}

/** Whether limits accept the same numbers near each of them. */
function isSame(one: readonly Limit[], other: readonly Limit[], schemas: readonly Json[]): boolean {
  const isWhole = schemas.some(({ type }) => type === 'integer')
  const near = [...one, ...other].flatMap(({ value }) => {
    const step = Math.abs(value) * 1e-6 + 1e-9
    return [value - 1, value - step, value, value + step, value + 1]
  })
  const numbers = [...near, -1e300, 1e300].filter((number) => !isWhole || Number.isInteger(number))
  return numbers.every((number) => accepts(one, number) === accepts(other, number))
}

/** The Markdown of a page and its parts, and the letters of their HTML. */
function toWritten(page: readonly (readonly [string, string])[]): string {
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
