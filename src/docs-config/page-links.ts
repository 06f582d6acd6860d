import type { OffsetRange } from '../source/position.ts'
import { joinPath, normalizePath, parentPath } from '../source/relative-path.ts'

/** A link of a page to another place. */
interface PageLink {
  /** As it is written. */
  readonly target: string
  readonly offsets: OffsetRange
}

/**
 * The places of Markdown and JSX where a link can stand: `](target`, `[name]: target`, `href="target"` and `href={'target'}`.
 *
 * Each of them ends where the target begins.
 */
const openings = /\]\(\s*<?|^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?|\bhref\s*[=:]\s*(?:\{\s*)?["'`]/gm

/** Lists the links in the text of a page, in order; also those in code, which nobody follows. */
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
 * Finds the files among pages that are parts of other pages: those in a folder `snippets` or `_snippets`, and those that another one imports.
 * Paths are relative to the docs root, with extension.
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
