import { groupBy } from '../../src/text/plain/lists.ts'
import { anyPage, type Expectation, type Fact } from './list-facts.ts'
import { readShownPage, type ShownPage, type SiteFormat, squashMarkdown, squashPlain } from './read-shown-page.ts'

/** The HTML and Markdown files of a site, by path. */
export type SiteTexts = ReadonlyMap<string, string>

/** A fact that a format of the site does not show where it belongs. */
interface LostFact extends Fact {
  readonly format: SiteFormat
}

const formats = [
  { format: 'HTML', end: '/index.html' },
  { format: 'Markdown', end: '.md' },
] as const

/** Looks for each fact on the page where it belongs, in HTML and in Markdown. The parts of schemas with their own pages belong to the page that contains them. */
export function findLostFacts(
  expectations: readonly Expectation[],
  site: SiteTexts,
  routeOf: (page: string) => string | undefined,
): readonly LostFact[] {
  const partsOf = groupBy(
    [...site.keys()].filter((path) => path.includes('_parts/')),
    (path) => path.slice(0, path.indexOf('_parts/')),
  )
  const toShown = (page: string, format: SiteFormat, end: string): ShownPage => {
    const route = routeOf(page)
    const texts = (paths: readonly string[]) => paths.filter((path) => path.endsWith(end)).map((path) => site.get(path) ?? '')
    if (page === anyPage) return readShownPage(format, texts([...site.keys()]), [])
    if (route === undefined) return readShownPage(format, [], [])
    const name = format === 'HTML' ? `${route}/index.html` : `${route || 'index'}.md`
    return readShownPage(
      format,
      [site.get(route === '' && format === 'HTML' ? 'index.html' : name) ?? ''],
      texts(partsOf.get(route === '' ? '' : `${route}/`) ?? []),
    )
  }
  return [...groupBy(expectations, ({ page }) => page)].flatMap(([page, list]) =>
    formats.flatMap(({ format, end }) => {
      const shown = toShown(page, format, end)
      return list.flatMap(({ rows, facts }) => findMissing(facts, rows, shown, routeOf).map((one) => ({ ...one, format })))
    }),
  )
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
    names.length === 0 ? [all] : names.flatMap((name) => rows.get(squashPlain(name)) ?? []).map((text) => text + parts)
  return texts.reduce<readonly Fact[]>((least, text) => {
    const missing = wanted.filter((one) => !isIn(one, text))
    return missing.length < least.length ? missing : least
  }, wanted)
}
