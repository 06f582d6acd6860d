/** The most pages to list. */
const most = 5

/** On the 404 page, lists the pages with the most similar paths. */
export async function showNearestPages(section: HTMLElement): Promise<void> {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  const response = await fetch(section.dataset['nearest'] ?? '')
  if (!response.ok) return
  // Written by the build.
  const pages = (await response.json()) as readonly (readonly [string, string])[]
  const requested = toLetterPairs(decodeURI(location.pathname.slice(base.length - 1)))
  const rated = pages
    .map(([route, title]) => ({ route, title, rating: toSimilarity(requested, toLetterPairs(route)) }))
    .filter(({ rating }) => rating > 0.3)
    .sort((a, b) => b.rating - a.rating)
    .slice(0, most)
  const list = section.querySelector('ul')
  if (rated.length === 0 || !list) return
  for (const { route, title } of rated) {
    const link = document.createElement('a')
    link.href = base + route.split('/').map(encodeURIComponent).join('/') + (route === '' ? '' : '/')
    link.textContent = title
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  section.hidden = false
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
