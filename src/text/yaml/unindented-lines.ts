import { type Event, parseEvents, YAMLException } from 'js-yaml'
import { toYamlErrorKind } from './describe-yaml-error.ts'

/** The events of a YAML text, some of whose lines lack indentation that YAML requires. */
export interface LenientEvents {
  readonly events: Event[]
  /** The text that the events refer to. It has the length of the original, so that all offsets are the same. */
  readonly text: string
  /** The starts of the lines that lack indentation, after their whitespace. */
  readonly unindented: readonly number[]
}

/** Most lines without indentation, and most characters that are parsed again for them. */
const [mostLines, mostCharacters] = [500, 20_000_000]

/**
 * Parses YAML. A bracket that closes a list or mapping may have the indentation of its key, and a quoted value may continue at the start of a
 * line. YAML requires more indentation, but most parsers do not. Such a line is joined with the line before, by a space in place of the
 * line break, or is indented by the space of a blank line before it, which does not change the value.
 *
 * @param nesting the most levels of lists and mappings. @throws {YAMLException} the first error, if it has another cause.
 */
export function parseLenientEvents(original: string, nesting: number): LenientEvents {
  // The parser also counts the document, and the text in the innermost level.
  const options = { maxDepth: nesting + 2 }
  let text = original
  let first: unknown
  const unindented: number[] = []
  for (let parsed = 0; ; parsed += text.length) {
    try {
      return { events: parseEvents(text, options), text, unindented }
    } catch (error) {
      first ??= error
      const start = findUnindented(text, error)
      if (start === undefined || unindented.length >= mostLines || parsed > mostCharacters) throw first
      unindented.push(start)
      const after = text.lastIndexOf('\n', start - 1) + 1
      const end = after - (text[after - 2] === '\r' ? 2 : 1)
      const isBlank = text.slice(text.lastIndexOf('\n', end - 1) + 1, end).trim() === ''
      text = isBlank
        ? `${text.slice(0, end - 1)}${text.slice(end, after)} ${text.slice(after)}`
        : `${text.slice(0, end).padEnd(after)}${text.slice(after)}`
    }
  }
}

/** The start of the line that an error is about, if joining it with the line before changes no value. */
function findUnindented(text: string, error: unknown): number | undefined {
  if (!(error instanceof YAMLException) || toYamlErrorKind(error.reason) !== 'deficient-indentation') return undefined
  const start = error.mark?.position ?? 0
  const lineBreak = text.lastIndexOf('\n', start - 1)
  if (lineBreak === -1 || !/^ *$/.test(text.slice(lineBreak + 1, start))) return undefined
  const before = text.slice(text.lastIndexOf('\n', lineBreak - 1) + 1, lineBreak)
  // A comment would go on, and a blank line without a space is part of a quoted value.
  const isBlank = before.trim() === ''
  if ((isBlank && !/ \r?$/.test(before)) || /(?:^|\s)#/.test(before)) return undefined
  if (/[\]}]/.test(text[start] ?? '')) return start
  const line = /^[^\r\n]*/.exec(text.slice(start, start + 1_000))?.[0] ?? ''
  const isQuoted = start === lineBreak + 1 && (isBlank || /\S$/.test(before))
  return isQuoted && !/^["']?[\w$/-]+["']?:(?:\s|$)/.test(line) ? start : undefined
}
