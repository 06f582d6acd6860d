import type { Blockquote, RootContent } from 'mdast'

/** The components that GitHub's alerts become. */
const names: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Info',
  warning: 'Warning',
  caution: 'Danger',
}

/** A quote that begins with `[!NOTE]` and the like, as GitHub shows it: the callout it becomes, and what is in it. */
export function readCallout(node: Blockquote): { readonly name: string; readonly children: readonly RootContent[] } | undefined {
  const [first, ...rest] = node.children
  const text = first?.type === 'paragraph' ? first.children[0] : undefined
  if (first?.type !== 'paragraph' || text?.type !== 'text') return undefined
  const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(text.value)
  const name = names[match?.[1]?.toLowerCase() ?? '']
  if (!match || name === undefined) return undefined
  const remainder = text.value.slice(match[0].length)
  const phrasing = remainder === '' ? first.children.slice(1) : [{ ...text, value: remainder }, ...first.children.slice(1)]
  // The mark may end in a hard break of its own.
  const children = phrasing[0]?.type === 'break' ? phrasing.slice(1) : phrasing
  return { name, children: children.length === 0 ? rest : [{ ...first, children }, ...rest] }
}

/** Whether a value is the name of a component that an alert becomes. */
export function isCallout(value: unknown): value is string {
  return typeof value === 'string' && Object.values(names).includes(value)
}
