import { readLanguageTag } from '../../docs/config/project-config.ts'
import { getOrMake, onceFor } from '../../text/plain/lists.ts'
import { findLanguage, listRoutes } from './divisions.ts'
import type { DivisionNode, SitePage, SiteSettings } from './types.ts'

/** The BCP 47 language of a page: that of its language division, else that of the site. */
export function findPageLanguage({ trail }: Pick<SitePage, 'trail'>, settings: Pick<SiteSettings, 'language'>): string {
  return toLanguageTag(findLanguage(trail)?.label ?? '') ?? settings.language
}

/** The tag and the name of each label. Every page needs those of all languages, and `Intl` is slow. */
const languages = new Map<string, { readonly tag: string | undefined; readonly name: string }>()
/** Labels come from `docs.json`. */
const maxLanguages = 1_000

function readLanguage(label: string): { readonly tag: string | undefined; readonly name: string } {
  const before = languages.get(label)
  if (before) return before
  const tag = readLanguageTag(label)
  const language = { tag, name: readName(label, tag) }
  if (languages.size >= maxLanguages) languages.clear()
  languages.set(label, language)
  return language
}

/** The BCP 47 tag of a label; `undefined` if it is not a language. */
export function toLanguageTag(label: string): string | undefined {
  return readLanguage(label).tag
}

/** The name of a language in that language: `Español` for `es`. */
export function languageName(label: string): string {
  return readLanguage(label).name
}

function readName(label: string, tag: string | undefined): string {
  const name = tag === undefined ? undefined : new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag)
  return name === undefined ? label : name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export function isRightToLeft(language: string): boolean {
  return /^(?:ar|dv|fa|he|ks|ku|ps|sd|ug|ur|yi)(?:-|$)/i.test(language)
}

/**
 * The route of the same page in another language, version or product. Compares paths below the directory of each division (`guides/start` and
 * `es/guides/start`), then operations. `undefined` if there is no match.
 */
export function findCounterpart(
  page: SitePage,
  current: DivisionNode,
  other: DivisionNode,
  pageByRoute: ReadonlyMap<string, SitePage>,
): string | undefined {
  const place = placesOf(current).placeOf.get(page.route)
  const atPlace = place === undefined ? undefined : placesOf(other).routeAt.get(place)
  if (atPlace !== undefined) return atPlace
  const subject = toSubjectKey(page)
  if (subject === undefined) return undefined
  return getOrMake(routesBySubject, other, () => listRoutesBySubject(other, pageByRoute)).get(subject)
}

/** Computed once per division, because each of its pages needs it. */
const routesBySubject = new WeakMap<DivisionNode, ReadonlyMap<string, string>>()

/** The first route of each operation, webhook and schema in a division. */
function listRoutesBySubject(division: DivisionNode, pageByRoute: ReadonlyMap<string, SitePage>): Map<string, string> {
  const routes = new Map<string, string>()
  for (const route of placesOf(division).placeOf.keys()) {
    const page = pageByRoute.get(route)
    const subject = page && toSubjectKey(page)
    if (subject !== undefined) getOrMake(routes, subject, () => route)
  }
  return routes
}

/** Computed once per division, because each of its pages needs it. */
const placesOf = onceFor((node: DivisionNode) => {
  const routes = [...new Set(listRoutes(node))]
  const folder = commonFolder(routes)
  const placeOf = new Map(
    routes.map((route) => [route, route === folder ? '' : folder === '' ? route : route.slice(folder.length + 1)]),
  )
  return { placeOf, routeAt: new Map([...placeOf].map(([route, place]) => [place, route])) }
})

/** The deepest directory that contains all routes. A directory also contains its own start page. */
function commonFolder([first, ...others]: readonly string[]): string {
  let steps = (first ?? '').split('/')
  if (others.length === 0) steps = steps.slice(0, -1)
  for (const route of others) {
    const own = route.split('/')
    let shared = 0
    while (shared < steps.length && steps[shared] === own[shared]) shared++
    steps = steps.slice(0, shared)
  }
  return steps.join('/')
}

function toSubjectKey({ subject }: SitePage): string | undefined {
  if (subject.kind === 'operation') return subject.target
  return subject.kind === 'webhook' || subject.kind === 'schema' ? `${subject.kind} ${subject.name}` : undefined
}
