import type { YamlErrorWords } from './describe-yaml-error.ts'
import { lineAbove, lineAt } from './line-at.ts'

/** Lines longer than this are nobody's handwriting, and expressions on them cost. */
const longestLine = 2_000

/**
 * Says that a value or a key begins with `*` and is no alias: words in stars, a media type. `undefined` where it is not that.
 *
 * @param start where the parser gave up: on its line or on the next
 */
export function describeAlias(text: string, start: number): YamlErrorWords | undefined {
  const above = lineAbove(text, start)
  for (const line of above ? [lineAt(text, start), above] : [lineAt(text, start)]) {
    if (line.text.length > longestLine) continue
    const written = line.text.trimEnd()
    const key = /^(\s*(?:- +)*)(\*[^\s:]*):(?:\s|$)/.exec(written)
    if (key) {
      const at = line.start + (key[1]?.length ?? 0)
      const name = key[2] ?? ''
      const offsets = { start: at, end: at + name.length }
      return { message: 'a key that starts with `*` needs quotes', hint: `write \`'${name}':\``, offsets }
    }
    const value = /^(\s*(?:- +)*(?:(?!- )[^\s'"#:][^:]*:\s+)?)(\*(?:\s*|[^\s/*]*[ /*].*))$/.exec(written)
    if (!value) continue
    const [, before = '', words = ''] = value
    const offsets = { start: line.start + before.length, end: line.start + written.length }
    const quoted = words.includes("'") ? `"${words}"` : `'${words}'`
    const hint =
      words.length > 60 || (words.includes('"') && words.includes("'"))
        ? 'put quotes around it'
        : `write \`${before.trim()} ${quoted}\``.replace('` ', '`')
    return { message: 'a value that starts with `*` needs quotes', hint, offsets }
  }
  return undefined
}
