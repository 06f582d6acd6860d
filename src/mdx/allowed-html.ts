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
