import { hash } from 'node:crypto'
import table from '../../../texts/file-types.json' with { type: 'json' }
import { readOwn } from '../../text/json/json-values.ts'
import { decodeUtf8 } from '../../text/plain/source-file.ts'

/** How a repository file can be published. */
type AssetType =
  /** Media and fonts that cannot contain scripts. */
  | 'inert'
  /** SVG can contain scripts, so it is checked before it is published. */
  | 'svg'
  /** Documents and data that are published only if a page links to them. */
  | 'data'

/** What browsers display, by extension. All other repository files are downloads. */
const shownTypes: Readonly<Record<string, string>> = { ...table.inert, ...table.svg, ...table.data, ...table.text }

/**
 * The type of a file by its extension; `undefined` for files that are never published: those that browsers would run on the site's origin (HTML, scripts,
 * XML), and unknown ones.
 */
export function assetType(path: string): AssetType | undefined {
  const extension = extensionOf(path)
  return (['inert', 'svg', 'data'] as const).find((type) => Object.hasOwn(table[type], extension))
}

/** The content type of a generated file, such as a page or a script. Only `own` types can contain code. */
export function toOwnContentType(path: string): string {
  return readOwn(table.own, extensionOf(path)) ?? toShownContentType(path) ?? 'application/octet-stream'
}

/** The content type of a repository file; `undefined` if browsers should download it. */
export function toShownContentType(path: string): string | undefined {
  return readOwn(shownTypes, extensionOf(path)) || undefined
}

function extensionOf(path: string): string {
  return /\.([a-z0-9_]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** Describes why an SVG could run code or load something when opened directly; `undefined` if it is safe. */
export function findSvgRisk(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return 'it is not UTF-8 text'
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

/** How the path of the script begins that loads the integrations of a site. */
export const integrationsPath = '_assets/integrations-'

/** The page of a preview with the changes of its API, before and after. */
export const reviewRoute = '_review'

/** Without it, each note has links to the next and the previous change. */
export const reviewScript = `addEventListener('keydown',(e)=>{
const step={n:1,p:-1}[e.key];
if(!step||e.ctrlKey||e.metaKey||e.altKey)return;
const id='change-'+(Number(/^#change-(\\d+)$/.exec(location.hash)?.[1]??0)+step);
if(document.getElementById(id))location.hash=id
})`

/** The Content Security Policy of a review: it runs only this script, and loads nothing. */
export const reviewPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', reviewScript, 'base64')}'`
