import { cutSnippet } from './mark-words.ts'
import { concernsItem, readQuery } from './match-words.ts'
import { joinIndexes, type OpenedIndex, openPackedIndex, type PackedIndex, toHeadingId } from './packed-index.ts'
import { createNameRating } from './rate-names.ts'
import { coverSubject, type Rating, rateDocuments, readSubject, type Subject } from './rate-pages.ts'
import { isQuestion, splitWords } from './search-words.ts'

/**
 * The search file `names.json`, written by `src/site/page/search/search-index.ts`. It has what browsers need for the first results. Columns
 * have a line for each page, because browsers parse a few long strings faster than many short ones.
 */
export interface NameShard {
  readonly parts: readonly (readonly string[])[]
  readonly routes: string
  /** A letter for each page: see `kinds` and `categories`. */
  readonly kinds: string
  readonly titles: string
  readonly methods: string
  /** Paths and short descriptions. */
  readonly details: string
  readonly operationIds: string
  /** For each page, its index in `parts`. */
  readonly partOf: readonly number[]
  /** Factors for the rating, by page; absent if no page has one. */
  readonly boosts?: Readonly<Record<number, number>>
  /** Whether there is a file `parameters.json`. */
  readonly hasParameters: boolean
  /** The number of text files. */
  readonly texts: number
  readonly index: PackedIndex
}

/** The search file `parameters.json`. */
export interface ParameterShard {
  /** For each page, a line with the names of its parameters and properties, separated by spaces. */
  readonly names: string
  readonly index: PackedIndex
}

/** A search file `text-N.json`. */
export interface TextShard {
  /** Index of the page, anchor (0 if derived from the heading), heading, text. */
  readonly sections: readonly (readonly [number, string | 0, string, string])[]
  readonly index: PackedIndex
}

/** A search result. */
export interface Hit {
  readonly kind: 'operation' | 'webhook' | 'page' | 'schema'
  readonly route: string
  /** Of the section, without `#`; `''` for the page itself. */
  readonly anchor: string
  readonly title: string
  readonly method: string
  readonly detail: string
  /** The part of a section's text with the most matching words; `''` for pages as a whole. */
  readonly snippet: string
  /** The navigation labels of the page that differ from those of the current page. */
  readonly part: string
  /** The matching words of the text, for highlighting. */
  readonly terms: readonly string[]
  readonly rating: number
  /** Whether all words of the query match. */
  readonly isWhole: boolean
}

/** What readers look for. `changelog` also has pages with `<Update>`. */
export type SearchCategory = 'guides' | 'reference' | 'schemas' | 'changelog'

/** Pages to search. Without a value, all. */
export interface SearchFilter {
  readonly category?: SearchCategory | undefined
  /** The first navigation labels of the pages. */
  readonly part?: readonly string[] | undefined
}

export interface SearchIndex {
  readonly addParameters: (shard: ParameterShard) => void
  readonly addTexts: (shard: TextShard) => void
  readonly categories: ReadonlySet<SearchCategory>
  /** The navigation labels of its pages, each list once. */
  readonly parts: readonly (readonly string[])[]
  /** The navigation labels of a page; absent if the index does not contain it. */
  readonly partOf: (route: string) => readonly string[] | undefined
  /** The first pages in the order of the navigation, at most `most`. */
  readonly listFirst: (most: number, filter?: SearchFilter) => readonly Pick<Hit, 'route' | 'title' | 'method'>[]
  /** Returns at most `most` hits, best first. `here` has the navigation labels of the current page. */
  readonly find: (query: string, here: readonly string[], most: number, filter?: SearchFilter) => readonly Hit[]
}

/** The kinds by their letter. Other letters are pages. */
const kinds: ReadonlyMap<string, Hit['kind']> = new Map([
  ['o', 'operation'],
  ['w', 'webhook'],
  ['s', 'schema'],
])
const readKind = (letter: string | undefined) => kinds.get(letter ?? '') ?? 'page'
/** The categories by the letters of their pages. `r` is another page of an API, such as its start page. */
const categories: ReadonlyMap<string, SearchCategory> = new Map([
  ['o', 'reference'],
  ['w', 'reference'],
  ['r', 'reference'],
  ['s', 'schemas'],
  ['c', 'changelog'],
])

/**
 * The value of a word in the fields of `names.json` (title, path with method and operationId, description) and of `parameters.json` (other
 * names, words of the page).
 */
const nameWeights = [10, 5, 2.5, 3, 1]
/** The fields of `names.json`. */
const firstFields = 3
/** The value of a word in the fields of a text file: heading, text. */
const textWeights = [8, 2]
/** Operations come first unless another page matches better. */
const kindFactors: Readonly<Record<Hit['kind'], number>> = { operation: 1, page: 1, schema: 0.6, webhook: 0.8 }

interface Found extends Rating {
  /** Those to mark. */
  readonly terms: ReadonlyMap<string, number>
  readonly section?: TextShard['sections'][number]
}

interface WholeQuery {
  /** Whether the query is a name such as `per_page`, which operations have and guides mention. */
  readonly isName: boolean
  readonly first: string | undefined
  /** See `concernsItem`. */
  readonly isItem: boolean | undefined
  readonly isQuestion: boolean
}

/** Questions look for pages rather than operations. */
const questionRating = 1.5
/** For a text with the whole query, such as an error message: more than for a title with some of its words. */
const quoteRating = 20
/** The least rating of a result, as a share of the third one. */
const leastShare = 0.3

/** How well pages as a whole match a query, beyond its words. `letters` has the kinds of the pages. */
function createWholeRating(
  letters: string,
  titles: readonly string[],
  methods: readonly string[],
  details: readonly string[],
): (page: number, query: WholeQuery, terms: ReadonlyMap<string, number>) => number {
  const subjects = new Map<number, { readonly title: Subject; readonly end: Subject; readonly depth: number }>()
  const subjectOf = (page: number) => {
    const known = subjects.get(page)
    if (known) return known
    const segments = letters[page] === 'o' ? (details[page] ?? '').split('/').filter((segment) => segment !== '') : []
    const end = segments.findLast((segment) => !segment.startsWith('{')) ?? ''
    const subject = { title: readSubject(titles[page] ?? ''), end: readSubject(end), depth: segments.length }
    subjects.set(page, subject)
    return subject
  }
  return (page, { first, isItem, isQuestion }, terms) => {
    const { title, end, depth } = subjectOf(page)
    const kind = readKind(letters[page])
    const cover = Math.max(coverSubject(title, terms), coverSubject(end, terms) * 0.9)
    const hasForm = kind === 'operation' && isItem !== undefined && details[page]?.endsWith('}') === isItem
    const bonus =
      (hasForm ? 0.5 : 0) +
      (isItem !== true && !isQuestion && methods[page] === 'GET' ? 0.1 : 0) +
      (title.head[0] === first ? 0.5 : 0) +
      (isQuestion && kind === 'page' ? questionRating : 0)
    return cover * 4 + bonus - depth / 10 - title.rest / 6
  }
}

/** Opens a site's search index. Does not change the page. */
export function openIndex(shard: NameShard): SearchIndex {
  const { parts, boosts } = shard
  const [routes = [], titles = [], methods = [], details = []] = [shard.routes, shard.titles, shard.methods, shard.details].map(
    (column) => column.split('\n'),
  )
  const count = shard.kinds.length
  const kindOf = (page: number) => readKind(shard.kinds[page])
  const categoryOf = (letter: string | undefined) => categories.get(letter ?? '') ?? 'guides'
  const partsOf = (page: number) => parts[shard.partOf[page] ?? -1]
  const createFilter = ({ category, part = [] }: SearchFilter) => {
    const isIn = parts.map((labels) => part.every((label, at) => labels[at] === label))
    return (page: number) =>
      (category === undefined || categoryOf(shard.kinds[page]) === category) &&
      (part.length === 0 || isIn[shard.partOf[page] ?? -1] === true)
  }
  let parameters: readonly string[] = []
  let names = openPackedIndex(shard.index)
  const texts: { readonly index: OpenedIndex; readonly sections: TextShard['sections'] }[] = []
  const rateWhole = createWholeRating(shard.kinds, titles, methods, details)
  const nameRatingOf = createNameRating({ ...shard, methods, details }, (page) => parameters[page] ?? '')
  return {
    addParameters: ({ index, names: lists }) => {
      parameters = lists.split('\n')
      names = joinIndexes(names, firstFields, openPackedIndex(index))
    },
    addTexts: ({ index, sections }) => {
      texts.push({ index: openPackedIndex(index), sections })
    },
    categories: new Set([...new Set(shard.kinds)].map(categoryOf)),
    parts,
    partOf: (from) => partsOf(routes.indexOf(from)),
    listFirst: (most, filter = {}) => {
      const pages = [...Array(count).keys()].filter(createFilter(filter)).slice(0, most)
      return pages.map((page) => ({ route: routes[page] ?? '', title: titles[page] ?? '', method: methods[page] ?? '' }))
    },
    find: (query, here, most, filter = {}) => {
      const words = readQuery(query)
      if (words.length === 0) return []
      const whole: WholeQuery = {
        isName: words.every(({ isPart }) => isPart),
        first: words.find(({ isOptional }) => !isOptional)?.word,
        isItem: concernsItem(words),
        isQuestion: isQuestion(query),
      }
      const phrase = query.trim().toLowerCase()
      const isSentence = phrase.split(' ').length > 3
      const nearness = parts.map((part) => part.filter((label) => here.includes(label)).length)
      const nearest = Math.max(1, ...nearness)
      const found = new Map<number, Found>()
      const rateName = nameRatingOf(query)
      const isWanted = createFilter(filter)
      const { ratings, terms, marks } = rateDocuments(words, names, count, nameWeights)
      for (const [page, one] of ratings) {
        if (!isWanted(page)) continue
        const kind = kindOf(page)
        const factor = words.some(({ word }) => word === kind) ? 1 : kindFactors[kind]
        const rating = (one.rating + rateWhole(page, whole, terms)) * one.share * factor
        const isNamed = kind === 'operation' || kind === 'webhook'
        found.set(page, { ...one, rating: rating + (isNamed ? rateName(page) : 0), terms: marks })
      }
      for (const { index, sections } of texts) {
        const { ratings, terms, marks } = rateDocuments(words, index, sections.length, textWeights)
        for (const [id, one] of ratings) {
          const section = sections[id]
          if (!section || !isWanted(section[0])) continue
          const cover = coverSubject(readSubject(section[2]), terms) * 3
          const factor = whole.isName ? 0.6 : 1
          const quoted = isSentence && section[3].toLowerCase().includes(phrase) ? quoteRating : 0
          const rating = (one.rating + cover + quoted + (whole.isQuestion ? questionRating : 0)) * one.share * factor
          const known = found.get(section[0])
          // If the title matches as well, link to the page instead of the section.
          if (known && known.rating >= rating) found.set(section[0], { ...known, rating: known.rating + rating / 50 })
          else found.set(section[0], { ...one, rating, terms: marks, section })
        }
      }
      const near = (page: number) => (nearness[shard.partOf[page] ?? 0] ?? 0) / nearest
      const rated = [...found]
        .map(([page, one]) => [page, one, one.rating * (1 + near(page) * 0.15)] as const)
        .sort(([a, , one], [b, , other]) => other - one || a - b)
      // Pages with few of the words are only useful if others do not have more. The first ones can be exact names.
      const least = (rated[2]?.[2] ?? 0) * leastShare
      const useful = rated
        .filter(([, { isWhole }, rating]) => isWhole || rating >= least)
        .map(([page, one, rating]) => [page, one, rating * (boosts?.[page] ?? 1)] as const)
      if (boosts) useful.sort(([a, , one], [b, , other]) => other - one || a - b)
      return putOffSchemas(useful, ([page]) => kindOf(page) === 'schema' && !words.some(({ word }) => word === 'schema'), most)
        .slice(0, most)
        .map(([page, one, rating]) => {
          const [route = '', title = '', method = '', detail = ''] = [routes[page], titles[page], methods[page], details[page]]
          const entry = { kind: kindOf(page), route, title, method, part: partsOf(page) ?? [] }
          return toHit({ ...entry, detail, names: parameters[page] ?? '' }, one, rating, here)
        })
    },
  }
}

/**
 * Moves schemas to the end if they are more than a third of the first `most` results. A document can have more schemas than operations, with the
 * same words.
 */
function putOffSchemas<Result>(results: readonly Result[], isSchema: (result: Result) => boolean, most: number): Result[] {
  let left = Math.ceil(most / 3)
  const isPutOff = new Set(results.filter((result) => isSchema(result) && left-- <= 0))
  return [...results.filter((result) => !isPutOff.has(result)), ...isPutOff]
}

interface IndexedPage extends Pick<Hit, 'kind' | 'route' | 'title' | 'method' | 'detail'> {
  readonly names: string
  readonly part: readonly string[]
}

function toHit(
  { kind, route, title, method, detail, names, part }: IndexedPage,
  { terms, field, section, isWhole }: Found,
  rating: number,
  here: readonly string[],
): Hit {
  const [, written = '', heading = '', text = ''] = section ?? []
  const name = field === firstFields ? findName(names, terms) : undefined
  const found = section ? heading : [detail, ...(name ?? [])].filter((one) => one !== '').join(' · ')
  const snippet = section ? cutSnippet(text, terms) : ''
  return {
    kind,
    route,
    anchor: written === 0 ? toHeadingId(heading) : written,
    title,
    method,
    detail: found,
    snippet,
    part: part.filter((label) => !here.includes(label)).join(' · '),
    terms: [...new Set(splitWords(`${title} ${found} ${snippet}`))].filter((word) => terms.has(word)),
    rating,
    isWhole,
  }
}

/** Whether all words of the query match the best hit. Otherwise, a file that is still loading could have better hits. */
export function hasFullMatch(hits: readonly Hit[]): boolean {
  return hits[0]?.isWhole === true
}

/** Searches several indexes. `from` is the route of the current page. */
export function findInAll(
  indexes: readonly SearchIndex[],
  query: string,
  from: string,
  most: number,
  filter?: SearchFilter,
): readonly Hit[] {
  const here = indexes.map(({ partOf }) => partOf(from)).find((part) => part !== undefined) ?? []
  const hits = indexes.flatMap(({ find }) => find(query, here, most, filter))
  if (indexes.length === 1) return hits
  // A page can be in several indexes.
  const byRoute = new Map(hits.toSorted((one, other) => one.rating - other.rating).map((hit) => [hit.route, hit]))
  return [...byRoute.values()].sort((one, other) => other.rating - one.rating).slice(0, most)
}

/**
 * The divisions that readers can search, in the order of the navigation: the first labels of pages. Omits divisions with all pages, and those
 * with the same pages as the division around them.
 */
export function listParts(indexes: readonly SearchIndex[]): readonly (readonly string[])[] {
  const all = indexes.flatMap(({ parts }) => parts)
  const countOf = (prefix: readonly string[]) => all.filter((part) => prefix.every((label, at) => part[at] === label)).length
  const found = new Map<string, readonly string[]>()
  for (const part of all) {
    for (let length = 1; length <= part.length; length++) {
      const prefix = part.slice(0, length)
      if (countOf(prefix) < countOf(prefix.slice(0, -1))) found.set(JSON.stringify(prefix), prefix)
    }
  }
  return [...found.values()]
}

/** The name of a list that matches best, the first of several: for `reply_to`, rather `reply_to` than `to`. */
function findName(list: string, terms: ReadonlyMap<string, number>): readonly string[] {
  const rate = (name: string) => splitWords(name).reduce((sum, word) => sum + (terms.get(word) ?? -0.01), 0)
  const best = list.split(' ').reduce((one, other) => (rate(other) > rate(one) ? other : one))
  return rate(best) > 0 ? [best] : []
}

/** The directory of the search index in a site, see `src/site/page/search/search-index.ts`. */
const searchFolder = '_search'

/** Text files that are read. Larger sites are found by names only. */
const maxTexts = 50

/**
 * Opens a search index of a site, as its search in the browser does. `undefined` if the site has none.
 *
 * @param scope The number of the index. Sites with several languages or versions have several.
 * @param readFile Reads a file of the site.
 */
export async function openSiteIndex(
  scope: number,
  readFile: (path: string) => Promise<string | undefined>,
): Promise<SearchIndex | undefined> {
  const folder = scope === 0 ? searchFolder : `${searchFolder}/${scope}`
  const names = await readFile(`${folder}/names.json`)
  if (names === undefined) return undefined
  const shard = JSON.parse(names) as NameShard // Written by the build.
  const index = openIndex(shard)
  const parameters = shard.hasParameters ? await readFile(`${folder}/parameters.json`) : undefined
  if (parameters !== undefined) index.addParameters(JSON.parse(parameters) as ParameterShard)
  for (let number = 0; number < Math.min(shard.texts, maxTexts); number++) {
    const text = await readFile(`${folder}/text-${number}.json`)
    if (text !== undefined) index.addTexts(JSON.parse(text) as TextShard)
  }
  return index
}

/** Reads the numbers of the indexes that the search of a page uses. */
export function readSearchScopes(html: string): readonly number[] {
  const written = /<meta name="search" content="([\d ]{1,1000})"/.exec(html)?.[1]
  return written === undefined ? [0] : written.split(' ').map(Number)
}
