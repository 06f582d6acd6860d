import GithubSlugger from 'github-slugger'
import { joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { createRangeSearch, hasDollarFormula, listCodeRanges } from '../../text/plain/scan-markdown.ts'

// These functions read the text of a page without parsing it, which takes a hundredth of the time. They may find URLs that the page does not
// show, but no text in code, so only pages with a suspicious URL need to be rendered.

/** A URL in the text of a page that can be a link or an image. */
interface WrittenUrl {
  readonly href: string
  readonly start: number
  /** Whether it certainly is a link or an image. A component can use an attribute for something else. */
  readonly isCertain: boolean
}

/**
 * Matches what precedes a URL: `](`, `[name]: `, and the quote of an attribute or a property. Attributes other than the named ones only count with a
 * path, because most are not URLs.
 */
const openings =
  /\]\(\s*<?|^[ \t]{0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*<?|^icon:[ \t]*["']?(?=[^\s"']*[./])|\b(?:href|src|poster|img)\s*[=:]\s*(?:\{\s*)?["'`]|\b\w{0,30}(?:link|url|image|logo|icon|Href|Src)\w{0,30}=(?:\{\s*)?["'](?=\.{0,2}\/)/gm

/** The longest URL that is read. */
const mostLength = 2_000

/** Lists URLs in the text of a page that can be links or images. Omits those in code, and those with an expression. */
export function listWrittenUrls(text: string): WrittenUrl[] {
  const urls: WrittenUrl[] = []
  for (const match of text.matchAll(openings)) {
    const start = match.index + match[0].length
    const href = readUrl(match[0], text.slice(start, start + mostLength))
    if (href === '' || /[{}\s]/.test(href)) continue
    const rest = text.slice(start + href.length, start + href.length + mostLength)
    if (match[0].startsWith(']') && !/^>?\s*(?:\)|\s["'(])/.test(rest)) continue
    // A word is the name of something, such as an icon or the source of a form.
    if (/^(?:src|poster|img)\b/.test(match[0]) && !/[./]/.test(href)) continue
    const isCertain =
      // An entity such as `&amp;` means another character.
      !/&[#\w]+;/.test(href) &&
      // A formula can look like a link.
      !text.slice(text.lastIndexOf('\n', start) + 1, start).includes('$') &&
      (match[0].startsWith(']') || /^[ \t]*\[/.test(match[0]) || (/^(?:href|src)=/.test(match[0]) && /^[./#]/.test(href)))
    urls.push({ href, start, isCertain })
  }
  if (urls.length === 0) return urls
  const isCode = createRangeSearch(listCodeRanges(text))
  return urls.filter(({ start }) => !isCode(start))
}

/** Reads a URL up to the quote or bracket that closes it. */
function readUrl(opening: string, rest: string): string {
  const quote = /["'`]$/.exec(opening)?.[0]
  if (quote !== undefined) return rest.slice(0, Math.max(0, rest.indexOf(quote)))
  if (opening.endsWith('<')) return /^[^<>\n]*/.exec(rest)?.[0] ?? ''
  // Brackets within a URL come in pairs.
  return /^(?:[^\s<>()]|\([^\s<>()]*\))*/.exec(rest)?.[0] ?? ''
}

const headings =
  /^ {0,3}#{1,6}[ \t]+(.+)$|(?:\bid|<a\s+name)=(?:\{\s*)?["']([^"'\n]+)["']|<(?:Step|Tab|Accordion|Update)\b[^<>]{0,300}?\b(?:title|label)="([^"\n]+)"|<(?:ParamField|ResponseField)\b[^<>]{0,300}?\b(?:path|query|body|header|cookie|name)="([^"\n]+)"/gm

/** Lists the IDs of headings and elements in the text of a page. Other components can add more. */
export function listWrittenIds(text: string): string[] {
  const ids: string[] = []
  const slugger = new GithubSlugger()
  const hasFormulas = hasDollarFormula(text)
  const isCode = createRangeSearch(listCodeRanges(text))
  for (const match of text.matchAll(headings)) {
    if (isCode(match.index)) continue
    const [, heading = '', id = '', title = '', field] = match
    if (field !== undefined) {
      ids.push(`param-${field}`, `body-${field}`, `response-${field}`)
      continue
    }
    const plain = heading.replace(/\]\([^()\n]*\)/g, '').trim()
    const [, own] = /\{#([^{}\n]+)\}$/.exec(plain) ?? []
    const words = (title || (hasFormulas ? plain.replace(/\$[^$\n]+\$/g, '') : plain))
      .replace(/<[^<>]*>/g, '')
      .replace(/[`*[\]\\]/g, '')
      .trim()
    ids.push(own ?? (id || slugger.slug(words)))
  }
  return ids
}

const imports = /\bfrom\s*['"]([^'"\n]{1,300})['"]|<Snippet\s+file=["']([^"'\n]{1,300})["']/g
const endings = ['', '.mdx', '.jsx', '.tsx', '.js', '.ts', '/index.jsx', '/index.tsx', '/index.js', '/index.ts']

/** Lists a page and the files that it imports, directly or through other files. Paths are relative to the docs directory. */
export function listPageFiles(path: string, textOf: (path: string) => string | undefined): string[] {
  const files = new Set([path])
  for (const file of files) {
    const text = textOf(file) ?? ''
    if (!text.includes('from') && !text.includes('<Snippet')) continue
    for (const [, from, snippet] of text.matchAll(imports)) {
      if (from !== undefined && !/^\.{0,2}\//.test(from)) continue
      const whole =
        from === undefined ? `snippets/${snippet}` : from.startsWith('/') ? normalizePath(from) : joinPath(parentPath(file), from)
      const ending = endings.find((one) => textOf(whole.replace(/^\/+/, '') + one) !== undefined)
      if (ending !== undefined) files.add(whole.replace(/^\/+/, '') + ending)
    }
  }
  return [...files]
}
