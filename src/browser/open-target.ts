/** What the address points to is shown: folds around it open, tabs around it are chosen. */
export function openTarget(): void {
  const show = () => {
    const target = location.hash.length > 1 ? document.getElementById(decode(location.hash.slice(1))) : null
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

function decode(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
