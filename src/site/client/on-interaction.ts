import { markMatch } from './match-samples.ts'

// What a page needs after the reader has pointed at something or moved the focus.
document.addEventListener('pointerover', (event) => {
  markMatch(event)
  showCutLabel()
})
// The first event, which has loaded this script.
showCutLabel()
for (const field of document.querySelectorAll<HTMLInputElement>(
  '[data-filter]:is(:checked, [type=search]:not(:placeholder-shown))',
))
  filterList(field)
document.addEventListener('focusin', markMatch)
document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset['filter'] !== undefined) filterList(target)
})
document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey }) => {
  if (key === 'Escape') closeMenus()
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey) return
  if (target.localName === 'input') {
    // The first alternative that is left.
    const list = target.closest('.many > fieldset')
    if (key === 'Enter') list?.querySelector<HTMLInputElement>(':scope > label:not([hidden]) > [type=radio]')?.click()
  } else if (key === '+' || key === '-') openLevels(target.closest('.part'), key === '+')
})

/** Shows all of a label in the navigation that is cut after two lines. In every page, each of them would stand twice. */
function showCutLabel(): void {
  const label = document.querySelector<HTMLElement>('.cut-2:hover')
  if (label) label.title = label.textContent
}

/** Closes open menus and the navigation drawer. */
function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open], .drawer[open]')) {
    const summary = menu.querySelector('summary')
    // On wide screens, the navigation stays open.
    if (!summary?.checkVisibility()) continue
    menu.open = false
    summary.focus()
  }
}

/** Opens all levels of a section, or closes them. */
function openLevels(part: Element | null, isOpen: boolean): void {
  const folds = [...(part?.querySelectorAll<HTMLDetailsElement>('details.nest') ?? [])]
  const isDone = folds.every(({ open }) => open) === isOpen
  // The button of the section says what it does next.
  if (!isDone) part?.querySelector<HTMLElement>('[data-expand]')?.click()
  if (!isOpen) for (const fold of folds) fold.open = false
}

/** Hides the alternatives or the rows that do not contain all words of a filter, or are not required if only those are wanted. */
function filterList(field: HTMLInputElement): void {
  const box = field.parentElement?.closest('.many > fieldset, .row-filter')
  const words = box?.querySelector<HTMLInputElement>('[type=search]')?.value.toLowerCase().split(/\s+/) ?? []
  const isRequired = box?.querySelector<HTMLInputElement>('[type=checkbox]')?.checked
  const output = box?.querySelector('output')
  const isRows = box?.classList.contains('row-filter')
  const items = [...((isRows ? box?.nextElementSibling?.children : box?.querySelectorAll(':scope > label')) ?? [])]
  for (const item of items) {
    const text = item.textContent.toLowerCase()
    const isFound = words.every((word) => text.includes(word)) && (!isRequired || item.querySelector(':scope > .p-head > em'))
    item.toggleAttribute('hidden', !isFound)
  }
  if (output) output.textContent = `${items.filter((item) => !item.hasAttribute('hidden')).length} / ${items.length}`
}
