import { readOwn } from '../../text/json/json-values.ts'

/** How a repository file can be published. */
type AssetType =
  /** Media and fonts that cannot contain scripts. */
  | 'inert'
  /** SVG can contain scripts, so it is checked before it is published. */
  | 'svg'
  /** Documents and data that are published only if a page links to them. */
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
 * The type of a file by its extension; `undefined` for files that are never published: those that browsers would run on the site's origin (HTML, scripts,
 * XML), and unknown ones.
 */
export function assetType(path: string): AssetType | undefined {
  return byExtension.get(/\.([a-z0-9_]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

/** Types of generated files. Only these can contain code. */
const ownTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  html: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
}

/** Types that browsers display. All other repository files are downloads. */
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

/** The content type of a generated file, such as a page or a script. */
export function toOwnContentType(path: string): string {
  const extension = extensionOf(path)
  return readOwn(ownTypes, extension) ?? readOwn(shownTypes, extension) ?? 'application/octet-stream'
}

/** The content type of a repository file; `undefined` if browsers should download it. */
export function toShownContentType(path: string): string | undefined {
  return readOwn(shownTypes, extensionOf(path))
}

function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** Describes why an SVG could run code or load something when opened directly; `undefined` if it is safe. */
export function findSvgRisk(bytes: Uint8Array): string | undefined {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'it is not UTF-8 text'
  }
  const plain = decodeReferences(text)
  return svgRisks.find(([pattern]) => pattern.test(plain))?.[1]
}

const svgRisks: readonly (readonly [RegExp, string])[] = [
  [/<(?:[\w.-]+:)?script\b/i, 'it has a `script` element'],
  [/[\s"'/]on[a-z]+\s*=/i, 'it has an attribute that runs a script'],
  [/attributeName\s*=\s*(?:["']\s*)?on/i, 'it sets an attribute that runs a script'],
  [/(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i, 'it has a URL that runs a script'],
  [/data:\s*(?:text\/(?:html|xml)|image\/svg|application\/(?:xml|xhtml))/i, 'it has a URL that contains a document'],
  [/<(?:[\w.-]+:)?(?:iframe|object|embed|form|meta|base|link)\b/i, 'it has an HTML element that can load resources'],
  [/<\?xml-stylesheet/i, 'it has an XML stylesheet'],
  // Adobe software defines entities for namespaces. Other entities could be combined to bypass the patterns above.
  [/<!ENTITY\s+(?![\w.-]+\s+(?:"https?:[^"&%]*"|'https?:[^'&%]*')\s*>)/i, 'it defines entities'],
]

function decodeReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (found, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
}

/** Whether a path is a generated file of every site that pages may link to. `sitemap.xml` needs the URL of the site, which production builds have. */
export function isGeneratedFile(path: string): boolean {
  return /^(?:llms\.txt|skill\.md|robots\.txt|sitemap\.xml|404\.html|print\.html|search)$/.test(path) || isLlmsFile(path)
}

/** Whether a path is one of the files that `createLlmsText` writes. Kept in this module, so that callers need not load the page renderer. */
export function isLlmsFile(path: string): boolean {
  return /^llms-full(?:-\d+)?\.txt$/.test(path)
}
