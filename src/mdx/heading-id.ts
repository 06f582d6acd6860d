import type { MdxNode } from './types.ts'

// `## Title {#id}` names the address of a heading. To MDX the braces are an expression, so they are other characters while it is parsed: ones
// that no text may have.
const open = '\uFDD0'
const close = '\uFDD1'

/** Hides the braces of `{#id}` at the end of headings; the text keeps its length. */
export function hideHeadingIds(text: string): string {
  return text.replace(
    /^( {0,3}#{1,6}[ \t].*)\{(#[^{}\n]+)\}([ \t]*)$/gm,
    (_, before: string, id: string, after: string) => before + open + id + close + after,
  )
}

/** Puts the braces back, where what looked like a heading was code. */
export function showHeadingIds(text: string): string {
  return text.includes(open) ? text.replaceAll(open, '{').replaceAll(close, '}') : text
}

/** Takes the id from the end of a heading's nodes. */
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
