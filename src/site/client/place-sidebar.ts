/** Where the sidebar was when the reader left a page: its scroll position, and the offset of the link that was clicked. */
interface SidebarPlace {
  readonly scrolled: number
  readonly clicked: number | undefined
}

const storageKey = 'sidebar'

/**
 * Keeps the sidebar in place between pages: a clicked entry stays where it was. Otherwise, scrolls the current entry into view. Loads the
 * pages of closed groups, which are links without scripts.
 */
export function placeSidebar(): void {
  const side = document.querySelector<HTMLElement>('.side')
  const list = side?.querySelector('nav')
  if (!side || !list) return
  openOnWideScreens(side)
  const current = side.querySelector('[aria-current=page]')
  const offsetOf = (element: Element) => element.getBoundingClientRect().top - list.getBoundingClientRect().top
  const place = readPlace()
  const showCurrent = () => {
    if (!current) return
    const top = offsetOf(current)
    if (top < 0 || top > list.clientHeight - 48) list.scrollTop += top - list.clientHeight / 3
  }
  // With the next frame, which calculates the layout anyway. Before it, this script would wait for the layout. Closed drawers of narrow
  // screens have no layout yet.
  if (current)
    requestAnimationFrame(() => {
      if (!list.checkVisibility()) return
      list.scrollTop = place?.scrolled ?? 0
      if (place?.clicked !== undefined) list.scrollTop += offsetOf(current) - place.clicked
      showCurrent()
    })
  let clicked: number | undefined
  side.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    clicked = link ? offsetOf(link) : undefined
    if (!link?.matches('section > a') || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void import('./load-group.ts').then(({ loadGroup }) => loadGroup(link))
  })
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ scrolled: list.scrollTop, clicked }))
    } catch {
      // Storage is blocked. The next page scrolls its entry into view.
    }
  })
  side.addEventListener('toggle', showCurrent)
}

/** For Firefox before 143, whose styles cannot show the content of a closed drawer. */
function openOnWideScreens(side: HTMLElement): void {
  if (CSS.supports('selector(::details-content)')) return
  const wide = matchMedia('(min-width: 1024px)')
  const show = () => side.toggleAttribute('open', wide.matches)
  show()
  wide.addEventListener('change', show)
}

function readPlace(): SidebarPlace | null | undefined {
  try {
    // Written by this script.
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
  } catch {
    return undefined
  }
}
