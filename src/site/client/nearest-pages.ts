/** The most pages that are listed. */
const most = 5

/** On the 404 page: lists the pages whose path is most similar to the requested one. */
export async function showNearestPages(section: HTMLElement): Promise<void> {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  const answer = await fetch(section.dataset['nearest'] ?? '')
  if (!answer.ok) return
  // Written by the build.
  const pages = (await answer.json()) as readonly (readonly [string, string])[]
  const asked = toPieces(decodeURI(location.pathname.slice(base.length - 1)))
  const rated = pages
    .map(([route, title]) => ({ route, title, rating: rate(asked, toPieces(route)) }))
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

/** Pairs of adjacent letters. Most of them survive typing errors, moved words and other endings. */
function toPieces(address: string): Set<string> {
  const plain = address
    .toLowerCase()
    .replace(/\.(?:html?|mdx?)$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const pieces = new Set<string>()
  for (let index = 0; index < plain.length - 1; index++) pieces.add(plain.slice(index, index + 2))
  return pieces
}

/** Dice's coefficient: 1 for the same pieces, 0 for none in common. */
function rate(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const piece of left) if (right.has(piece)) shared++
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size)
}
