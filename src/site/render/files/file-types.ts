/** What a file of the repository may be in a site. */
type AssetType =
  /** Shown or offered as it is; nothing in it can run. */
  | 'inert'
  /** A drawing that may hold script: looked through before it is taken. */
  | 'svg'
  /** Text and data that only a link makes public. */
  | 'data'

const types: Readonly<Record<AssetType, readonly string[]>> = {
  inert: [
    ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'bmp', 'jxl'],
    ...['mp4', 'm4v', 'webm', 'mov', 'ogv', 'mp3', 'm4a', 'ogg', 'oga', 'wav', 'flac', 'vtt', 'srt', 'lottie'],
    ...['woff', 'woff2', 'ttf', 'otf'],
  ],
  svg: ['svg'],
  data: [
    ...[
      'pdf',
      'zip',
      'gz',
      'tgz',
      'tar',
      '7z',
      'txt',
      'csv',
      'tsv',
      'json',
      'jsonl',
      'ndjson',
      'yaml',
      'yml',
      'toml',
      'xlsx',
      'docx',
    ],
    ...[
      'pptx',
      'epub',
      'proto',
      'graphql',
      'sql',
      'sh',
      'ps1',
      'py',
      'ipynb',
      'ics',
      'pem',
      'asc',
      'mmdb',
      'parquet',
      'postman_collection',
    ],
  ],
}

const byExtension = new Map(
  (Object.keys(types) as AssetType[]).flatMap((type) => types[type].map((extension) => [extension, type] as const)),
)

/**
 * The type of a file by its extension; absent for those that are never published: what a browser would run on the site's own origin (HTML, script,
 * XML with a stylesheet), and what nobody knows.
 */
export function assetType(path: string): AssetType | undefined {
  return byExtension.get(/\.([a-z0-9_]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

/** Files of ours: the only ones that may run. */
const ownTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  html: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
}

/** What browsers show inside a page, or as text. Everything else of a repository is offered for saving. */
const shownTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  vtt: 'text/vtt; charset=utf-8',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
}

/** The type of a file that we made, such as a page or a script. */
export function toOwnContentType(path: string): string {
  const extension = extensionOf(path)
  return ownTypes[extension] ?? shownTypes[extension] ?? 'application/octet-stream'
}

/** The type of a file of the repository; absent for what a browser is to save and not to open. */
export function toShownContentType(path: string): string | undefined {
  return shownTypes[extensionOf(path)]
}

function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** What a drawing has that could run or load something when it is opened by itself, in words; absent for one that is only drawn. */
export function findSvgFault(bytes: Uint8Array): string | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'it is not UTF-8 text'
  }
  const plain = decodeReferences(text)
  return faults.find(([pattern]) => pattern.test(plain))?.[1]
}

const faults: readonly (readonly [RegExp, string])[] = [
  [/<(?:[\w.-]+:)?script\b/i, 'it has a `script` element'],
  [/[\s"'/]on[a-z]+\s*=/i, 'it has an attribute that runs script'],
  [/attributeName\s*=\s*(?:["']\s*)?on/i, 'it sets an attribute that runs script'],
  [/(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i, 'it has an address that runs script'],
  [/data:\s*(?:text\/(?:html|xml)|image\/svg|application\/(?:xml|xhtml))/i, 'it has a document inside an address'],
  [/<(?:[\w.-]+:)?(?:iframe|object|embed|form|meta|base|link)\b/i, 'it has an element of HTML that loads something'],
  [/<\?xml-stylesheet/i, 'it has a stylesheet of XML'],
  // Adobe's programs name their namespaces so; anything else could put together what is looked for above.
  [/<!ENTITY\s+(?![\w.-]+\s+(?:"https?:[^"&%]*"|'https?:[^'&%]*')\s*>)/i, 'it defines entities'],
]

function decodeReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (found, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
}

/** Whether a file of a site, by its path, is one of those that `createLlmsText` gathers. Alone here: who asks that need not load what renders pages. */
export function isLlmsFile(path: string): boolean {
  return /^llms-full(?:-\d+)?\.txt$/.test(path)
}
