import type { OpenPlayground } from '../../playground/open-playground.tsx'
import { loadPageTexts, loadTranslation } from './page-messages.ts'
import type { IndexRequest } from './search.ts'

/** The URL fragment of an open playground. Readers can link to it, and close it with the back button. */
const hash = '#try'

/** Loads and opens the playground when the reader presses “Try it” or the URL ends in `#try`. Closing it removes the fragment. */
export function openPlaygroundOnDemand(): void {
  const button = document.querySelector<HTMLElement>('[data-open=playground]')
  if (!button) return
  let playground: OpenPlayground | undefined
  let isWanted = false
  /** Whether `history.back()` is still pending. */
  let isLeaving = false
  const show = async () => {
    isLeaving = false
    isWanted = location.hash === hash
    if (!isWanted) return playground?.close()
    // The playground is already loading.
    if (button.ariaBusy) return
    button.ariaBusy = 'true'
    document.getElementById(errorId)?.remove()
    try {
      if (!playground) {
        const { slice = '', stylesheet = '', messages } = button.dataset
        // The dialog needs the stylesheet before it is shown.
        const [{ openPlayground }, description, translation] = await Promise.all([
          import('../../playground/open-playground.tsx'),
          fetchJson(slice),
          // Without them, its texts are English.
          messages === undefined ? undefined : fetchJson(messages).catch(() => undefined),
          loadStylesheet(stylesheet),
        ])
        playground ??= await openPlayground(button, { slice: description, translation, onClose: leave })
      }
      if (isWanted) playground.open()
    } catch {
      // Usually a network failure. The reader can press the button again.
      playground = undefined
      leave()
      await showError(button)
    } finally {
      button.ariaBusy = null
    }
  }
  /** Goes back if the dialog was opened from this page. Otherwise, removes the fragment from the URL. */
  const leave = () => {
    if (location.hash !== hash) return
    if (history.state?.playground) {
      isLeaving = true
      // The fragment from before moves the focus.
      addEventListener('hashchange', () => button.focus(), { once: true })
      history.back()
    } else {
      history.replaceState(null, '', location.pathname + location.search)
      void show()
    }
  }
  const press = () => {
    // Wait for `history.back()`.
    if (isLeaving) addEventListener('popstate', press, { once: true })
    else {
      if (location.hash !== hash) history.pushState({ playground: true }, '', hash)
      void show()
    }
  }
  button.addEventListener('click', press)
  addEventListener('popstate', show)
  void show()
}

async function fetchJson(url: string): Promise<unknown> {
  return (await fetchFile(url)).json()
}

/** @throws {Error} if the response is not successful. */
export async function fetchFile(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(String(response.status))
  return response
}

function loadStylesheet(href: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = resolve
    link.onerror = reject
    document.head.append(link)
  })
}

const errorId = 'try-error'

async function showError(button: HTMLElement): Promise<void> {
  const message = document.createElement('p')
  message.id = errorId
  message.className = 'hint'
  message.role = 'alert'
  message.textContent = (await loadPageTexts()).playgroundFailed
  button.closest('.endpoint')?.after(message)
}

/** Requests indexes, by default those of the language and version of this page. Sites without several have one index. */
function requestIndexes(scopes?: string): readonly IndexRequest[] {
  const read = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content
  return (scopes ?? read('search') ?? '0').split(' ').map((scope) => {
    const folder = `${read('base') ?? '/'}_search/${scope === '0' ? '' : `${scope}/`}`
    // Its URL has no content hash, so the browser must revalidate it.
    const names = fetch(`${folder}names.json`, { cache: 'no-cache' })
    // The search reports a failure, if its script was loaded.
    names.catch(() => {})
    return { folder, names }
  })
}

/** Loads and opens the search on `/`, Ctrl+K (⌘K) or a click on the search field. Without scripts, the field links to the list of all pages. */
export function openSearchOnDemand(): void {
  /** Text that the reader enters while the search loads; absent at other times. */
  let typed: string | undefined
  /** Requested together with the script that reads them. */
  let first: readonly IndexRequest[] | undefined
  const open = (fallback: string | null) => {
    typed ??= ''
    first ??= requestIndexes()
    const requests = first
    Promise.all([import('./search.ts'), loadTranslation()])
      .then(([{ openSearch }, translation]) =>
        openSearch({ typed: typed ?? '', requests, requestAgain: requestIndexes, translation }),
      )
      .catch(() => {
        if (fallback !== null) location.assign(fallback)
      })
      .finally(() => {
        typed = undefined
      })
  }
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('[data-open=search]') : null
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    open(link.getAttribute('href'))
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
    const isLetter = event.key.length === 1 && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isSlash = isLetter && event.key === '/'
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (typed !== undefined && isLetter) {
      event.preventDefault()
      typed += event.key
      return
    }
    if (!isSlash && !isCommand) return
    event.preventDefault()
    open(null)
  })
}
