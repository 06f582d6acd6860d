import { copyOnClick } from './copy-on-click.ts'
import { expandAll } from './expand-all.ts'
import { followContents } from './follow-contents.ts'
import { keepChoices } from './keep-choices.ts'
import { openTarget } from './open-target.ts'
import { playOnDemand } from './play-on-demand.ts'
import { searchOnDemand } from './search-on-demand.ts'

// What a page does besides being read. Each part works on its own; a page without script has all the words.
keepChoices()
copyOnClick()
searchOnDemand()
openTarget()
playOnDemand()
followContents()
expandAll()

const nearest = document.querySelector<HTMLElement>('[data-nearest]')
if (nearest) void import('./nearest-pages.ts').then(({ showNearestPages }) => showNearestPages(nearest)).catch(() => {})

const root = document.documentElement

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
    if (target && !menu.contains(target)) menu.open = false
  }
  const closing = target?.closest<HTMLElement>('[data-close-banner]')
  if (closing) {
    root.dataset['bannerClosed'] = ''
    keep('banner', closing.dataset['closeBanner'] ?? '')
  }
  if (target?.closest('[data-theme-toggle]')) {
    const theme = root.dataset['theme'] === 'dark' ? 'light' : 'dark'
    root.dataset['theme'] = theme
    keep('theme', theme)
  }
})

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Private mode: it lasts as long as the page.
  }
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open], .drawer[open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})
