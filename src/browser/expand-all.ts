/** Beside the heading of a part with several folds, a button that opens all of them, and closes them again. */
export function expandAll(): void {
  for (const part of document.querySelectorAll('main .part')) {
    const heading = part.querySelector(':scope > h2')
    const folds = [...part.querySelectorAll<HTMLDetailsElement>('details.nest')]
    if (!heading || folds.length < 2) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'expand'
    const tell = () => {
      button.textContent = folds.some(({ open }) => !open) ? 'Expand all' : 'Collapse all'
    }
    tell()
    button.addEventListener('click', () => {
      const open = folds.some((fold) => !fold.open)
      for (const fold of folds) fold.open = open
      tell()
    })
    heading.append(button)
  }
}
