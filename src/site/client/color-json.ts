import { jsonToken, toJsonColor } from '../page/code/json-colors.ts'

const colored = new WeakSet<Element>()

/**
 * Colors the JSON of an element once. Does not change the page, so that a selection or a match of the browser's search stays. Without the
 * CSS Custom Highlight API, the JSON stays plain.
 */
export function colorJson(element: Element): void {
  if (colored.has(element)) return
  colored.add(element)
  // Chromium's parser splits text after 65,536 characters.
  element.normalize()
  const text = element.firstChild
  if (!text || !('highlights' in CSS)) return
  for (const { 0: token, 1: quoted = token, index } of (text.nodeValue ?? '').matchAll(jsonToken)) {
    const color = toJsonColor(token)
    const highlight = CSS.highlights.get(color) ?? new Highlight()
    CSS.highlights.set(color, highlight)
    const range = { startContainer: text, startOffset: index, endContainer: text, endOffset: index + quoted.length }
    highlight.add(new StaticRange(range))
  }
}
