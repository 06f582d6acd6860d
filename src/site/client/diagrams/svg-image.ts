/** Access to the diagram while Mermaid draws it. */
export interface Measuring {
  /** The drawn SVG. @throws if there is none. */
  readonly drawn: () => SVGSVGElement
  /** Restores the page. */
  readonly end: () => void
}

/** The properties that affect the size of text and shapes. */
const measured = new Set([
  'display',
  'dominant-baseline',
  'font',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'stroke-width',
  'text-align',
  'text-anchor',
  'white-space',
])

/**
 * Lets Mermaid draw into an element of a page whose policy forbids `<style>` and `style` attributes. Styles that affect sizes are
 * applied in ways that the policy allows. All styles stay in the SVG, for its image.
 */
export function allowMeasuring(stage: HTMLElement): Measuring {
  const { setAttribute } = Element.prototype
  const sheets: CSSStyleSheet[] = []
  let svg: SVGSVGElement | undefined
  // The policy forbids setting the attribute, but not setting its properties.
  Element.prototype.setAttribute = function (this: Element, name, value) {
    if (name === 'style' && (this instanceof SVGElement || this instanceof HTMLElement)) setStyle(this.style, String(value))
    // Menus of sequence diagrams have event handlers.
    else if (!/^on/i.test(name)) setAttribute.call(this, name, value)
  }
  const adopt = (css: string) => {
    const sheet = toMeasuringSheet(css)
    sheets.push(sheet)
    document.adoptedStyleSheets.push(sheet)
  }
  // Runs before Mermaid continues, because it waits for the parser after it has added these elements.
  const observer = new MutationObserver(() => {
    const frame = stage.firstElementChild
    const root = frame?.firstElementChild
    if (!frame || !(root instanceof SVGSVGElement)) return
    observer.disconnect()
    svg = root
    root.insertBefore = (node, child) => {
      if (!(node instanceof HTMLStyleElement)) return Node.prototype.insertBefore.call(root, node, child) as typeof node
      const css = node.textContent
      adopt(css)
      // An unknown element, which has no effect until `toImage` renames it.
      const style = document.createElementNS('http://www.w3.org/2000/svg', 'metadata')
      style.textContent = css
      root.prepend(style)
      return node
    }
    // Mermaid reads and sanitizes HTML here, which the policy would report for each `style` attribute. `toImage` sanitizes the elements instead.
    Object.defineProperty(frame, 'innerHTML', { get: () => '' })
  })
  observer.observe(stage, { childList: true })
  return {
    drawn: () => {
      if (!svg) throw new Error('Mermaid drew nothing')
      return svg
    },
    end: () => {
      observer.disconnect()
      Element.prototype.setAttribute = setAttribute
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
    },
  }
}

/** Sets the properties of an element without those that load files. */
function setStyle(style: CSSStyleDeclaration, css: string): void {
  style.cssText = css
  for (const name of [...style]) {
    if (/url\((?!["']?#)|image-set\(/i.test(style.getPropertyValue(name))) style.removeProperty(name)
  }
}

function toMeasuringSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
    const rule = sheet.cssRules[index]
    if (!(rule instanceof CSSStyleRule)) sheet.deleteRule(index)
    else for (const name of [...rule.style]) if (!measured.has(name)) rule.style.removeProperty(name)
  }
  return sheet
}

const elements = new Set(
  [
    'svg g a defs symbol use style title desc',
    'path rect circle ellipse line polyline polygon text tspan textPath image',
    'marker mask clipPath pattern linearGradient radialGradient stop',
    'filter feBlend feColorMatrix feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode feOffset',
  ].flatMap((names) => names.split(' ')),
)

/** Browsers do not show larger images. */
const mostPixels = 16_000

export interface SvgImage {
  readonly svg: string
  readonly width: number
  readonly height: number
  /** `accTitle`, or an empty string. */
  readonly title: string
  /** `accDescr`, or an empty string. */
  readonly description: string
  /** The texts in the diagram. */
  readonly labels: readonly string[]
}

/** Converts a drawn SVG to a file with only allowed elements, and reads its texts. */
export function toImage(drawn: SVGSVGElement): SvgImage {
  const style = drawn.querySelector(':scope > metadata')?.textContent ?? ''
  drawn.querySelector(':scope > metadata')?.remove()
  for (const element of drawn.querySelectorAll('*')) {
    if (!elements.has(element.localName)) element.remove()
  }
  for (const element of [drawn, ...drawn.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      const isLink = /(?:^|:)href$/i.test(name) && !/^#|^data:image\/(?:png|jpeg|gif|webp)[;,]/i.test(value)
      if (isLink || /^on/i.test(name)) element.removeAttribute(name)
    }
  }
  const { baseVal } = drawn.viewBox
  const scale = Math.min(1, mostPixels / Math.max(baseVal.width, baseVal.height, 1))
  const [width, height] = [Math.max(1, baseVal.width * scale), Math.max(1, baseVal.height * scale)]
  drawn.setAttribute('width', String(width))
  drawn.setAttribute('height', String(height))
  const text = new XMLSerializer().serializeToString(drawn)
  const start = text.indexOf('>') + 1
  return {
    svg: `${text.slice(0, start)}<style>${escapeXml(style)}</style>${text.slice(start)}`,
    width,
    height,
    title: drawn.querySelector(':scope > title')?.textContent ?? '',
    description: drawn.querySelector(':scope > desc')?.textContent ?? '',
    labels: Array.from(drawn.querySelectorAll('text'), toLabel).filter((label) => label !== ''),
  }
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (found) => `&#${found.charCodeAt(0)};`)
}

/** The text of a label. Its lines are separate elements. */
function toLabel(label: Element): string {
  return Array.from(label.childNodes, (line) => line.textContent ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}
