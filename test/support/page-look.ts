import { openView, type View } from './engine-views.ts'
import { type Engine, startEngines } from './engines.ts'

/** What a reader sees of a page. Boxes are `[left, top, right, bottom]` in CSS pixels of the window. */
interface PageLook {
  /** All texts, in the order of the document. */
  readonly texts: readonly LookedText[]
  /** Boxes of visible landmarks, dialogs and controls, in the order of the document. */
  readonly boxes: readonly { readonly name: string; readonly box: Box }[]
}

interface LookedText {
  readonly text: string
  /** The least and the most of it that can be seen, from 0 to 1, if the scroll position of its surroundings differs by some pixels. */
  readonly least: number
  readonly most: number
  /** Of the letters, in sRGB: `[red, green, blue, alpha]`, from 0 to 255. */
  readonly color: readonly number[]
  /** Such as `underline` of a link. */
  readonly line: string
  readonly box: Box
  /** The number of the block around it. The words of a block may break differently. */
  readonly block: number
}

type Box = readonly [number, number, number, number]

/** How far boxes may be apart: 8 px, a line or 5 %, because engines break lines and draw controls differently. */
const slack = { px: 8, line: 24, share: 0.05 }

/**
 * Compares each view in three engines: what can be seen, where, in which color and order. In forced colors, finds what is chosen and cannot be told.
 *
 * @param widths of the window, in CSS pixels.
 * @returns One line for each difference from Chromium.
 */
export async function compareEngines(
  views: readonly View[],
  widths: readonly number[],
  themes: readonly string[],
): Promise<string> {
  const found: string[] = []
  const engines = await startEngines()
  const forced = await startEngines({ hasForcedColors: true })
  for (const view of views) {
    const readAll = async (engine: Engine, width: number) => {
      await openView(engine, view, width)
      const looks: PageLook[] = []
      for (const theme of themes) {
        // Each theme has its own logo.
        const show = `document.documentElement.dataset.theme = '${theme}', Promise.allSettled([...document.querySelectorAll('header img')].filter((logo) => logo.checkVisibility()).map((logo) => logo.decode()))`
        await engine.evaluate(`(${show}).then(() => null)`)
        looks.push(await readLook(engine))
      }
      return { engine: engine.name, looks }
    }
    for (const width of widths) {
      const [expected, ...others] = await Promise.all(engines.map((engine) => readAll(engine, width)))
      for (const { engine, looks } of others) {
        for (const [index, look] of looks.entries()) {
          const place = `${engine}, ${view.name}, ${width} px, ${themes[index]}`
          found.push(...compareLooks(expected?.looks[index] ?? look, look).map((one) => `${place}: ${one}`))
        }
      }
      for (const engine of forced) {
        await openView(engine, view, width)
        const unmarked = await findUnmarked(engine)
        found.push(
          ...unmarked.map(
            (one) => `${engine.name}, ${view.name}, ${width} px, forced colors: ${one} looks like what is not chosen`,
          ),
        )
      }
    }
  }
  return found.join('\n')
}

async function readLook(engine: Engine): Promise<PageLook> {
  return await engine.evaluate(`(${look})(${slack.px})`)
}

/** Differences of a page from the same page in Chromium, as texts for people. */
function compareLooks(expected: PageLook, actual: PageLook): string[] {
  const listTexts = ({ texts }: PageLook) => texts.map(({ text }) => text).join('\n')
  if (listTexts(expected) !== listTexts(actual)) return [findFirst('text', expected.texts, actual.texts, ({ text }) => text)]
  const differences: string[] = []
  let last: { readonly expected: LookedText; readonly actual: LookedText } | undefined
  for (const [index, text] of expected.texts.entries()) {
    const other = actual.texts[index]
    if (!other) continue
    const name = JSON.stringify(text.text.slice(0, 60))
    const says = (seen: LookedText) =>
      seen.most < 0.1 ? 'hidden' : seen.least > 0.9 ? 'visible' : `${Math.round(seen.most * 100)} % visible`
    if (other.most < text.least - 0.3 || other.least > text.most + 0.3) {
      differences.push(`${name} is ${says(other)} instead of ${says(text)}`)
      continue
    }
    if (Math.min(text.least, other.least) < 0.5) continue
    if (text.color.some((part, at) => Math.abs(part - (other.color[at] ?? 0)) > 8)) {
      differences.push(`${name} has the color ${other.color} instead of ${text.color}`)
    }
    if (text.line !== other.line) differences.push(`${name} has the line ${other.line} instead of ${text.line}`)
    const order = last &&
      last.expected.block !== text.block && [toDirection(last.expected.box, text.box), toDirection(last.actual.box, other.box)]
    if (order && order[0] !== order[1] && !order.includes('')) {
      differences.push(`${name} is ${order[1]} ${JSON.stringify(last?.expected.text)} instead of ${order[0]}`)
    }
    const gaps = last?.expected.block === text.block && [toGap(last.expected.box, text.box), toGap(last.actual.box, other.box)]
    if (gaps && gaps[0] !== undefined && gaps[1] !== undefined && Math.abs(gaps[0] - gaps[1]) > 4) {
      differences.push(`${name} is ${gaps[1]} px beside ${JSON.stringify(last?.expected.text)} instead of ${gaps[0]} px`)
    }
    last = { expected: text, actual: other }
  }
  const listNames = ({ boxes }: PageLook) => boxes.map(({ name }) => name).join('\n')
  if (listNames(expected) !== listNames(actual)) {
    return [...differences, findFirst('box', expected.boxes, actual.boxes, ({ name }) => name)]
  }
  for (const [index, { name, box }] of expected.boxes.entries()) {
    const other = actual.boxes[index]?.box ?? box
    const pairs = [...toSpan(box), ...toSpan(other)]
    const isNear = toSpan(box).every((one, at) => {
      // Only Chromium makes lists as wide as the chosen entry (`field-sizing`).
      if (at === 2 && name.startsWith('<select')) return true
      const apart = Math.abs(one - (toSpan(other)[at] ?? 0))
      // A text may break into one line more, and moves what is below it.
      return apart <= Math.max(at % 2 === 0 ? slack.px : slack.line, slack.share * Math.abs(one))
    })
    if (!isNear)
      differences.push(`${name} is at ${pairs.slice(4).map(Math.round)} instead of ${pairs.slice(0, 4).map(Math.round)}`)
  }
  return differences
}

/** Left, top, width, height. */
const toSpan = ([left, top, right, bottom]: Box) => [left, top, right - left, bottom - top]

/** Where a text is, seen from the one before; `''` if it is partly beside and partly below or above. */
function toDirection(from: Box, to: Box): '' | 'below' | 'above' | 'beside' {
  if (to[1] >= from[3] - 2) return 'below'
  if (to[3] <= from[1] + 2) return 'above'
  return Math.abs(to[1] - from[1]) < 4 && Math.abs(to[3] - from[3]) < 4 ? 'beside' : ''
}

/** The space between two texts of a line, in CSS pixels. */
function toGap(from: Box, to: Box): number | undefined {
  return toDirection(from, to) === 'beside'
    ? Math.round(Math.min(Math.abs(to[0] - from[2]), Math.abs(from[0] - to[2])))
    : undefined
}

function findFirst<T>(kind: string, expected: readonly T[], actual: readonly T[], toText: (one: T) => string): string {
  const at = expected.findIndex((one, index) => actual[index] === undefined || toText(one) !== toText(actual[index]))
  const say = (list: readonly T[], from: T | undefined) =>
    from === undefined ? `no more (${list.length})` : JSON.stringify(toText(from))
  const found = at === -1 ? expected.length : at
  return `${kind} ${found} is ${say(actual, actual[found])} instead of ${say(expected, expected[found])}`
}

/** The function that reads the page. A text, because it runs there. */
const look = `(slack) => {
  const all = [-1e6, -1e6, 1e6, 1e6]
  const screen = [0, 0, innerWidth, innerHeight]
  const toBox = ({ left, top, right, bottom }) => [left, top, right, bottom]
  const cut = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  const grow = ([left, top, right, bottom], by) => [left - by, top - by, right + by, bottom + by]
  const sizeOf = ([left, top, right, bottom]) => Math.max(0, right - left) * Math.max(0, bottom - top)
  const isOnTop = (element) => element.matches(':modal, :popover-open')
  const clips = new Map()
  // What limits the content of an element: at least and at most.
  const clipOf = (element) => {
    if (!element || element === document.body || element === document.documentElement) return [all, all]
    if (clips.has(element)) return clips.get(element)
    const style = getComputedStyle(element)
    const around = isOnTop(element) || style.position === 'fixed' ? [screen, screen]
      : clipOf(style.position === 'absolute' ? element.offsetParent : element.parentElement)
    let clip = around
    if (style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clipPath !== 'none') {
      const own = toBox(element.getBoundingClientRect())
      const by = element.scrollHeight > element.clientHeight + 1 && style.overflowY !== 'hidden' ? slack : 1
      clip = own[2] - own[0] <= 1 ? [[0, 0, 0, 0], [0, 0, 0, 0]] : [cut(around[0], grow(own, -by)), cut(around[1], grow(own, by))]
    }
    clips.set(element, clip)
    return clip
  }
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const drawing = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colors = new Map()
  const toColor = (name) => {
    if (!colors.has(name)) {
      drawing.clearRect(0, 0, 1, 1)
      drawing.fillStyle = name
      drawing.fillRect(0, 0, 1, 1)
      colors.set(name, [...drawing.getImageData(0, 0, 1, 1).data])
    }
    return colors.get(name)
  }
  // Of the text's own element, or of an inline one around it.
  const lineOf = (element) => {
    const { textDecorationLine, display } = getComputedStyle(element)
    return textDecorationLine === 'none' && display === 'inline' ? lineOf(element.parentElement) : textDecorationLine
  }
  const blocks = []
  const blockOf = (element) => {
    const block = /^inline/.test(getComputedStyle(element).display) ? undefined : element
    if (!block) return blockOf(element.parentElement)
    if (blocks.at(-1) !== block) blocks.push(block)
    return blocks.lastIndexOf(block)
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (walker.nextNode()) {
    const node = walker.currentNode
    const parent = node.parentElement
    const text = node.data.trim().replace(/\\s+/g, ' ')
    if (text === '' || parent.closest('script, style, noscript, select, textarea, svg')) continue
    range.selectNodeContents(node)
    const rects = isShown(parent) ? [...range.getClientRects()].map(toBox).filter((rect) => sizeOf(rect) > 0) : []
    const size = rects.reduce((sum, rect) => sum + sizeOf(rect), 0)
    const [least, most] = clipOf(parent).map((clip) => size && rects.reduce((sum, rect) => sum + sizeOf(cut(rect, clip)), 0) / size)
    texts.push({ text, least, most, color: toColor(getComputedStyle(parent).color), line: lineOf(parent), box: toBox(range.getBoundingClientRect()), block: blockOf(parent) })
  }
  const boxes = []
  for (const element of document.querySelectorAll('header, nav, main, aside, footer, dialog, [role]:not(svg), [popover], button, input, select, textarea, summary, a, label')) {
    const box = toBox(element.getBoundingClientRect())
    if (!isShown(element) || sizeOf(box) === 0) continue
    if (getComputedStyle(element).display === 'inline') continue
    const label = element.ariaLabel ?? (/^(header|main|aside|footer|dialog|nav|div|form)$/.test(element.localName) ? '' : element.textContent)
    const words = label.trim().replace(/\\s+/g, ' ').slice(0, 40)
    boxes.push({ name: '<' + element.localName + (element.className ? ' class="' + element.className + '"' : '') + '> ' + words, box })
  }
  return { texts, boxes }
}`

/**
 * Chosen tabs, entries and buttons that look like those next to them, except for the weight of their letters. For pages whose colors the browser
 * has replaced.
 */
async function findUnmarked(engine: Engine): Promise<readonly string[]> {
  return await engine.evaluate(`(${unmarked})()`)
}

const unmarked = `() => {
  const chosen = 'label:has(> :checked), [aria-current]:not([aria-current=false]), [aria-pressed=true], [aria-selected=true]'
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const properties = ['background-color', 'background-image', 'color', 'border-top', 'border-right', 'border-bottom', 'border-left', 'outline', 'text-decoration-line']
  const toStyle = (element) => ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part)
    return [...properties, ...(part ? ['content', 'display'] : [])].map((name) => style.getPropertyValue(name)).join()
  }).join()
  return [...document.querySelectorAll(chosen)].filter(isShown).flatMap((element) => {
    // Checks and radio buttons of the browser show what is chosen.
    if ([...element.querySelectorAll('input')].some(isShown)) return []
    const around = element.closest('fieldset, [role=listbox], ul, nav, [role=group]') ?? element.parentElement
    const others = [...around.querySelectorAll(element.localName)].filter((one) => isShown(one) && !one.matches(chosen))
    return others.some((other) => toStyle(other) === toStyle(element)) ? [element.localName + ' ' + element.textContent.trim().slice(0, 40)] : []
  })
}`
