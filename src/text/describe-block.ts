import type { YamlErrorWords } from './describe-yaml-error.ts'
import { type Line, lineAbove, lineAt } from './line-at.ts'

/** Lines longer than this are nobody's handwriting, and expressions on them cost. */
const longestLine = 2_000
/** How far above the words of a block its `|` is looked for, in lines. */
const farthest = 200

/**
 * Says that the text of a block (`|`, `>`) begins too far left, which ends the block: the parser then takes its words for a key.
 * `undefined` where it is not that.
 *
 * @param start where the parser gave up: at the words, or on the line after them
 */
export function describeBlock(text: string, start: number): YamlErrorWords | undefined {
  const above = lineAbove(text, start)
  for (const line of above ? [above, lineAt(text, start)] : [lineAt(text, start)]) {
    if (!isWords(line)) continue
    const found = findIndicator(text, line)
    if (!found) continue
    const { first, key, indent } = found
    const at = first.start + indentOf(first)
    const message = `the text of \`${key}\` begins too far left`
    const hint = `indent it by more than ${indent} ${indent === 1 ? 'space' : 'spaces'}, which is where \`${key}\` stands`
    return { message, hint, offsets: { start: at, end: first.start + first.text.trimEnd().length } }
  }
  return undefined
}

/** The key of the block that a line of words belongs to, and the first of these lines that is too far left. */
function findIndicator(
  text: string,
  words: Line,
): { readonly first: Line; readonly key: string; readonly indent: number } | undefined {
  const left: Line[] = [words]
  let line = lineAbove(text, words.start)
  for (let count = 0; line && count < farthest && line.text.length <= longestLine; count++) {
    const match = /^(\s*(?:- +)*)([\w$'"/.-]+):\s+[|>][-+\d]{0,2}\s*(?:#.*)?$/.exec(line.text)
    if (match) {
      const [, before = '', key = ''] = match
      const first = left.findLast((entry) => indentOf(entry) <= before.length)
      return first && { first, key, indent: before.length }
    }
    if (!isWords(line)) return undefined
    left.push(line)
    line = lineAbove(text, line.start)
  }
  return undefined
}

/** Whether a line has neither a key nor the sign of a list or a comment. */
function isWords({ text }: Line): boolean {
  return text.length <= longestLine && !/^\s*(?:$|#|- |[^\s:]+:(?:\s|$))/.test(text)
}

function indentOf({ text }: Line): number {
  return text.length - text.trimStart().length
}
