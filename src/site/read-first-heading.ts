import { findFrontmatter } from '../docs/page-frontmatter.ts'

/** The heading that a page's text begins with (`# Words`), without its marks; absent where something else stands first. */
export function readFirstHeading(text: string): string | undefined {
  const frontmatter = findFrontmatter(text)
  const body = frontmatter ? text.slice(frontmatter.end).replace(/^---[ \t]*\r?\n/, '') : text
  const heading = /^(?:[ \t]*\r?\n|(?:import|export)\s[^\n]*\n)*#[ \t]+([^\r\n]+)/.exec(body)?.[1]
  const plain = heading
    ?.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
    .replace(/\[([^[\]]*)\]\([^)[]*\)/g, '$1')
    .replace(/\{#[\w-]+\}\s*$/, '')
    .replace(/[*`]/g, '')
    .trim()
  return plain === '' ? undefined : plain
}
