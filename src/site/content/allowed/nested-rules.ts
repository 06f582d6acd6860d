/** A stylesheet in which all nested rules start with `&`, because css-tree reads others as declarations. */
interface MarkedStylesheet {
  readonly text: string
  /** Returns the offset in the original text. */
  readonly toOriginal: (offset: number) => number
}

/** Comments, strings and escapes, in which brackets and semicolons have no meaning, and the characters that have one. */
const tokens = /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|[{};()[\]]|[^\s]/g

/** Writes `& p {}` instead of `p {}` for rules inside of rules. */
export function markNestedRules(text: string): MarkedStylesheet {
  const parts: string[] = []
  /** Offsets in the new text, and the number of characters inserted up to each of them. */
  const inserted: { readonly at: number; readonly shift: number }[] = []
  let copied = 0
  let added = 0
  const insert = (at: number, mark: string) => {
    parts.push(text.slice(copied, at), mark)
    copied = at
    const position = at + added
    added += mark.length
    inserted.push({ at: position, shift: added })
  }
  /** For each open block, whether rules in it are nested. */
  const open: boolean[] = []
  let depth = 0
  let start: number | undefined
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('/*')) continue
    if (token === '(' || token === '[') depth++
    else if (token === ')' || token === ']') depth = Math.max(0, depth - 1)
    else if (depth === 0 && token === '{') {
      const isInRule = open.at(-1) ?? false
      const prelude = text.slice(start ?? index, index)
      const isRule = !prelude.startsWith('@') && !prelude.startsWith('--')
      if (isInRule && isRule && !prelude.startsWith('&')) insertMarks(start ?? index, index, prelude, insert)
      open.push(isRule || isInRule)
    } else if (depth === 0 && token === '}') open.pop()
    if (depth === 0 && /^[{};]$/.test(token)) start = undefined
    else start ??= index
  }
  return {
    text: parts.join('') + text.slice(copied),
    toOriginal: (offset) => {
      let [low, high] = [0, inserted.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((inserted[middle]?.at ?? 0) < offset) low = middle + 1
        else high = middle
      }
      return offset - (inserted[low - 1]?.shift ?? 0)
    },
  }
}

/** `p` becomes `& p`, `.dark &` becomes `&:is(.dark &)`, and `.dark & p` becomes `& :is(.dark & p)`. */
function insertMarks(start: number, end: number, prelude: string, insert: (at: number, mark: string) => void): void {
  const last = prelude.lastIndexOf('&')
  if (last === -1) {
    insert(start, '& ')
    return
  }
  const isSubject = !/[\s>+~]/.test(prelude.slice(last).trim())
  insert(start, isSubject ? '&:is(' : '& :is(')
  insert(end, ')')
}
