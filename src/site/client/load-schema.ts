import type { ClientMessages } from '../messages/messages.ts'
import { schema } from '../messages/script-messages.ts'
import { fetchPage, prefixIds } from './adopt-part.ts'

type LoadTranslation = () => Promise<ClientMessages | undefined>

/** The pages of schemas that were loaded, by URL. */
const pages = new Map<string, Promise<Document>>()

/** Shows the rows of a schema in place of the link to its page. If that fails, the link stays, with a message. */
export async function loadSchema(fold: HTMLDetailsElement, loadTranslation: LoadTranslation): Promise<void> {
  const place = fold.querySelector<HTMLElement>(':scope > p')
  const link = place?.querySelector('a')
  // Opening the element of a link loads it a second time.
  if (!place || !link || place.ariaBusy) return
  const origin = findOrigin(fold, link.pathname)
  if (origin !== undefined) {
    const { recursive } = (await loadTranslation())?.schema ?? schema
    place.replaceChildren(
      `${recursive} `,
      Object.assign(document.createElement('a'), { href: `#${origin}`, textContent: link.textContent }),
    )
    fold.classList.remove('lazy')
    return
  }
  place.ariaBusy = 'true'
  place.querySelector('[role=alert]')?.remove()
  try {
    const page = await loadPage(link.href)
    const rows = takeRows(fold, page)
    if (rows.length === 0) throw new Error('The page has no rows')
    place.replaceWith(...rows)
    fold.classList.replace('lazy', 'loaded')
  } catch {
    pages.delete(link.href)
    const { failed } = (await loadTranslation())?.schema ?? schema
    const message = Object.assign(document.createElement('span'), { textContent: `${failed} ` })
    message.role = 'alert'
    place.prepend(message)
  } finally {
    place.ariaBusy = null
  }
}

/** The most schemas inside each other that a link opens. */
const maxSteps = 20

/** Loads the schemas around the element with an ID, such as that of a property of a property. */
export async function loadTarget(id: string, loadTranslation: LoadTranslation): Promise<Element | undefined> {
  for (let step = 0; step < maxSteps; step++) {
    const found = document.getElementById(id)
    if (found) return found
    const folds = [...document.querySelectorAll<HTMLDetailsElement>('.lazy')].map((fold) => ({
      fold,
      owner: fold.closest('[id]')?.id ?? '',
    }))
    const [nearest] = folds.filter(({ owner }) => id.startsWith(`${owner}-`)).sort((a, b) => b.owner.length - a.owner.length)
    if (!nearest) return undefined
    await loadSchema(nearest.fold, loadTranslation)
    // It could not be loaded.
    if (nearest.fold.classList.contains('lazy')) return undefined
  }
  return undefined
}

function loadPage(url: string): Promise<Document> {
  const known = pages.get(url) ?? fetchPage(url)
  pages.set(url, known)
  return known
}

/** The rows of a schema page as part of this page, with IDs that start with that of the row around them. */
function takeRows(fold: HTMLDetailsElement, page: Document): Element[] {
  const rows = [...page.querySelectorAll('.rows')].map((one) => document.importNode(one, true))
  const owner = fold.closest('[id]')?.id ?? ''
  const side = fold.closest<HTMLElement>('[data-side]')?.dataset['side']
  const prefix = findPrefix(owner, rows)
  for (const part of rows) {
    if (side === 'request') for (const one of part.querySelectorAll('.ro')) one.remove()
    if (side === 'response') for (const one of part.querySelectorAll('.wo')) one.remove()
    for (const anchor of part.querySelectorAll('a[href^="#"]')) {
      const id = decodeURIComponent(anchor.getAttribute('href')?.slice(1) ?? '')
      // Links to the start of the schema lead to the row that shows it.
      const isStart = page.getElementById(id)?.matches('h2') === true
      anchor.setAttribute('href', `#${isStart ? owner : prefix + id}`)
    }
    prefixIds(part, prefix)
    // The level has one stop of the Tab key for each row. Arrow keys lead to the links in it.
    for (const row of part.querySelectorAll('.props > li')) {
      const stops = listStops(row)
      const first = stops.find(({ localName }) => localName === 'summary') ?? stops[0]
      for (const stop of stops) if (stop !== first) stop.tabIndex = -1
    }
  }
  return rows.filter((part) => part.childElementCount > 0)
}

/** What readers can open in a row, without the rows in it. */
function listStops(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, summary')].filter((one) => one.closest('.props > li') === row)
}

document.addEventListener('keydown', ({ key, target }) => {
  const row = /^Arrow(?:Left|Right)$/.test(key) && target instanceof HTMLElement && target.closest('.loaded .props > li')
  if (!row) return
  const stops = listStops(row)
  stops[stops.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)]?.focus()
})

/** A prefix with which all IDs of the rows are new. Several options of a choice are in the same row. */
function findPrefix(owner: string, rows: readonly Element[]): string {
  const ids = rows.flatMap((part) => [...part.querySelectorAll('[id]')].map(({ id }) => id))
  let prefix = `${owner}-`
  for (let count = 2; ids.some((id) => document.getElementById(prefix + id)); count++) prefix = `${owner}-${count}-`
  return prefix
}

/** The ID of the element around a fold that already shows the schema of a page. */
function findOrigin(fold: HTMLElement, path: string): string | undefined {
  const own = fold.closest('li')
  for (let at = own?.parentElement?.closest('li, .fold, .part'); at; at = at.parentElement?.closest('li, .fold, .part')) {
    const types = [
      ...at.querySelectorAll<HTMLAnchorElement>(':scope > .p-head > i a, :scope > .p-desc a, :scope > div > .p-desc a'),
    ]
    if (types.some(({ pathname }) => pathname === path)) return at.id || at.querySelector('[id]')?.id
  }
  return location.pathname === path ? document.querySelector('.part > h2')?.id : undefined
}
