/** The code of the samples on the page for each body, by label. The first one is what the page shows at the start. */
let bodies: readonly ReadonlyMap<string, string>[] | undefined
let bodyIndex = 0
/** The selected server and the one of the samples as rendered. */
let server: { readonly from: string; readonly to: string } | undefined

/**
 * Changes the samples after the reader has selected a body, a media type or a server, and shows the chosen one of many alternatives.
 *
 * @param isOfReader `false` if the URL leads into an alternative.
 */
export function followChoice(target: Element, isOfReader: boolean): void {
  const alternatives = target.closest('.seg')
  if (alternatives && target instanceof HTMLInputElement) showAlternative(alternatives, target, isOfReader)
  const menu = document.querySelector<HTMLSelectElement>('select[data-bodies]')
  // Media types of responses.
  if (target.closest('.fold')) return
  if (target instanceof HTMLSelectElement && target.dataset['servers'] !== undefined) followServer(target)
  else if (menu) {
    if (target !== menu) {
      // A media type in the text.
      const wanted = target.closest('label')?.textContent?.trim()
      const options = [...menu.options]
      if (options[bodyIndex]?.dataset['media'] === wanted) return
      const found = options.findIndex(({ dataset }) => dataset['media'] === wanted)
      if (found === -1) return
      menu.selectedIndex = found
    }
    bodyIndex = menu.selectedIndex
    followExample(menu.options[bodyIndex]?.dataset['example'])
  }
  bodies ??= readBodies(menu)
  for (const [code, label] of listCode()) {
    const html = bodies[bodyIndex]?.get(label)
    // Rendered by the build.
    if (html !== undefined) code.innerHTML = html
    if (server) replaceServer(code, server.from, server.to)
  }
}

/** The panels that the stylesheet shows one by one. It shows all further ones together. */
const maxPanels = 24

/** Shows only the panel of the selected alternative, closes the list of many, and puts a variant of a schema in the URL. */
function showAlternative(tabs: Element, input: HTMLInputElement, isOfReader: boolean): void {
  const list = tabs.querySelector('fieldset')
  const panels = [...tabs.querySelectorAll<HTMLElement>(':scope > div')]
  const chosen = panels[[...(list?.querySelectorAll('input[type=radio]') ?? [])].indexOf(input)]
  if (!list || !chosen) return
  for (const panel of panels.slice(maxPanels)) panel.hidden = panel !== chosen
  if (!isOfReader) return
  // With the keyboard, a reader can look at one after the other.
  if (list.popover && list.matches(':popover-open') && !input.matches(':focus-visible')) {
    list.hidePopover()
    chosen.querySelector('button')?.focus()
  }
  if (chosen.id !== '') history.replaceState(history.state, '', `#${chosen.id}`)
}

/** Selects the response example with the name of a request example. */
function followExample(name: string | undefined): void {
  const inputs = document.querySelectorAll<HTMLInputElement>('#samples input[name=response]')
  const input = [...inputs].find(({ dataset }) => name !== undefined && dataset['example'] === name)
  if (!input || input.checked) return
  input.checked = true
  // The playground shows it too.
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** The code elements of the generated samples, with their labels. */
function listCode(): (readonly [HTMLElement, string])[] {
  const panels = [...document.querySelectorAll<HTMLElement>('#samples [data-sync=lang] > div')]
  const inputs = document.querySelectorAll<HTMLInputElement>('#samples [data-sync=lang] > fieldset input')
  return panels.flatMap((panel, at) => {
    const code = panel.querySelector('code')
    return code && panel.dataset['written'] === undefined ? [[code, inputs[at]?.value ?? ''] as const] : []
  })
}

function readBodies(menu: HTMLSelectElement | null): readonly ReadonlyMap<string, string>[] {
  const first = new Map(listCode().map(([code, label]) => [label, code.innerHTML]))
  const others = [...(menu?.closest('header')?.querySelectorAll('template') ?? [])].map(
    ({ content }) =>
      new Map([...content.querySelectorAll<HTMLElement>('code')].map((code) => [code.dataset['label'] ?? '', code.innerHTML])),
  )
  return [first, ...others]
}

function followServer({ options, selectedIndex }: HTMLSelectElement): void {
  const toUrl = (option: HTMLOptionElement | undefined) =>
    (option?.dataset['url'] ?? option?.value ?? '').replace(/(?<!\/)\/+$/, '')
  server = { from: toUrl(options[0]), to: toUrl(options[selectedIndex]) }
  const copying = document.querySelector<HTMLElement>('.copy-url')
  const path = copying?.dataset['path'] ?? ''
  if (copying) copying.dataset['copy'] = server.to + path
}

function replaceServer(code: HTMLElement, from: string, to: string): void {
  if (from === '' || from === to) return
  for (const mark of code.querySelectorAll('wbr')) mark.remove()
  code.normalize()
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) text.nodeValue = text.nodeValue?.replace(from, to) ?? ''
}
