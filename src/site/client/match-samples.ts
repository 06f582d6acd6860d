// The row of a property and its line in a sample are marked together. Both have the same path: the names that lead to them.

/** A key of JSON or of a literal like it, or a field of a form. */
const keyPattern = /^(\s*)(?:"([^"\\]*)"\s*(?::|=>)|-[-\w]+ '?([^\s=']+)=)/

/** Marks what belongs to the place that the reader points at or moves the focus to. */
export function markMatch(event: Event): void {
  CSS.highlights?.delete('line')
  document.querySelector('.lit')?.classList.remove('lit')
  if (!(event.target instanceof Element)) return
  const row = event.target.closest('.props > li')
  const code = event.target.closest('#samples pre')?.querySelector('code')
  if (row) markLine(row)
  else if (code && event instanceof PointerEvent) markRow(code, event)
}

function markLine(row: Element): void {
  const code = findCode(row.closest('[data-side]'))
  const index = code ? listPaths(code).indexOf(pathOf(row)) : -1
  if (!code || index === -1 || !('highlights' in CSS)) return
  const lines = code.textContent.split('\n')
  const line = lines[index] ?? ''
  const end = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, line.length)
  const range = new Range()
  range.setStart(...findText(code, end - line.trimStart().length))
  range.setEnd(...findText(code, end))
  CSS.highlights.set('line', new Highlight(range))
  const box = code.closest('.tabs > div')
  const { top = 0, height = 0 } = box?.getBoundingClientRect() ?? {}
  const offset = range.getBoundingClientRect().top - top
  if (box && (offset < 0 || offset > height - 24)) box.scrollTop += offset - height / 2
}

function markRow(code: Element, { clientX, clientY }: PointerEvent): void {
  const at = document.caretPositionFromPoint?.(clientX, clientY)
  if (!at || !code.contains(at.offsetNode)) return
  const before = new Range()
  before.setStart(code, 0)
  before.setEnd(at.offsetNode, at.offset)
  const owner = [...document.querySelectorAll('[data-side]')].find((one) => findCode(one) === code)
  const rows = [...(owner?.querySelectorAll('.props > li') ?? [])].filter((row) => row.checkVisibility())
  const path = `${listPaths(code)[before.toString().split('\n').length - 1]}\n`
  // The levels in the innermost one are closed.
  rows.findLast((row) => path.startsWith(`${pathOf(row)}\n`))?.classList.add('lit')
}

/** The visible sample of a body or a response. */
function findCode(owner: Element | null): Element | undefined {
  if (!owner) return undefined
  const status = owner.querySelector(':scope > summary > .st')?.textContent
  const input = document.querySelector<HTMLInputElement>(`#samples input[name=${status ? 'response' : 'sample'}]:checked`)
  if (!input || (status && input.value.split(' ')[0] !== status)) return undefined
  const panels = [...(input.closest('.tabs')?.children ?? [])]
  return panels.find((panel) => panel.localName === 'div' && panel.checkVisibility())?.querySelector('code') ?? undefined
}

/** The path of each line of a sample; empty for lines without a key. */
function listPaths(code: Element): readonly string[] {
  const around: { readonly indent: number; readonly path: string }[] = []
  return code.textContent.split('\n').map((line) => {
    const [, { length: indent } = '', key, field] = keyPattern.exec(line) ?? []
    const name = key ?? field?.replaceAll(']', '').replaceAll('[', '\n')
    if (name === undefined) return ''
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop()
    const path = `${around.at(-1)?.path ?? ''}\n${name}`
    around.push({ indent, path })
    return path
  })
}

function pathOf(row: Element): string {
  const around = row.parentElement?.closest('.props > li')
  const isInside = around?.closest('[data-side]') === row.closest('[data-side]')
  return `${around && isInside ? pathOf(around) : ''}\n${row.querySelector(':scope > .p-head > a')?.textContent}`
}

/** The text node and the offset in it for an offset in the text of an element. */
function findText(code: Element, offset: number): [Node, number] {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  let left = offset
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { length } = text.nodeValue ?? ''
    if (left <= length) return [text, left]
    left -= length
  }
  return [code, 0]
}
