/** The most pages that load at the same time. */
const atOnce = 4

/** On `print.html`: loads the pages of a section into this page when the reader presses its button, then opens the print dialog. */
export function openPrintPage(container: HTMLElement): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-print]') : null
    const section = button?.closest('section')
    if (section) void printSection(section, container)
  })
  // `print.html#part-pets` prints a section.
  const section = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
  if (section?.matches('section')) void printSection(section, container)
}

async function printSection(section: HTMLElement, container: HTMLElement): Promise<void> {
  const status = document.querySelector('[data-print-status]')
  const links = [...section.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(({ hash }) => hash === '')
  const urls = [...new Set(links.map(({ href }) => href))]
  const pages: (Element | undefined)[] = []
  let next = 0
  let count = 0
  const loadSome = async () => {
    for (let at = next++; at < urls.length; at = next++) {
      pages[at] = await loadPage(urls, at).catch(() => undefined)
      count++
      if (status) status.textContent = `Loaded ${count} of ${urls.length} pages`
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loadSome))
  const loaded = pages.filter((page) => page !== undefined)
  container.replaceChildren(...loaded)
  const missing = urls.length - loaded.length
  if (status) {
    status.textContent =
      missing === 0
        ? `${urls.length} ${urls.length === 1 ? 'page is' : 'pages are'} ready to print`
        : `${missing} of ${urls.length} pages could not be loaded. Reload this page to try again.`
  }
  if (missing === 0) print()
}

/** The content of a page, with IDs that are unique among the loaded pages. */
async function loadPage(urls: readonly string[], at: number): Promise<Element | undefined> {
  const response = await fetch(urls[at] ?? '')
  if (!response.ok) throw new Error(String(response.status))
  const loaded = new DOMParser().parseFromString(await response.text(), 'text/html')
  const page = loaded.querySelector('main > .page')
  if (!page) return undefined
  for (const one of page.querySelectorAll('nav, button, script, template, .menu')) one.remove()
  const prefix = `p${at}-`
  for (const one of page.querySelectorAll('[id]')) one.id = prefix + one.id
  for (const name of ['name', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
    for (const one of page.querySelectorAll(`[${name}]:not(meta)`)) one.setAttribute(name, prefix + one.getAttribute(name))
  }
  for (const link of page.querySelectorAll('a[href]')) {
    const url = new URL(link.getAttribute('href') ?? '', urls[at])
    const target = urls.indexOf(url.origin + url.pathname)
    link.setAttribute('href', target === -1 ? url.href : url.hash === '' ? `#p${target}` : `#p${target}-${url.hash.slice(1)}`)
  }
  for (const fold of page.querySelectorAll('details')) fold.open = true
  page.id = `p${at}`
  addMissing(loaded, 'symbol[id]', 'id', document.querySelector('symbol')?.parentElement ?? document.body)
  addMissing(loaded, 'link[rel=stylesheet]', 'href', document.head)
  return document.importNode(page, true)
}

/** Adds icons and stylesheets that only the loaded page has. */
function addMissing(loaded: Document, selector: string, key: string, parent: Element): void {
  const values = new Set([...document.querySelectorAll(selector)].map((one) => one.getAttribute(key)))
  for (const one of loaded.querySelectorAll(selector)) {
    if (!values.has(one.getAttribute(key))) parent.append(document.importNode(one, true))
  }
}
