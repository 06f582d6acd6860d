import { icons as lucide } from '@iconify-json/lucide'

/**
 * A decorative built-in icon, hidden from screen readers.
 *
 * It refers to the sprite at the end of the page (see `renderSprite`), which contains each icon once.
 */
export function Icon({ name, class: more }: { readonly name: keyof typeof drawnIcons; readonly class?: string }) {
  return (
    <svg class={more === undefined ? 'i' : `i ${more}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** An icon by a name from a page or `docs.json`. Unknown names render nothing. */
export function NamedIcon({ name, size }: { readonly name: string | undefined; readonly size?: number }) {
  const found = name === undefined ? undefined : findIcon(name)
  if (found === undefined) return null
  return (
    <svg class="i named" aria-hidden="true" {...(size !== undefined && { width: size, height: size })}>
      <use href={`#l-${found}`} />
    </svg>
  )
}

/** Font Awesome names with a different name in Lucide. */
const aliases: Readonly<Record<string, string>> = {
  'angle-right': 'chevron-right',
  'arrow-right-to-bracket': 'log-in',
  'arrow-up-right-from-square': 'external-link',
  'arrows-rotate': 'refresh-cw',
  bars: 'menu',
  'bell-slash': 'bell-off',
  'book-open-cover': 'book-open',
  books: 'library',
  'box-open': 'package-open',
  'bullseye-arrow': 'target',
  bullseye: 'target',
  'chart-bar': 'chart-column',
  'chart-simple': 'chart-column',
  'circle-exclamation': 'circle-alert',
  'circle-info': 'info',
  'circle-nodes': 'share-2',
  'circle-question': 'circle-question-mark',
  'circle-xmark': 'circle-x',
  'clock-rotate-left': 'history',
  'cloud-arrow-up': 'cloud-upload',
  code: 'code-xml',
  cog: 'settings',
  cogs: 'settings',
  comment: 'message-circle',
  comments: 'messages-square',
  cube: 'box',
  cubes: 'boxes',
  'diagram-project': 'workflow',
  display: 'monitor',
  envelope: 'mail',
  'exclamation-triangle': 'triangle-alert',
  'face-smile': 'smile',
  'file-lines': 'file-text',
  filter: 'funnel',
  fire: 'flame',
  flask: 'flask-conical',
  'floppy-disk': 'save',
  gear: 'settings',
  gears: 'settings',
  gauge: 'gauge',
  'graduation-cap': 'graduation-cap',
  'grid-2': 'layout-grid',
  home: 'house',
  'id-card': 'id-card',
  images: 'images',
  'layer-group': 'layers',
  'life-ring': 'life-buoy',
  lightbulb: 'lightbulb',
  'location-dot': 'map-pin',
  'magnifying-glass': 'search',
  'map-location': 'map',
  message: 'message-square',
  microchip: 'cpu',
  'mobile-screen': 'smartphone',
  mobile: 'smartphone',
  'money-bill': 'banknote',
  'paper-plane': 'send',
  'paper-plane-top': 'send',
  'pen-to-square': 'square-pen',
  pencil: 'pencil',
  'people-group': 'users',
  'plug-circle-bolt': 'plug-zap',
  'puzzle-piece': 'puzzle',
  'right-left': 'arrow-left-right',
  robot: 'bot',
  'rocket-launch': 'rocket',
  scroll: 'scroll',
  'shield-halved': 'shield-half',
  'shield-check': 'shield-check',
  shop: 'store',
  sitemap: 'network',
  sliders: 'sliders-horizontal',
  'square-terminal': 'square-terminal',
  stopwatch: 'timer',
  stream: 'align-left',
  sync: 'refresh-cw',
  'table-columns': 'columns-2',
  'thumbs-up': 'thumbs-up',
  trash: 'trash-2',
  'triangle-exclamation': 'triangle-alert',
  'universal-access': 'accessibility',
  'up-right-from-square': 'external-link',
  'user-group': 'users',
  vial: 'test-tube',
  'wand-magic-sparkles': 'wand-sparkles',
  warehouse: 'warehouse',
  wrench: 'wrench',
  xmark: 'x',
}

/** The Lucide icon for a name in Lucide or Font Awesome syntax; `undefined` if there is none. */
function findIcon(name: string): string | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(?:fa-(?:solid|regular|brands|light|duotone|sharp) )?(?:fa-)?/, '')
  const candidate = Object.hasOwn(aliases, plain) ? (aliases[plain] ?? plain) : plain
  if (Object.hasOwn(lucide.icons, candidate)) return candidate
  const parent = Object.hasOwn(lucide.aliases ?? {}, candidate) ? lucide.aliases?.[candidate]?.parent : undefined
  return parent !== undefined && Object.hasOwn(lucide.icons, parent) ? parent : undefined
}

/** The built-in icons, 16 px, as the content of their `<symbol>`. */
const drawnIcons = {
  badc: '<circle cx="8" cy="8" r="6.25"/><path d="m6 6 4 4M10 6l-4 4"/>',
  bolt: '<path d="M8.75 1.75 3.5 9h4l-.25 5.25L12.5 7h-4Z"/>',
  branch:
    '<circle cx="4.5" cy="3.5" r="1.5"/><circle cx="4.5" cy="12.5" r="1.5"/><circle cx="11.5" cy="5.5" r="1.5"/><path d="M4.5 5v6M11.5 7c0 2.5-7 1.5-7 4"/>',
  bulb: '<path d="M6 11.5h4M6.5 13.75h3M5.75 9.4a4 4 0 1 1 4.5 0c-.4.3-.5.9-.5 1.1h-3.5c0-.2-.1-.8-.5-1.1Z"/>',
  chev: '<path d="m6 3.5 4.5 4.5L6 12.5"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.75"/><path d="M10.5 3.25A1.25 1.25 0 0 0 9.25 2.5h-5.5c-.7 0-1.25.55-1.25 1.25v5.5c0 .5.3.95.75 1.15"/>',
  cube: '<path d="m8 1.75 5.5 3.1v6.3L8 14.25l-5.5-3.1v-6.3Z"/><path d="m2.5 4.85 5.5 3.1 5.5-3.1M8 8v6.25"/>',
  down: '<path d="m3.5 6 4.5 4.5L12.5 6"/>',
  ext: '<path d="M6.5 3.5h-3v9h9v-3M9 2.75h4.25V7M13 3 7.5 8.5"/>',
  folder: '<path d="M1.75 12.5V3.5H6l1.5 2h6.75v7Z"/>',
  globe: '<circle cx="8" cy="8" r="6.25"/><path d="M1.75 8h12.5M8 1.75c4 4 4 8.5 0 12.5-4-4-4-8.5 0-12.5Z"/>',
  info: '<circle cx="8" cy="8" r="6.25"/><path d="M8 7.25V11M8 5v.05"/>',
  load: '<path d="M8 2.5V10M4.75 7 8 10.25 11.25 7M3 13.25h10"/>',
  lock: '<rect x="3" y="7" width="10" height="6.5" rx="1.5"/><path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2"/>',
  menu: '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
  moon: '<path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z"/>',
  note: '<path d="M3.5 2.5h6l3 3v8h-9Z"/><path d="M5.75 8h4.5M5.75 10.5h3"/>',
  okc: '<circle cx="8" cy="8" r="6.25"/><path d="m5.25 8.25 2 2 3.5-4"/>',
  page: '<path d="M4 1.75h5l3.25 3.25v9.25H4Z"/><path d="M9 1.75V5h3.25"/>',
  play: '<path d="M5 3.25v9.5L12.5 8Z"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  queue: '<circle cx="8" cy="8" r="6.25" stroke-dasharray="2.2 2.2"/>',
  redo: '<path d="M13.25 8A5.25 5.25 0 1 1 11.6 4.2L13.25 5.7"/><path d="M13.25 2.5v3.25H10"/>',
  runc: '<path d="M8 1.75a6.25 6.25 0 1 1-6.25 6.25"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  send: '<path d="M8 13V3M3.75 7.25 8 3l4.25 4.25"/>',
  stop: '<path d="M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4Z"/><path d="M8 5v3.5M8 10.9v.05"/>',
  sun: '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"/>',
  warn: '<path d="M8 2.25 14.25 13H1.75Z"/><path d="M8 6.5v3M8 11.2v.05"/>',
  x: '<path d="m4 4 8 8M12 4l-8 8"/>',
} as const

/** The sprite with the icons that a page uses: `#i-…` for built-in ones, `#l-…` for Lucide; `''` if it uses none. */
export function renderSprite(html: string): string {
  const names = new Set(Array.from(html.matchAll(/ href="#([il]-[a-z0-9-]+)"/g), ([, name = '']) => name))
  const symbols = [...names].sort().map((id) => {
    const name = id.slice(2)
    if (id.startsWith('i-')) return name in drawnIcons ? symbol(id, 16, drawnIcons[name as keyof typeof drawnIcons]) : ''
    const body = Object.hasOwn(lucide.icons, name) ? lucide.icons[name]?.body : undefined
    return body === undefined ? '' : symbol(id, 24, body)
  })
  const joined = symbols.join('')
  return joined === '' ? '' : `<svg class="sprite" aria-hidden="true">${joined}</svg>`
}

function symbol(id: string, size: number, body: string): string {
  return `<symbol id="${id}" viewBox="0 0 ${size} ${size}">${body}</symbol>`
}
