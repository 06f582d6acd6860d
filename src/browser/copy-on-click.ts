/** Buttons that copy: a text, the code beside them, or the Markdown of the page. The button says for two seconds that it did. */
export function copyOnClick(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy], [data-copy-from]') : null
    if (button) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const label = button.getAttribute('aria-label')
  try {
    await navigator.clipboard.writeText(await findText(button))
    button.setAttribute('aria-label', 'Copied')
    button.dataset['done'] = ''
  } catch {
    // The browser does not let the page write there, or the page could not be read.
    button.setAttribute('aria-label', 'Could not copy')
  }
  setTimeout(() => {
    delete button.dataset['done']
    if (label === null) button.removeAttribute('aria-label')
    else button.setAttribute('aria-label', label)
  }, 2000)
}

async function findText(button: HTMLElement): Promise<string> {
  const { copy: text, copyFrom } = button.dataset
  if (copyFrom !== undefined) {
    const answer = await fetch(copyFrom)
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.text()
  }
  if (text !== undefined && text !== '') return text
  const blocks = [...(button.closest('.code, .tabs')?.querySelectorAll('pre') ?? [])]
  return blocks.find((block) => block.offsetParent !== null)?.textContent ?? ''
}
