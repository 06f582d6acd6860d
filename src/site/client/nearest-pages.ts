import { encodeFilePath } from '../../text/plain/paths.ts'

/** The most pages to list. */
const most = 3

/** On the 404 page, names the requested path and lists the pages with the most similar paths. */
export async function showNearestPages(section: HTMLElement): Promise<void> {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  const path = decode(location.pathname)
  const named = document.querySelector('.requested code')
  if (named) named.textContent = path
  const pages = await readPages(section.dataset['nearest'] ?? '')
  const requested = toLetterPairs(path.slice(base.length - 1))
  const items = pages
    .map(([route, title]) => ({ route, title, rating: toSimilarity(requested, toLetterPairs(route)) }))
    .filter(({ rating }) => rating > 0.3)
    .sort((a, b) => b.rating - a.rating)
    .slice(0, most)
    .map(({ route, title }) => {
      const link = document.createElement('a')
      link.href = base + encodeFilePath(route) + (route === '' ? '' : '/')
      link.textContent = title
      const place = document.createElement('small')
      place.textContent = base + route
      const item = document.createElement('li')
      item.append(link, place)
      return item
    })
  section.querySelector('ul')?.append(...items)
}

/** Reads the routes and titles of all pages. Returns none if the list cannot be loaded. */
async function readPages(url: string): Promise<readonly (readonly [string, string])[]> {
  try {
    const response = await fetch(url)
    // Written by the build.
    return response.ok ? await response.json() : []
  } catch {
    return []
  }
}

/** The path as readers write it. An invalid one stays encoded. */
function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Pairs of adjacent letters. Most pairs stay the same after a typo or a moved word. */
function toLetterPairs(path: string): Set<string> {
  const plain = path
    .toLowerCase()
    .replace(/\.(?:html?|mdx?)$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const pieces = new Set<string>()
  for (let index = 0; index < plain.length - 1; index++) pieces.add(plain.slice(index, index + 2))
  return pieces
}

/** Dice's coefficient: 1 for equal sets, 0 for disjoint sets. */
function toSimilarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const piece of left) if (right.has(piece)) shared++
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size)
}
