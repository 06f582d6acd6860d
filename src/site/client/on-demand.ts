import type { OpenPlayground } from '../playground/open-playground.tsx'

/** The URL fragment of an open playground, so that it can be linked to and closed by going back. */
const hash = '#try'

/** Loads and opens the playground on “Try it” and on URLs that end in `#try`. Closing it or going back removes the fragment. */
export function playOnDemand(): void {
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
    // It is being loaded already.
    if (button.ariaBusy) return
    button.ariaBusy = 'true'
    document.getElementById(faultId)?.remove()
    try {
      if (!playground) {
        const { slice = '', stylesheet = '' } = button.dataset
        // In parallel; the stylesheet has to be there before the dialog is shown.
        const [{ openPlayground }, description] = await Promise.all([
          import('../playground/open-playground.tsx'),
          fetchJson(slice),
          loadStylesheet(stylesheet),
        ])
        playground ??= await openPlayground(button, description, leave)
      }
      if (isWanted) playground.open()
    } catch {
      // Usually a network failure: the button can be pressed again.
      playground = undefined
      leave()
      tell(button)
    } finally {
      button.ariaBusy = null
    }
  }
  /** Goes back if the dialog was opened on this page; otherwise removes the fragment from the URL. */
  const leave = () => {
    if (location.hash !== hash) return
    if (history.state?.playground) {
      isLeaving = true
      history.back()
    } else {
      history.replaceState(null, '', location.pathname + location.search)
      void show()
    }
  }
  const press = () => {
    // Wait until the history is back at the page.
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

async function fetchJson(address: string): Promise<unknown> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
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

const faultId = 'try-fault'

function tell(button: HTMLElement): void {
  const fault = document.createElement('p')
  fault.id = faultId
  fault.className = 'hint'
  fault.role = 'alert'
  fault.textContent = 'The playground could not be loaded. Check your connection and try again.'
  button.closest('.endpoint')?.after(fault)
}

/** Loads and opens the search on `/`, Ctrl-K (⌘K) and a click on the search field. Without the script, the field links to the list of all pages. */
export function searchOnDemand(): void {
  /** Text that is typed while the search loads; absent at other times. */
  let typed: string | undefined
  const open = (fallback: string | null) => {
    typed ??= ''
    import('./search.ts')
      .then(({ openSearch }) => openSearch(typed ?? ''))
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
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (typed !== undefined && isLetter && !isTyping) {
      event.preventDefault()
      typed += event.key
      return
    }
    if (!isSlash && !isCommand) return
    event.preventDefault()
    open(null)
  })
}
