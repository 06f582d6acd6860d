import type { OffsetRange } from '../text/position.ts'

/** A link of a page to another place. */
export interface PageLink {
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
