import type { OpenPlayground } from '../playground/open-playground.tsx'

/** The end of an address at which the playground is open, so that it can be linked to and left by going back. */
const hash = '#try'

/** “Try it”, and an address that ends in `#try`, open the playground, which is loaded then; going back or closing it removes the end of the address. */
export function playOnDemand(): void {
  const button = document.querySelector<HTMLElement>('[data-open=playground]')
  if (!button) return
  let playground: OpenPlayground | undefined
  let isWanted = false
  /** Going back in the history takes a moment. */
  let isLeaving = false
  const show = async () => {
    isLeaving = false
    isWanted = location.hash === hash
    if (!isWanted) return playground?.close()
    // Asked for twice, it comes once.
    if (button.ariaBusy) return
    button.ariaBusy = 'true'
    document.getElementById(faultId)?.remove()
    try {
      if (!playground) {
        const { slice = '', stylesheet = '' } = button.dataset
        // All at once, and the looks before the dialog shows.
        const [{ openPlayground }, description] = await Promise.all([
          import('../playground/open-playground.tsx'),
          fetchJson(slice),
          loadStylesheet(stylesheet),
        ])
        playground ??= await openPlayground(button, description, leave)
      }
      if (isWanted) playground.open()
    } catch {
      // What failed is most often the network: the button can be pressed again.
      playground = undefined
      leave()
      tell(button)
    } finally {
      button.ariaBusy = null
    }
  }
  /** Where the dialog was opened on this page, back; where the address led to it, the page itself. */
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
    // From where the way back ends.
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

/** `/`, Ctrl-K (⌘K) and the search field open the search, whose script is loaded then. Without it the field leads to the list of all pages. */
export function searchOnDemand(): void {
  /** What is typed before the search is there; absent while nobody waits for it. */
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
