import { joinPath, normalizePath, parentPath } from '../../text/plain/paths.ts'
import type { OffsetRange } from '../../text/plain/source-file.ts'

/** A link in a page. */
interface PageLink {
  /** As written. */
  readonly target: string
  readonly offsets: OffsetRange
}

/**
 * Matches the start of a link target in Markdown and JSX: `](target`, `[name]: target`, `href="target"` and `href={'target'}`.
 *
 * Each match ends where the target begins.
 */
const openings = /\]\(\s*<?|^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?|\bhref\s*[=:]\s*(?:\{\s*)?["'`]/gm

/** Lists the links of a page in order. Includes links inside code blocks, which are not rendered as links. */
export function findLinks(text: string): PageLink[] {
  const links: PageLink[] = []
  for (const match of text.matchAll(openings)) {
    const start = match.index + match[0].length
    const target = /^[^\s"'`<>(){}[\]]*/.exec(text.slice(start, start + 2_000))?.[0] ?? ''
    if (target !== '') links.push({ target, offsets: { start, end: start + target.length } })
  }
  return links
}

/**
 * Finds pages that are snippets of other pages: those in a `snippets` or `_snippets` directory, and those imported by another
 * page. Paths are relative to the docs directory and include the extension.
 */
export function findSnippets(pages: ReadonlyMap<string, string>): Set<string> {
  const snippets = new Set<string>()
  for (const [path, text] of pages) {
    if (/(^|\/)_?snippets\//.test(path)) snippets.add(path)
    if (!text.includes('import ')) continue
    for (const [, imported = ''] of text.matchAll(/^[ \t]*import\s[^'"\n\r\u2028\u2029]*?from\s*['"]([^'"\n]+\.mdx?)['"]/gm)) {
      const target = imported.startsWith('/') ? normalizePath(imported) : joinPath(parentPath(path), imported)
      if (target !== path && pages.has(target)) snippets.add(target)
    }
  }
  return snippets
}
