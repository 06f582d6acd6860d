import GithubSlugger, { slug } from 'github-slugger'
import { decodePercent, encodeUrlPart, joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import { createRangeSearch, hasDollarFormula, listCodeRanges } from '../../text/plain/scan-markdown.ts'

// These functions read the text of a page without parsing it, which takes a hundredth of the time. They may find URLs that the page does not
// show, but no text in code, so editors parse only the open pages and those with a suspicious URL.

const headings =
  /^ {0,3}#{1,6}[ \t]+(.+)$|(?:\bid|<a\s+name)=(?:\{\s*)?["']([^"'\n]+)["']|<(?:Step|Tab|Accordion|Update)\b[^<>]{0,300}?\b(?:title|label)="([^"\n]+)"|<(?:ParamField|ResponseField)\b[^<>]{0,300}?\b(?:path|query|body|header|cookie|name)="([^"\n]+)"/gm

const notInMintlifyIds =
  /[?,;:!'"()[\]{}]|\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|\u200D|\uFE0E|\uFE0F/gu

/**
 * The ID that Mintlify gives to a heading; `undefined` if the author set another one. Mintlify numbers equal headings from 2, GitHub from 1.
 *
 * @param id Our ID of the heading. Default: the one of its text.
 * @see https://www.npmjs.com/package/@mintlify/common `slugify` and `cleanHeadingId` in version 1.0.1211
 */
export function toMintlifyHeadingId(text: string, id?: string): string | undefined {
  const own = slug(text.trim())
  const number = id?.startsWith(`${own}-`) ? Number(id.slice(own.length + 1)) : 0
  if (id !== undefined && id !== own && !(number > 0)) return undefined
  const mintlify = decodePercent(
    encodeUrlPart(text.toLowerCase().trim().replace(/\s+/g, '-'))
      .replace(/[^\w%]+/g, '-')
      // `don't` becomes `dont`.
      .replace(/(?<=[a-z\d])-([ts])(-|$)/gi, '$1$2')
      .replace(/^-|-$/g, ''),
  ).replace(notInMintlifyIds, '')
  return number > 0 ? `${mintlify}-${number + 1}` : mintlify
}

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
    if (own ?? id) ids.push(own ?? id)
    else {
      const ours = slugger.slug(words)
      ids.push(ours, toMintlifyHeadingId(words, ours) ?? ours)
    }
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
