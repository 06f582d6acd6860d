import { toLooseId } from '../text/to-loose-id.ts'

/** What the address points to is shown: folds around it open, tabs around it are chosen. */
export function openTarget(): void {
  const show = () => {
    const target = location.hash.length > 1 ? findTarget(decode(location.hash.slice(1))) : null
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

/** The part that has the address, else one whose address differs in signs only: links that were written for another host. */
function findTarget(id: string): Element | null {
  const loose = toLooseId(id)
  const isNear = (part: Element) => loose !== '' && toLooseId(part.id) === loose
  return document.getElementById(id) ?? [...document.querySelectorAll('main [id]')].find(isNear) ?? null
}

/** Not by `text/decode-percent.ts`: the playground has that too, and what both have is a script more for each page to load. */
function decode(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
