import type { OpenPlayground } from '../playground/open-playground.tsx'

/** The end of an address at which the playground is open, so that it can be linked to and left by going back. */
const hash = '#try'

/** “Try it”, and an address that ends in `#try`, open the playground, which is loaded then; going back or closing it removes the end of the address. */
export function playOnDemand(): void {
  const button = document.querySelector<HTMLElement>('[data-open=playground]')
  if (!button) return
  let playground: OpenPlayground | undefined
  let isWanted = false
  const show = async () => {
    isWanted = location.hash === hash
    if (!isWanted) return playground?.close()
    button.setAttribute('aria-busy', 'true')
    document.getElementById(faultId)?.remove()
    try {
      const { openPlayground } = await import('../playground/open-playground.tsx')
      playground ??= await openPlayground(button, leave)
      if (isWanted) playground.open()
    } catch {
      // What failed is most often the network: the button can be pressed again.
      playground = undefined
      leave()
      tell(button)
    } finally {
      button.removeAttribute('aria-busy')
    }
  }
  /** Where the dialog was opened on this page, back; where the address led to it, the page itself. */
  const leave = () => {
    if (location.hash !== hash) return
    if (isOpenedHere(history.state)) history.back()
    else {
      history.replaceState(null, '', location.pathname + location.search)
      void show()
    }
  }
  button.addEventListener('click', () => {
    if (location.hash !== hash) history.pushState({ playground: true }, '', hash)
    void show()
  })
  addEventListener('popstate', () => void show())
  void show()
}

const faultId = 'try-fault'

function tell(button: HTMLElement): void {
  const fault = document.createElement('p')
  fault.id = faultId
  fault.className = 'hint'
  fault.setAttribute('role', 'alert')
  fault.textContent = 'The playground could not be loaded. Check your connection and try again.'
  button.closest('.endpoint')?.after(fault)
}

function isOpenedHere(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'playground' in state
}
