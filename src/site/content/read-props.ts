import { textOf } from '../../mdx/to-nodes.ts'
import type { MdxElement, MdxProps, MdxValue } from '../../mdx/types.ts'

/** The first of some props that is a text (or a number); absent where none is. What JSX shows counts as its text. */
export function readText(props: MdxProps, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = toText(props[name])
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function toText(value: MdxValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  return typeof value === 'object' && value?.kind === 'fragment' ? textOf(value.children).trim() : undefined
}

/** Whether a prop is set: `open`, `open={true}` and `open="true"` are the same. */
export function readFlag(props: MdxProps, name: string): boolean {
  const value = props[name]
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

/** A whole number from 1 to `most`; absent for all else. */
export function readCount(props: MdxProps, name: string, most: number): number | undefined {
  const value = Number(readText(props, name) ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : undefined
}

/** A list of texts; one text is a list of one. */
export function readTexts(props: MdxProps, name: string): readonly string[] {
  const value = props[name]
  if (typeof value === 'object' && value?.kind === 'list') return value.items.flatMap((item) => toText(item) ?? [])
  const text = toText(value)
  return text === undefined || text === '' ? [] : [text]
}

/** The elements of a name among the children, those in fragments that came from snippets included. */
export function childrenNamed(element: MdxElement, name: string): readonly MdxElement[] {
  return element.children.filter((child): child is MdxElement => child.kind === 'element' && child.name === name)
}
