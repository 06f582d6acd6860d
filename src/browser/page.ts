import { toLooseId } from '../text/to-loose-id.ts'
import { playOnDemand, searchOnDemand } from './on-demand.ts'

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

/** Buttons that copy: a text, the code beside them, or the Markdown of the page. The button says for two seconds that it did. */
function copyOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy], [data-copy-from]') : null
    if (button) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const label = button.getAttribute('aria-label')
  try {
    await navigator.clipboard.writeText(await findText(button))
    button.setAttribute('aria-label', 'Copied')
    button.dataset['done'] = ''
  } catch {
    // The browser does not let the page write there, or the page could not be read.
    button.setAttribute('aria-label', 'Could not copy')
  }
  setTimeout(() => {
    delete button.dataset['done']
    if (label === null) button.removeAttribute('aria-label')
    else button.setAttribute('aria-label', label)
  }, 2000)
}

async function findText(button: HTMLElement): Promise<string> {
  const { copy: text, copyFrom } = button.dataset
  if (copyFrom !== undefined) {
    const answer = await fetch(copyFrom)
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.text()
  }
  if (text !== undefined && text !== '') return text
  const blocks = [...(button.closest('.code, .tabs')?.querySelectorAll('pre') ?? [])]
  return blocks.find((block) => block.offsetParent !== null)?.textContent ?? ''
}

/** Beside the heading of a part with several folds, a button that opens all of them, and closes them again. */
function expandAll(): void {
  for (const part of document.querySelectorAll('main .part')) {
    const heading = part.querySelector(':scope > h2')
    const folds = [...part.querySelectorAll<HTMLDetailsElement>('details.nest')]
    if (!heading || folds.length < 2) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'expand'
    const tell = () => {
      button.textContent = folds.some(({ open }) => !open) ? 'Expand all' : 'Collapse all'
    }
    tell()
    button.addEventListener('click', () => {
      const open = folds.some((fold) => !fold.open)
      for (const fold of folds) fold.open = open
      tell()
    })
    heading.append(button)
  }
}

/** Marks in the contents of the page what is being read. */
function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')]
  const targets = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [])
  if (targets.length === 0) return
  let isWaiting = false
  const mark = () => {
    isWaiting = false
    const line = innerHeight * 0.3
    const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = targets.filter((target) => target.getBoundingClientRect().top <= line)
    const current = isEnd ? targets.at(-1) : (passed.at(-1) ?? targets[0])
    for (const link of links) {
      if (current && decodeURIComponent(link.hash.slice(1)) === current.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  const later = () => {
    if (!isWaiting) requestAnimationFrame(mark)
    isWaiting = true
  }
  addEventListener('scroll', later, { passive: true })
  addEventListener('resize', later, { passive: true })
  mark()
}

/** A choice made once (language of the samples, operating system) is made everywhere: groups with the same `data-sync` follow, on every page. */
function keepChoices(): void {
  const choose = (sync: string, value: string) => {
    for (const group of document.querySelectorAll<HTMLElement>('[data-sync]')) {
      if (group.dataset['sync'] !== sync) continue
      for (const input of group.querySelectorAll<HTMLInputElement>('input[type=radio]'))
        if (input.value === value) input.checked = true
    }
  }
  const syncs = new Set([...document.querySelectorAll<HTMLElement>('[data-sync]')].map(({ dataset }) => dataset['sync'] ?? ''))
  for (const sync of syncs) {
    const kept = read(sync)
    if (kept !== null) choose(sync, kept)
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
    const sync = target.closest<HTMLElement>('[data-sync]')?.dataset['sync']
    if (sync === undefined) return
    choose(sync, target.value)
    try {
      localStorage.setItem(`choice:${sync}`, target.value)
    } catch {
      // Private mode: it lasts as long as the page.
    }
  })
}

function read(sync: string): string | null {
  try {
    return localStorage.getItem(`choice:${sync}`)
  } catch {
    return null
  }
}

/** What the address points to is shown: folds around it open, tabs around it are chosen. */
function openTarget(): void {
  const show = () => {
    const target = location.hash.length > 1 ? findTarget(decode(location.hash.slice(1))) : null
    if (!target) return
    for (let at: Element | null = target; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
      const tabs = at.parentElement
      if (!tabs?.classList.contains('tabs') || at.localName !== 'div') continue
      const panels = [...tabs.children].filter(({ localName }) => localName === 'div')
      const input = tabs.querySelectorAll<HTMLInputElement>(':scope > fieldset input')[panels.indexOf(at)]
      if (input) input.checked = true
    }
    target.scrollIntoView()
  }
  addEventListener('hashchange', show)
  show()
}

/** The part that has the address, else one whose address differs in signs only: links that were written for another host. */
function findTarget(id: string): Element | null {
  const loose = toLooseId(id)
  const isNear = (part: Element) => loose !== '' && toLooseId(part.id) === loose
  return document.getElementById(id) ?? [...document.querySelectorAll('main [id]')].find(isNear) ?? null
}

/** Not by `text/decode-percent.ts`: the playground has that too, and what both have is a script more for each page to load. */
function decode(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
