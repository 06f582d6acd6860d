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
