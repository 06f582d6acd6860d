import type { Root } from 'mdast'
import { findFrontmatter, parsePageFrontmatter } from '../../docs/pages/page-bindings.ts'
import type { MdxNode } from '../../script/values/values.ts'
import type { JsonObject } from '../../text/json/json-values.ts'
import { type MdxFault, parseMarkdown, parseMdx } from './parse-markdown.ts'

/** A parsed MDX file, not yet interpreted. */
export interface ParsedMdx {
  readonly kind: 'mdx'
  readonly file: string
  readonly root: Root
  readonly frontmatter: JsonObject
  readonly fault: MdxFault | undefined
}

/**
 * Parses a page or snippet. Positions in the tree refer to `text`, because the frontmatter is blanked and not removed.
 *
 * `{{name}}` is replaced by the variable of that name first, as `variables` in docs.json requires. Positions after it on the same
 * line are off by the difference in length.
 */
export function parseMdxFile(file: string, text: string, variables: ReadonlyMap<string, string>): ParsedMdx {
  let body = blankFrontmatter(text)
  if (variables.size > 0) {
    body = body.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => variables.get(name) ?? whole)
  }
  // Most reference pages consist of frontmatter only, which the site plan has already read.
  if (!/\S/.test(body)) return { kind: 'mdx', file, root: { type: 'root', children: [] }, frontmatter: {}, fault: undefined }
  const { root, fault } = parseMdx(hideHeadingIds(body))
  return { kind: 'mdx', file, root, frontmatter: parsePageFrontmatter(text)?.values ?? {}, fault }
}

/** Parses a page as Markdown with HTML, such as the description of an API. */
export function parseMarkdownFile(file: string, text: string): ParsedMdx {
  const frontmatter = parsePageFrontmatter(text)?.values ?? {}
  return { kind: 'mdx', file, root: parseMarkdown(blankFrontmatter(text)), frontmatter, fault: undefined }
}

function blankFrontmatter(text: string): string {
  const frontmatter = findFrontmatter(text)
  if (!frontmatter) return text
  const end = text.indexOf('\n', frontmatter.end)
  const head = end < 0 ? text : text.slice(0, end)
  return head.replace(/[^\r\n]/g, ' ') + (end < 0 ? '' : text.slice(end))
}

// `## Title {#id}` sets the ID of a heading. MDX would parse the braces as an expression, so they are temporarily replaced by
// noncharacters.
const open = '\uFDD0'
const close = '\uFDD1'

/** Replaces the braces of `{#id}` at the end of headings. The text keeps its length. */
function hideHeadingIds(text: string): string {
  return text.replace(
    /^( {0,3}#{1,6}[ \t].*)\{(#[^{}\n]+)\}([ \t]*)$/gm,
    (_, before: string, id: string, after: string) => before + open + id + close + after,
  )
}

/** Restores the braces in code that looked like a heading. */
export function showHeadingIds(text: string): string {
  return text.includes(open) ? text.replaceAll(open, '{').replaceAll(close, '}') : text
}

/** Removes the ID from a heading's nodes and returns it. */
export function takeHeadingId(nodes: readonly MdxNode[]): {
  readonly id: string | undefined
  readonly children: readonly MdxNode[]
} {
  const last = nodes.at(-1)
  const match = last?.kind === 'text' ? /\uFDD0#([^\uFDD0\uFDD1]*)\uFDD1\s*$/.exec(last.value) : null
  if (last?.kind !== 'text' || !match) return { id: undefined, children: nodes }
  const [, id = ''] = match
  const before = last.value.slice(0, match.index).trimEnd()
  const rest: readonly MdxNode[] = before === '' ? [] : [{ kind: 'text', value: before }]
  return { id: id.trim().replace(/\s+/g, '-'), children: [...nodes.slice(0, -1), ...rest] }
}
