import { fetchFile, openPlaygroundOnDemand, openSearchOnDemand } from './on-demand.ts'
import { loadPageTexts, loadTranslation } from './page-messages.ts'
import { placeSidebar } from './place-sidebar.ts'

// The interactive features of a page. They are independent of each other, and pages show all of their content without scripts.
placeSidebar()
keepChoices()
handleClicks()
openSearchOnDemand()
openTarget()
openPlaygroundOnDemand()
followContents()
colorLongSamples()
loadSchemas()

for (const first of ['pointerover', 'focusin'])
  addEventListener(first, () => void import('./on-interaction.ts').catch(() => {}), { once: true })

const nearest = document.querySelector<HTMLElement>('[data-nearest]')
if (nearest) void import('./nearest-pages.ts').then(({ showNearestPages }) => showNearestPages(nearest)).catch(() => {})

const printed = document.querySelector<HTMLElement>('[data-printed]')
if (printed)
  void import('./print-pages.ts')
    .then(async ({ openPrintPage }) => openPrintPage(printed, await loadTranslation()))
    .catch(() => {})

/** Handles clicks on the buttons that copy, expand a section, close the banner or switch the theme, and clicks outside of an open menu. */
function handleClicks(): void {
  const { dataset } = document.documentElement
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
      if (!menu.contains(target)) menu.open = false
    }
    const copying = target.closest<HTMLElement>('[data-copy], [data-copy-from]')
    if (copying) void copy(copying)
    const expanding = target.closest<HTMLElement>('[data-expand]')
    if (expanding) void expandAll(expanding)
    const closing = target.closest<HTMLElement>('[data-close-banner]')
    if (closing) {
      dataset['bannerClosed'] = ''
      store('banner', closing.dataset['closeBanner'] ?? '')
    }
    const language = target.closest<HTMLElement>('[data-language]')?.dataset['language']
    // biome-ignore lint/suspicious/noDocumentCookie: the server of the site reads it before it answers, and the Cookie Store API needs https
    if (language !== undefined) document.cookie = `site-language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
    if (target.closest('[data-theme-toggle]')) {
      dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark'
      store('theme', dataset['theme'])
    }
  })
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage is blocked. The choice lasts until the reader leaves the page.
  }
}

/** Copies a given string, the code next to the button, or the page as Markdown. The button shows the result for two seconds, and screen readers say it. */
async function copy(button: HTMLElement): Promise<void> {
  const label = button.ariaLabel
  try {
    await navigator.clipboard.writeText(await findText(button))
    button.ariaLabel = (await loadPageTexts()).copied
    button.dataset['done'] = ''
  } catch {
    // The browser denied access to the clipboard, or the Markdown could not be loaded.
    button.ariaLabel = (await loadPageTexts()).copyFailed
  }
  say(button.ariaLabel, button.closest('dialog') ?? document.body)
  setTimeout(() => {
    delete button.dataset['done']
    button.ariaLabel = label
  }, 2000)
}

/** Screen readers say what changes in a region that was there before. Of an open dialog, they read nothing outside. */
function say(text: string, around: Element): void {
  const made = { className: 'vh said', role: 'status' }
  const region = around.querySelector(':scope > .said') ?? around.appendChild(Object.assign(document.createElement('p'), made))
  region.textContent = ''
  setTimeout(() => (region.textContent = text), 100)
}

async function findText(button: HTMLElement): Promise<string> {
  const { copy: text, copyFrom } = button.dataset
  if (copyFrom) return (await fetchFile(copyFrom)).text()
  if (text) return text
  const blocks = [...(button.closest('.code, .tabs')?.querySelectorAll('pre') ?? [])]
  return blocks.find((block) => block.offsetParent !== null)?.textContent ?? ''
}

/** Expands all collapsible parts of the button's section, or collapses them if all are expanded. */
async function expandAll(button: HTMLElement): Promise<void> {
  const folds = [...(button.closest('.part')?.querySelectorAll<HTMLDetailsElement>('details.nest') ?? [])]
  const open = folds.some((fold) => !fold.open)
  for (const fold of folds) fold.open = open
  const { collapseAll, expandAll: expand } = await loadPageTexts()
  button.textContent = open ? collapseAll : expand
}

function getSchemas() {
  return import('./load-schema.ts')
}

/** Loads the content of schemas with their own page when readers open them. */
function loadSchemas(): void {
  // `toggle` does not bubble.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open && target.classList.contains('lazy'))
        void getSchemas().then(({ loadSchema }) => loadSchema(target, loadTranslation))
    },
    true,
  )
}

/** Highlights the current section in the table of contents. */
function followContents(): void {
  const parts = [...document.querySelectorAll<HTMLAnchorElement>('.toc a[href^="#"]')].flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return target ? [{ link, target }] : []
  })
  if (parts.length === 0) return
  let isWaiting = false
  const mark = () => {
    isWaiting = false
    const line = innerHeight * 0.3
    const isEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    // Sections in closed tabs and accordions are not on the page.
    const shown = parts.filter(({ target }) => target.checkVisibility())
    const passed = shown.filter(({ target }) => target.getBoundingClientRect().top <= line)
    const current = (isEnd ? shown.at(-1) : (passed.at(-1) ?? shown[0]))?.target
    for (const { link, target } of parts) link.ariaCurrent = target === current ? 'true' : null
  }
  const later = () => {
    if (!isWaiting) requestAnimationFrame(mark)
    isWaiting = true
  }
  addEventListener('scroll', later)
  addEventListener('resize', later)
  // WebKit can run this before the page has styles, so that nothing is visible yet.
  addEventListener('load', later)
  mark()
}

/** Remembers choices such as the sample language, and applies them to every group with the same `data-sync` on every page. */
function keepChoices(): void {
  const choose = (sync: string, value: string | null) => {
    const inputs = document.querySelectorAll<HTMLInputElement>(`[data-sync="${CSS.escape(sync)}"] input[type=radio]`)
    for (const input of inputs) if (input.value === value) showTab(input)
  }
  const syncs = new Set([...document.querySelectorAll<HTMLElement>('[data-sync]')].map(({ dataset }) => dataset['sync'] ?? ''))
  for (const sync of syncs) choose(sync, read(sync))
  document.addEventListener('change', ({ target, isTrusted }) => {
    if (!(target instanceof Element)) return
    // Samples follow the selected body, media type and server.
    if (target.closest('[data-bodies], [data-servers], .part .seg'))
      void import('./follow-choices.ts').then(({ followChoice }) => followChoice(target, isTrusted))
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
    const sync = target.closest<HTMLElement>('[data-sync]')?.dataset['sync']
    if (sync === undefined) return
    choose(sync, target.value)
    store(`choice:${sync}`, target.value)
  })
}

/** Selects a tab and scrolls it into view. */
function showTab(input: HTMLInputElement): void {
  input.checked = true
  const label = input.closest('label')
  const tabs = label?.closest('fieldset')
  if (label && tabs) tabs.scrollLeft = label.offsetLeft - 40
}

/** Colors the rest of long JSON samples when readers scroll to it. */
function colorLongSamples(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) void import('./color-json.ts').then(({ colorJson }) => colorJson(target)).catch(() => {})
      }
    },
    { rootMargin: '100%' },
  )
  for (const rest of document.querySelectorAll('[data-rest]')) observer.observe(rest)
}

function read(sync: string): string | null {
  try {
    return localStorage.getItem(`choice:${sync}`)
  } catch {
    return null
  }
}

/** Reveals the target of the URL fragment: expands the parts and selects the tabs that contain it, and marks it. */
function openTarget(): void {
  const reveal = (target: Element) => {
    for (let at: Element | null = target; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true
      const tabs = at.parentElement
      if (!tabs?.classList.contains('tabs') || at.localName !== 'div') continue
      const panels = [...tabs.querySelectorAll(':scope > div')]
      const input = tabs.querySelectorAll<HTMLInputElement>(':scope > fieldset > label > input')[panels.indexOf(at)]
      if (!input) continue
      input.checked = true
      // Its script shows only one of many panels.
      if (tabs.classList.contains('many')) input.dispatchEvent(new Event('change', { bubbles: true }))
    }
    document.querySelector('.here')?.classList.remove('here')
    // Rows also have elements with the IDs of other hosts.
    ;(target.closest('.props > li') ?? target).classList.add('here')
    target.scrollIntoView()
  }
  const show = async () => {
    if (location.hash.length < 2) return
    // Mintlify keeps the `#` of a heading such as `#include` in its ID.
    const id = decode(location.hash.slice(1).replace(/^%23/, ''))
    const isLazy = document.querySelector('.lazy') !== null
    const target =
      document.getElementById(id) ??
      (isLazy ? await (await getSchemas()).loadTarget(id, loadTranslation) : undefined) ??
      (await import('./find-foreign-target.ts')).findForeignTarget(id)
    if (target) reveal(target)
  }
  const showTarget = () => void show().catch(() => {})
  addEventListener('hashchange', showTarget)
  showTarget()
}

/** A copy of `decodePercent` in `text/plain/urls.ts`: sharing it with the playground would add another script to every page. */
function decode(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
