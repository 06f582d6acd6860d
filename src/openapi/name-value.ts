import type { Walk } from './walk.ts'

/** Says which value is meant: its field, or the list it is an entry of. */
export function nameValue(walk: Walk): string {
  const last = walk.path.at(-1)
  if (typeof last === 'string') return `\`${shorten(last)}\``
  const list = walk.path.at(-2)
  return typeof list === 'string' ? `an entry of \`${shorten(list)}\`` : 'the document'
}

/** A text of a stranger's document for a message: on one line and not too long. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}

export function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean \`${near}\`?`
}
