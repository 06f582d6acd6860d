// Updates a page of the local preview in place, without changing the scroll position. Runs before the page's other scripts, so that it sees the
// original HTML.

/** The parts of a page that are replaced separately, in order. */
const parts = ['.banner', '.top', '.side', '#main', '.foot', '.sprite', '.preview-panel'] as const

let shown = captureParts(document)
let version = document.querySelector<HTMLMetaElement>('meta[name=preview-version]')?.content
let isRefreshing = false
let needsRefresh = false

const events = new EventSource('/_preview/events')
events.onmessage = ({ data }) => {
  // After a reconnection, the version can be the same.
  if (data === version) return
  version = String(data)
  void refresh()
}

/** Fetches the page and applies its changes. Runs again if there was another change in the meantime. */
async function refresh(): Promise<void> {
  needsRefresh = isRefreshing
  if (isRefreshing) return
  isRefreshing = true
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (response.redirected) history.replaceState(null, '', response.url + location.hash)
    patch(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // The server is unreachable. The event stream reports when it is back.
  } finally {
    isRefreshing = false
    if (needsRefresh) void refresh()
  }
}

function captureParts(of: Document): Map<string, string> {
  return new Map(parts.map((part) => [part, of.querySelector(part)?.outerHTML ?? '']))
}

function patch(next: Document): void {
  // The security policy, the scripts and the layout of a page cannot be replaced in place.
  if (describeLayout(next) !== describeLayout(document)) {
    location.reload()
    return
  }
  const now = captureParts(next)
  patchStylesheets(next)
  document.title = next.title
  document.documentElement.lang = next.documentElement.lang
  const { scrollX, scrollY } = window
  let isReplaced = false
  for (const part of parts) {
    if (shown.get(part) === now.get(part)) continue
    isReplaced = true
    replace(part, next)
  }
  shown = now
  if (!isReplaced) return
  scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
  document.dispatchEvent(new Event('preview:patched'))
}

function describeLayout(of: Document): string {
  const policy = of.querySelector('meta[http-equiv=Content-Security-Policy]')?.getAttribute('content') ?? ''
  const scripts = [...of.querySelectorAll('script[src]')].map((script) => script.getAttribute('src'))
  return [policy, ...scripts, of.querySelector('.shell') !== null].join('\n')
}

/** Keeps the old stylesheets until the new ones are loaded, to avoid a flash of unstyled content. */
function patchStylesheets(next: Document): void {
  const links = (of: Document) => [...of.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  const before = links(document)
  const hrefs = new Set(before.map((link) => link.getAttribute('href')))
  const wanted = new Set(links(next).map((link) => link.getAttribute('href')))
  const stale = before.filter((link) => !wanted.has(link.getAttribute('href')))
  const removeStale = () => {
    for (const link of stale) link.remove()
  }
  const added = links(next).filter((link) => !hrefs.has(link.getAttribute('href')))
  if (added.length === 0) removeStale()
  for (const link of added) {
    const copy = document.importNode(link, true)
    copy.addEventListener('load', removeStale)
    document.head.append(copy)
  }
}

function replace(part: string, next: Document): void {
  const old = document.querySelector(part)
  const found = next.querySelector(part)
  if (!found) {
    old?.remove()
    return
  }
  const fresh = document.importNode(found, true)
  if (!old) {
    if (part === '.banner') document.body.prepend(fresh)
    else document.body.append(fresh)
    return
  }
  restoreState(old, fresh)
  const scrolled = old.scrollTop
  old.replaceWith(fresh)
  fresh.scrollTop = scrolled
}

/** Keeps the parts expanded and the tabs selected that still exist. */
function restoreState(old: Element, fresh: Element): void {
  const keyed = <Kind extends Element>(root: Element, selector: string, keyOf: (element: Kind) => string) => {
    const seen = new Map<string, number>()
    return new Map(
      [...root.querySelectorAll<Kind>(selector)].map((element) => {
        const key = keyOf(element)
        const count = (seen.get(key) ?? 0) + 1
        seen.set(key, count)
        return [`${key} ${count}`, element] as const
      }),
    )
  }
  const summaryOf = (details: HTMLDetailsElement) => details.id || (details.querySelector('summary')?.textContent ?? '').trim()
  const details = keyed(fresh, 'details', summaryOf)
  for (const [key, one] of keyed(old, 'details', summaryOf)) {
    const same = details.get(key)
    if (same) same.open = one.open
  }
  const choiceOf = (input: HTMLInputElement) => `${input.name} ${input.value}`
  const choices = keyed(fresh, 'input[type=radio]', choiceOf)
  for (const [key, one] of keyed(old, 'input[type=radio]', choiceOf)) {
    const same = choices.get(key)
    if (same && one.checked) same.checked = true
  }
}
