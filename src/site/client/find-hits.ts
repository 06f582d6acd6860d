import MiniSearch, { type SearchResult } from 'minisearch'
import { keepTextWord, type PackedIndex, splitWords, toHeadingId, unpackIndex } from '../../source/packed-index.ts'

/** The search file `names.json`, written by `src/site/render/search/search-index.ts`. */
export interface NameShard {
  readonly parts: readonly (readonly string[])[]
  /** Route, first letter of the kind, title, method, path or short description, index in `parts`, names. */
  readonly pages: readonly (readonly [string, string, string, string, string, number, string])[]
  /** The number of text files. */
  readonly texts: number
  readonly index: PackedIndex
}

/** A search file `text-N.json`. */
export interface TextShard {
  /** Index of the page, anchor (0 if derived from the heading), heading, beginning of the text. */
  readonly sections: readonly (readonly [number, string | 0, string, string])[]
  readonly index: PackedIndex
}

/** A search result. */
export interface Hit {
  readonly kind: 'operation' | 'page' | 'schema'
  readonly route: string
  /** Of the section, without `#`; `''` for the page itself. */
  readonly anchor: string
  readonly title: string
  readonly method: string
  readonly detail: string
  /** The navigation labels of the page that differ from those of the current page. */
  readonly part: string
  /** The matching words of the text, for highlighting. */
  readonly terms: readonly string[]
  readonly rating: number
}

export interface SearchIndex {
  readonly addTexts: (shard: TextShard) => void
  /** The navigation labels of a page; absent if the index does not contain it. */
  readonly partOf: (route: string) => readonly string[] | undefined
  /** Returns at most `most` hits, best first. `here` has the navigation labels of the current page. */
  readonly find: (query: string, here: readonly string[], most: number) => readonly Hit[]
}

const kinds: Readonly<Record<string, Hit['kind']>> = { o: 'operation', w: 'operation', s: 'schema', p: 'page' }
const termOptions = { tokenize: splitWords, processTerm: (term: string) => term }

/** Opens a site's search index. Does not change the page. */
export function openIndex(shard: NameShard): SearchIndex {
  const names = MiniSearch.loadJS(unpackIndex(shard.index), { fields: ['title', 'path', 'method', 'names'], ...termOptions })
  const texts: { readonly index: MiniSearch; readonly sections: TextShard['sections'] }[] = []
  return {
    addTexts: ({ index, sections }) => {
      texts.push({
        index: MiniSearch.loadJS(unpackIndex(index), {
          fields: ['heading', 'text'],
          tokenize: splitWords,
          processTerm: keepTextWord,
        }),
        sections,
      })
    },
    partOf: (from) => shard.parts[shard.pages.find(([route]) => route === from)?.[5] ?? -1],
    find: (query, here, most) => {
      const nearness = shard.parts.map((part) => part.filter((label) => here.includes(label)).length)
      const best = Math.max(1, ...nearness)
      const whole = query.trim().toLowerCase()
      const found = new Map<number, { rating: number; terms: readonly string[]; anchor: string; detail: string }>()
      const rate = (page: number, score: number) => score * (1 + (nearness[shard.pages[page]?.[5] ?? 0] ?? 0) / best)
      for (const { id, score, terms, match } of search(names, query, { title: 4, path: 2, method: 1, names: 1 })) {
        const [, , title = '', , path = '', , list = ''] = shard.pages[Number(id)] ?? []
        const isExact = title.toLowerCase() === whole || path.toLowerCase() === whole
        const name = terms.every((term) => match[term]?.every((field) => field !== 'names')) ? undefined : findName(list, terms)
        const detail = name === undefined ? path : `${path}${path === '' ? '' : ' · '}${name}`
        found.set(Number(id), { rating: rate(Number(id), score * (isExact ? 4 : 1)), terms, anchor: '', detail })
      }
      for (const { index, sections } of texts) {
        for (const { id, score, terms } of search(index, query, { heading: 3, text: 1 })) {
          const [page = 0, written = '', heading = '', text = ''] = sections[Number(id)] ?? []
          const anchor = written === 0 ? toHeadingId(heading) : written
          const rating = rate(page, score)
          const known = found.get(page)
          // If the title matches, link to the page instead of the section.
          if (known && known.rating * 2 >= rating) known.rating += rating / 10
          else found.set(page, { rating, terms, anchor, detail: heading === '' ? text : heading })
        }
      }
      return [...found]
        .sort(([a, one], [b, other]) => other.rating - one.rating || a - b)
        .slice(0, most)
        .flatMap(([page, { terms, anchor, detail, rating }]) => {
          const entry = shard.pages[page]
          if (!entry) return []
          const [route, kind, title, method, , part] = entry
          const around = (shard.parts[part] ?? []).filter((label) => !here.includes(label)).join(' · ')
          return [{ kind: kinds[kind] ?? 'page', route, anchor, title, method, detail, part: around, terms, rating }]
        })
    },
  }
}

/** Searches several indexes. `from` is the route of the current page. */
export function findInAll(indexes: readonly SearchIndex[], query: string, from: string, most: number): readonly Hit[] {
  const here = indexes.map(({ partOf }) => partOf(from)).find((part) => part !== undefined) ?? []
  const hits = indexes.flatMap(({ find }) => find(query, here, most))
  if (indexes.length === 1) return hits
  // A page can be in several indexes.
  const byRoute = new Map(hits.toSorted((one, other) => one.rating - other.rating).map((hit) => [hit.route, hit]))
  return [...byRoute.values()].sort((one, other) => other.rating - one.rating).slice(0, most)
}

/** Finds entries that contain all words, else some of the words. The last word can be incomplete. */
function search(index: MiniSearch, query: string, boost: Record<string, number>): SearchResult[] {
  const options = {
    boost,
    prefix: true,
    fuzzy: (term: string) => (term.length > 3 && !/\d/.test(term) ? 0.2 : false),
    weights: { fuzzy: 0.2, prefix: 0.6 },
  }
  const all = index.search(query, { ...options, combineWith: 'AND' })
  return all.length > 0 ? all : index.search(query, options)
}

function findName(list: string, terms: readonly string[]): string | undefined {
  return list.split(' ').find((name) => splitWords(name).some((word) => terms.includes(word)))
}
