import type { MdxValue } from './types.ts'

/** HTML that pages and descriptions may use: what shows text, tables, pictures and films; nothing that runs, sends or frames at will. */
const elements = new Set(
  (
    'a abbr address article aside audio b bdi bdo blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em ' +
    'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img ins kbd label li main mark nav ol p picture pre q rp rt ruby s samp ' +
    'section small source span strike strong sub summary sup svg table tbody td tfoot th thead time tr track tt u ul var video wbr ' +
    'path circle rect line polyline polygon ellipse g defs lineargradient radialgradient stop clippath mask text tspan title desc symbol'
  ).split(' '),
)

/** Elements whose children are no text to show: they go with all that is inside. */
const silent = new Set(
  'script style template noscript object embed applet noembed noframes xmp math input select textarea'.split(' '),
)

/** How an HTML element is treated: shown, left out for its children, or left out whole. */
export function judgeElement(name: string): 'shown' | 'children' | 'nothing' {
  const lower = name.toLowerCase()
  if (elements.has(lower)) return 'shown'
  return silent.has(lower) ? 'nothing' : 'children'
}

const attributes = new Set(
  (
    'alt align valign width height title lang dir role start reversed type value colspan rowspan headers scope span open datetime cite ' +
    'loading controls loop muted playsinline poster autoplay srcset sizes media kind label srclang default allowfullscreen name target rel download ' +
    'viewbox fill stroke d cx cy r rx ry x y x1 x2 y1 y2 points transform xmlns offset opacity stroke-width stroke-linecap stroke-linejoin ' +
    'fill-rule clip-rule fill-opacity stroke-opacity stroke-dasharray gradientunits clip-path preserveaspectratio text-anchor font-size font-weight ' +
    'stop-color stop-opacity'
  ).split(' '),
)

/** Attributes with an address in them. */
const urlAttributes: ReadonlyMap<string, 'link' | 'media'> = new Map([
  ['href', 'link'],
  ['src', 'media'],
  ['poster', 'media'],
])

/** How an attribute of an HTML element is treated. `url`: allowed as far as its address is. */
export function judgeAttribute(name: string): 'shown' | 'nothing' | 'url-link' | 'url-media' {
  const lower = name.toLowerCase()
  const url = urlAttributes.get(lower)
  if (url !== undefined) return url === 'link' ? 'url-link' : 'url-media'
  if (lower === 'class' || lower === 'classname' || lower === 'style' || lower === 'id') return 'shown'
  return attributes.has(lower) || lower.startsWith('aria-') ? 'shown' : 'nothing'
}

/** Players that an `iframe` may show; the site's Content Security Policy names the same hosts. */
const frameHosts: readonly string[] = [
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'player.vimeo.com',
  'www.loom.com',
  'fast.wistia.net',
  'codesandbox.io',
  'stackblitz.com',
  'codepen.io',
]

/** Whether an `iframe` may show an address. */
export function isAllowedFrame(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && frameHosts.includes(hostname)
}

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
function splitStyle(text: string): [property: string, value: string][] {
  return text.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    return colon < 0 ? [] : [[declaration.slice(0, colon), declaration.slice(colon + 1)]]
  })
}

/** Schemes that a link of a page may have. Everything else, `javascript:` above all, could run or fetch something nobody asked for. */
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'vscode', 'cursor'])

/**
 * Whether an address in a page may stand in a `href` or `src`: relative ones, and those with an allowed scheme. Images may also be
 * `data:image/…`, but not SVG, which can hold script.
 */
export function isAllowedUrl(url: string, use: 'link' | 'media'): boolean {
  // Browsers drop controls and blanks before they read the scheme: `java\nscript:` is one.
  const bare = url.replace(/[\u0000-\u0020\u007f-\u009f]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase()
  if (scheme === undefined) return true
  if (use === 'media' && scheme === 'data') return /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i.test(bare)
  return use === 'media' ? scheme === 'http' || scheme === 'https' : linkSchemes.has(scheme)
}

/** What is allowed of a `style`, a text or an object, in one canonical text; `''` where nothing is. */
export function readStyle(value: MdxValue | undefined): string {
  if (typeof value === 'string') return toAllowedStyle(splitStyle(value))
  if (value === undefined || value === null || typeof value !== 'object' || value.kind !== 'object') return ''
  const pairs = Object.entries(value.entries).flatMap(([name, one]) =>
    typeof one === 'string' || typeof one === 'number' ? [[name, one] as const] : [],
  )
  return toAllowedStyle(pairs)
}
