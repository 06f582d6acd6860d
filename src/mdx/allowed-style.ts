/** Properties of `style` that only change how the element itself looks; none places it over the rest of the page or fetches something. */
const properties = new Set(
  (
    'color background-color opacity width height max-width max-height min-width min-height margin margin-top margin-right margin-bottom margin-left ' +
    'padding padding-top padding-right padding-bottom padding-left border border-top border-right border-bottom border-left border-color border-width ' +
    'border-style border-radius font-size font-weight font-style font-family line-height letter-spacing text-align text-decoration text-transform ' +
    'white-space word-break overflow-wrap vertical-align display flex flex-direction flex-wrap flex-grow flex-shrink flex-basis gap row-gap column-gap ' +
    'grid-template-columns grid-column align-items align-self justify-content justify-items justify-self place-items order object-fit object-position ' +
    'aspect-ratio float clear list-style list-style-type overflow overflow-x overflow-y box-shadow border-collapse border-spacing table-layout fill stroke'
  ).split(' '),
)

/** Words that may not stand in a value: what fetches or runs, and what ends the declaration. */
const refused = /url|expression|image|element|attr|env|import|paint|@|[;{}<>\\"'`]|\/\*/i

/**
 * The declarations of a `style` that are allowed, in one canonical text such as `color:red;width:20px`; `''` where none is.
 *
 * A list of pairs comes from `style={{ maxWidth: 300 }}`: names in camel case, bare numbers are pixels as in React.
 */
export function toAllowedStyle(declarations: Iterable<readonly [property: string, value: string | number]>): string {
  const allowed: string[] = []
  for (const [name, value] of declarations) {
    const property = name.trim().replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const text = typeof value === 'number' && value !== 0 && !unitless.has(property) ? `${value}px` : String(value).trim()
    if (properties.has(property) && text !== '' && text.length <= 200 && !refused.test(text)) allowed.push(`${property}:${text}`)
  }
  return allowed.join(';')
}

const unitless = new Set(['opacity', 'font-weight', 'line-height', 'flex', 'flex-grow', 'flex-shrink', 'order', 'aspect-ratio'])

/** Splits the text of a `style` attribute into its declarations. */
export function splitStyle(text: string): [property: string, value: string][] {
  return text.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    return colon < 0 ? [] : [[declaration.slice(0, colon), declaration.slice(colon + 1)]]
  })
}
