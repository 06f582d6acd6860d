import { type MdxValue, propsIn } from '../../../script/values/values.ts'
import { cleanCssValue, cleanDeclarations } from './css-values.ts'

const sides = ['top', 'right', 'bottom', 'left']
const logical = ['inline', 'block', 'inline-start', 'inline-end', 'block-start', 'block-end']
const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'start-start', 'start-end', 'end-start', 'end-end']
const toNames = (text: string) => text.split(' ')

/** CSS properties that style an element and its content. The article clips elements that are moved out of it (see `article-clip.ts`). */
const properties: ReadonlySet<string> = new Set([
  ...toNames('color background opacity visibility display box-sizing float clear cursor pointer-events user-select isolation'),
  ...toNames('attachment blend-mode clip color image origin position repeat size').map((name) => `background-${name}`),
  ...toNames('width height inline-size block-size').flatMap((name) => [name, `max-${name}`, `min-${name}`]),
  ...['margin', 'padding'].flatMap((name) => [name, ...[...sides, ...logical].map((side) => `${name}-${side}`)]),
  ...[...sides, ...logical].flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
  ...corners.map((corner) => `border-${corner}-radius`),
  ...toNames(
    'border border-color border-style border-width border-radius border-collapse border-spacing table-layout caption-side',
  ),
  ...toNames('outline outline-color outline-offset outline-style outline-width box-shadow'),
  ...toNames(
    'font font-family font-feature-settings font-kerning font-size font-stretch font-style font-variant font-variant-numeric font-weight',
  ),
  ...toNames(
    'line-height letter-spacing word-spacing white-space word-break overflow-wrap hyphens tab-size vertical-align writing-mode direction',
  ),
  ...toNames(
    'align align-last decoration decoration-color decoration-line decoration-style decoration-thickness indent overflow shadow',
  ).map((name) => `text-${name}`),
  ...toNames(
    'text-transform text-underline-offset text-wrap list-style list-style-position list-style-type -webkit-line-clamp -webkit-box-orient',
  ),
  ...toNames(
    'flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap order gap row-gap column-gap columns column-count',
  ),
  ...toNames(
    'column-width column-rule break-inside grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end',
  ),
  ...toNames(
    'grid-column-start grid-row grid-row-end grid-row-start grid-template grid-template-areas grid-template-columns grid-template-rows',
  ),
  ...['align', 'justify', 'place'].flatMap((name) => ['content', 'items', 'self'].map((part) => `${name}-${part}`)),
  ...toNames('overflow overflow-x overflow-y scroll-snap-align scroll-snap-type aspect-ratio object-fit object-position'),
  ...['position', 'z-index', 'inset', ...sides, ...logical.map((side) => `inset-${side}`)],
  ...toNames('transform transform-origin transform-box transform-style translate rotate scale perspective backface-visibility'),
  ...['', '-delay', '-duration', '-property', '-timing-function'].map((part) => `transition${part}`),
  ...toNames(
    'filter backdrop-filter mix-blend-mode clip-path mask-image mask-size mask-position mask-repeat -webkit-background-clip',
  ),
  ...toNames(
    '-webkit-text-fill-color accent-color fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap',
  ),
  ...toNames(
    'stroke-linejoin stroke-opacity stroke-width stop-color stop-opacity text-anchor dominant-baseline vector-effect paint-order',
  ),
])

/**
 * Returns the allowed declarations of a `style` in canonical form, such as `color:red;width:20px`, or `''` if there are none.
 *
 * As in React's `style={{ maxWidth: 300 }}`, names may be camel case and plain numbers are pixels.
 */
export function toAllowedStyle(declarations: Iterable<readonly [property: string, value: string | number]>): string {
  const allowed: string[] = []
  for (const [name, value] of declarations) {
    const property = toProperty(name)
    if (!properties.has(property)) continue
    const text = typeof value === 'number' && value !== 0 && !unitless.has(property) ? `${value}px` : String(value)
    const clean = cleanCssValue(text)
    if (clean !== undefined) allowed.push(toDeclaration(property, clean))
  }
  return allowed.join(';')
}

/** `MaxWidth`, `WebkitLineClamp` and `max-width` are names of properties in React or CSS. */
function toProperty(name: string): string {
  const property = name.trim().replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return property.startsWith('webkit-') ? `-${property}` : property
}

/** A fixed element would stay in place while the reader scrolls. */
function toDeclaration(property: string, value: string): string {
  return property === 'position' && /^fixed$/i.test(value) ? 'position:absolute' : `${property}:${value}`
}

const unitless: ReadonlySet<string> = new Set([
  ...toNames(
    'opacity font-weight line-height flex flex-grow flex-shrink order aspect-ratio z-index scale column-count columns tab-size',
  ),
  ...toNames('grid-area grid-column grid-column-end grid-column-start grid-row grid-row-end grid-row-start -webkit-line-clamp'),
  ...toNames('fill-opacity stroke-opacity stop-opacity'),
])

/** Returns the allowed part of a `style` (string or object) in canonical form, or `''` if nothing is allowed. */
export function readStyle(value: MdxValue | undefined): string {
  if (typeof value === 'string') return toAllowedStyle(splitStyle(value))
  const pairs = Object.entries(propsIn(value)).flatMap(([name, one]) =>
    typeof one === 'string' || typeof one === 'number' ? [[name, one] as const] : [],
  )
  return toAllowedStyle(pairs)
}

/** Splits a `style` attribute. Nearly all have no comments, strings or escapes that could contain a semicolon. */
function splitStyle(text: string): readonly (readonly [property: string, value: string])[] {
  if (/["'\\(/!]/.test(text)) return cleanDeclarations(text)
  return text.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    return colon < 0 ? [] : [[declaration.slice(0, colon), declaration.slice(colon + 1)] as const]
  })
}
