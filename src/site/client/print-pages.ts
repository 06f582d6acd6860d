import { formatMessage } from '../messages/format-message.ts'
import type { ClientMessages } from '../messages/messages.ts'
import { print as texts } from '../messages/script-messages.ts'
import { fetchPage, prefixIds } from './adopt-part.ts'

/** The most pages that load at the same time. */
const atOnce = 4
/** With more elements, browsers need minutes to print, or fail: Chromium did with 354,041 elements. */
const maxElements = 150_000

/** On `print.html`: loads the pages of a section into this page when the reader presses its button, then opens the print dialog. */
export function openPrintPage(container: HTMLElement, translation: ClientMessages | undefined): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-print]') : null
    const section = button?.closest('section')
    if (section) void printSection(section, container, translation)
  })
  // `print.html#part-pets` prints a section.
  const section = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null
  if (!section?.matches('section')) return
  const head = section.querySelector('.print-head')
  const limit = head?.parentElement === section ? head.querySelector('[data-print-limit]') : null
  if (limit) {
    // The browser shows the section, whose groups can be printed.
    const status = document.querySelector('[data-print-status]')
    if (status) status.textContent = formatMessage((translation?.print ?? texts).tooMany, { limit: limit.textContent ?? '' }, '')
  } else void printSection(section, container, translation)
}

async function printSection(
  section: HTMLElement,
  container: HTMLElement,
  translation: ClientMessages | undefined,
): Promise<void> {
  const { progress, missing: failed, ready: done, large } = translation?.print ?? texts
  const language = translation?.language ?? 'en'
  const status = document.querySelector('[data-print-status]')
  const links = [...section.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(({ hash }) => hash === '')
  const urls = [...new Set(links.map(({ href }) => href))]
  const positions = new Map(urls.map((url, at) => [url, at]))
  const pages: (Element | undefined)[] = []
  let next = 0
  let count = 0
  const loadSome = async () => {
    for (let at = next++; at < urls.length; at = next++) {
      const url = urls[at] ?? ''
      pages[at] = await loadPage(positions, url, at).catch(() => undefined)
      count++
      if (status) status.textContent = formatMessage(progress, { count, total: urls.length }, language)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loadSome))
  const loaded = pages.filter((page) => page !== undefined)
  container.replaceChildren(...loaded)
  const missing = urls.length - loaded.length
  const isLarge = container.getElementsByTagName('*').length > maxElements
  const ready = formatMessage(done, { count: urls.length }, language)
  if (status) {
    status.textContent =
      missing > 0
        ? formatMessage(failed, { missing, total: urls.length }, language)
        : isLarge
          ? formatMessage(large, { ready }, language)
          : ready
  }
  if (missing === 0 && !isLarge) print()
}

/** The content of a page, with IDs that are unique among the loaded pages. */
async function loadPage(positions: ReadonlyMap<string, number>, pageUrl: string, at: number): Promise<Element | undefined> {
  const loaded = await fetchPage(pageUrl)
  const page = loaded.querySelector('main > .page')
  if (!page) return undefined
  for (const one of page.querySelectorAll('nav, button, script, template, .menu')) one.remove()
  const prefix = `p${at}-`
  prefixIds(page, prefix)
  for (const link of page.querySelectorAll('a[href]')) {
    const url = new URL(link.getAttribute('href') ?? '', pageUrl)
    const target = positions.get(url.origin + url.pathname)
    link.setAttribute(
      'href',
      target === undefined ? url.href : url.hash === '' ? `#p${target}` : `#p${target}-${url.hash.slice(1)}`,
    )
  }
  for (const fold of page.querySelectorAll('details')) {
    fold.open = true
    // Prints show the link to the page of a schema instead of loading it.
    fold.classList.remove('lazy')
  }
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
