const focusable = 'a[href],button:not(:disabled),input:not(:disabled),select,textarea,summary,[tabindex="0"]'

/**
 * Gives the focus a place when the element that has it is taken away (an item that is removed, a button that did its one thing): in what came in its stead, else to what
 * follows in the same group, else to what stands before it, else further out. Returns what ends it.
 */
export function keepFocus(dialog: HTMLElement): () => void {
  let last: Element | undefined
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = target
  }
  const observer = new MutationObserver((records) => {
    if (!last || last.isConnected || !(document.activeElement === document.body || document.activeElement === dialog)) return
    const gone = last.getRootNode()
    const record = records.findLast(({ removedNodes }) => [...removedNodes].includes(gone))
    const place = record && findPlace(record, records, dialog)
    place?.focus()
  })
  dialog.addEventListener('focusin', onFocus)
  observer.observe(dialog, { childList: true, subtree: true })
  return () => {
    dialog.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}

function findPlace(
  { target, nextSibling: next }: MutationRecord,
  records: readonly MutationRecord[],
  dialog: HTMLElement,
): HTMLElement | undefined {
  const added = records.flatMap((record) => (record.target === target ? [...record.addedNodes] : []))
  for (let at: Node | null = target; at instanceof Element && dialog.contains(at); at = at.parentElement) {
    const found = [...at.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility())
    const place =
      found.find((one) => added.some((node) => node.contains(one))) ??
      found.find((one) => next?.isConnected && (next.compareDocumentPosition(one) & follows || next === one)) ??
      found.at(-1)
    if (place) return place
  }
  return undefined
}

/** Of what stands inside it, too. */
const follows = Node.DOCUMENT_POSITION_FOLLOWING
