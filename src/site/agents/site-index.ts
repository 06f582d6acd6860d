import { type NameShard, openIndex, type ParameterShard, type SearchIndex, type TextShard } from '../search/find-hits.ts'

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
