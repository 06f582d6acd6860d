import type { Root } from 'mdast'
import { findFrontmatter, parsePageFrontmatter } from '../docs/page-frontmatter.ts'
import type { JsonObject } from '../text/is-object.ts'
import { hideHeadingIds } from './heading-id.ts'
import { type MdxFault, parseMdx } from './parse-markdown.ts'

/** One file of MDX as it was parsed; nothing of it is interpreted yet. */
export interface ParsedMdx {
  readonly file: string
  readonly root: Root
  readonly frontmatter: JsonObject
  readonly fault: MdxFault | undefined
}

/**
 * Parses a page or a snippet. Positions in the tree are those in `text`: the frontmatter is blanked, not cut.
 *
 * `{{name}}` is replaced by the variable of that name first, as `variables` of docs.json asks; positions behind one on its line are then off
 * by the difference in length.
 */
export function parseMdxFile(file: string, text: string, variables: ReadonlyMap<string, string>): ParsedMdx {
  const frontmatter = findFrontmatter(text)
  let body = text
  if (frontmatter) {
    const end = text.indexOf('\n', frontmatter.end)
    const head = end < 0 ? text : text.slice(0, end)
    body = head.replace(/[^\r\n]/g, ' ') + (end < 0 ? '' : text.slice(end))
  }
  if (variables.size > 0) {
    body = body.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => variables.get(name) ?? whole)
  }
  // As most pages of a reference are: all they say stands in their frontmatter, which the plan of the site has read.
  if (!/\S/.test(body)) return { file, root: { type: 'root', children: [] }, frontmatter: {}, fault: undefined }
  const { root, fault } = parseMdx(hideHeadingIds(body))
  return { file, root, frontmatter: parsePageFrontmatter(text)?.values ?? {}, fault }
}
