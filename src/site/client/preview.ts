// Only in a preview: applies changes without moving the reader. Runs before the other scripts of the page, so that it compares with what the server
// sent.

/** The parts of a page that are replaced separately, in this order. */
const parts = ['.banner', '.top', '.side', '#main', '.foot', '.sprite', '.preview-panel'] as const

let shown = take(document)
let version = document.querySelector<HTMLMetaElement>('meta[name=preview-version]')?.content
let isTaking = false
let isLate = false

const events = new EventSource('/_preview/events')
events.onmessage = ({ data }) => {
  // After a reconnection the server may have nothing new.
  if (data === version) return
  version = String(data)
  void refresh()
}

/** Fetches the page again and patches it. A change in the meantime is applied afterwards. */
async function refresh(): Promise<void> {
  isLate = isTaking
  if (isTaking) return
  isTaking = true
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (answer.redirected) history.replaceState(null, '', answer.url + location.hash)
    patch(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  } catch {
    // The server is unreachable; the event stream reports when it is back.
  } finally {
    isTaking = false
    if (isLate) void refresh()
  }
}

/** The parts of a document as HTML. */
function take(of: Document): Map<string, string> {
  return new Map(parts.map((part) => [part, of.querySelector(part)?.outerHTML ?? '']))
}

function patch(next: Document): void {
  // The policy and the scripts of a page cannot be replaced, and without a common layout there is nothing to patch.
  if (frameOf(next) !== frameOf(document)) {
    location.reload()
    return
  }
  const now = take(next)
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

function frameOf(of: Document): string {
  const policy = of.querySelector('meta[http-equiv=Content-Security-Policy]')?.getAttribute('content') ?? ''
  const scripts = [...of.querySelectorAll('script[src]')].map((script) => script.getAttribute('src'))
  return [policy, ...scripts, of.querySelector('.shell') !== null].join('\n')
}

/** The old stylesheet stays until the new one is loaded, to avoid a flash. */
function patchStylesheets(next: Document): void {
  const links = (of: Document) => [...of.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  const before = links(document)
  const addresses = new Set(before.map((link) => link.getAttribute('href')))
  const wanted = new Set(links(next).map((link) => link.getAttribute('href')))
  const stale = before.filter((link) => !wanted.has(link.getAttribute('href')))
  const removeStale = () => {
    for (const link of stale) link.remove()
  }
  const added = links(next).filter((link) => !addresses.has(link.getAttribute('href')))
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
  keepOpen(old, fresh)
  const scrolled = old.scrollTop
  old.replaceWith(fresh)
  fresh.scrollTop = scrolled
}

/** Keeps what the reader has expanded, collapsed or selected, as far as it still exists. */
function keepOpen(old: Element, fresh: Element): void {
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
