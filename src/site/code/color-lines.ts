import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'

/** What a grammar knows after some lines of a code; of all codes that come to it. */
interface LineState {
  /** Absent before the first line. */
  readonly grammar: GrammarState | undefined
  readonly lines: Map<string, ColoredLine>
}

interface ColoredLine {
  readonly tokens: readonly ThemedToken[]
  readonly after: LineState
}

/** Lines that are kept for each language; when there are more, all are forgotten. */
const maxLines = 20_000
/** Longest line that is coloured. */
const maxLength = 2_000

/**
 * Makes the function that colours code with the grammar of a language, line by line. What a line looks like depends on nothing but itself and on
 * what the grammar knew before it, so it is asked once for each: the samples of a reference have most of their lines in common, but for the
 * words of addresses, which look alike.
 */
export function createLineColors(highlighter: HighlighterCore, language: string, theme: string) {
  // No honest code comes near the limit. A short one made the colours depend on how busy the machine was.
  const options = { lang: language, theme, tokenizeTimeLimit: 5_000 }
  let states: LineState[] = []
  let start: LineState = { grammar: undefined, lines: new Map() }
  let count = 0

  /** The state that is equal to it, so that lines after it are found again. */
  function toKnown(grammar: GrammarState): LineState {
    const stack = grammar.getInternalStack(theme)
    const known = states.find((state) => stack !== undefined && state.grammar?.getInternalStack(theme)?.equals(stack))
    if (known) return known
    const state = { grammar, lines: new Map<string, ColoredLine>() }
    states.push(state)
    return state
  }

  function colorLine(line: string, before: LineState): ColoredLine {
    const known = before.lines.get(line)
    if (known) return known
    count++
    const lines = highlighter.codeToTokensBase(line, { ...options, ...(before.grammar && { grammarState: before.grammar }) })
    const grammar = highlighter.getLastGrammarState(lines)
    const colored = { tokens: lines[0] ?? [], after: grammar ? toKnown(grammar) : before }
    before.lines.set(line, colored)
    return colored
  }

  return (code: string): (readonly ThemedToken[])[] => {
    if (count > maxLines) {
      states = []
      start = { grammar: undefined, lines: new Map() }
      count = 0
    }
    let state = start
    return code.split(/\r?\n/).map((line) => {
      // As the grammar's own walk over lines has it: these leave its state as it was.
      if (line === '') return []
      if (line.length >= maxLength) return [{ content: line, offset: 0 }]
      const short = shortenAddresses(line)
      const { tokens, after } = colorLine(short.line, state)
      state = after
      return short.cuts.length === 0 ? tokens : lengthen(tokens, short.cuts, line)
    })
  }
}

/** An address in quotes, without what any language has something to say about in a text. */
const quotedAddress = /(?<!\w)(["'])(https?:\/\/)([\w./:@{}=&?#+~,;-]*)\1/g

/** A word of a line that stands in its short form as one letter. */
interface Cut {
  /** Where it stands in the short form. */
  readonly at: number
  /** How much longer it is. */
  readonly by: number
}

/** The line with each word of its addresses as one letter. */
function shortenAddresses(line: string): { readonly line: string; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = []
  let cut = 0
  const short = line.replace(quotedAddress, (_, quote: string, scheme: string, rest: string, start: number) => {
    const restStart = start + quote.length + scheme.length
    const words = rest.replace(/(?<=\{)\w+(?=\})|(?<![{\w])[\w.-]+(?!\})/g, (word, at: number) => {
      cuts.push({ at: restStart + at - cut, by: word.length - 1 })
      cut += word.length - 1
      return 'w'
    })
    return `${quote}${scheme}${words}${quote}`
  })
  return { line: short, cuts }
}

/** The pieces of a short form as those of its line. */
function lengthen(tokens: readonly ThemedToken[], cuts: readonly Cut[], line: string): ThemedToken[] {
  let shortEnd = 0
  let start = 0
  let longer = 0
  let next = 0
  return tokens.map((token) => {
    shortEnd += token.content.length
    for (let cut = cuts[next]; cut && cut.at < shortEnd; cut = cuts[next]) {
      longer += cut.by
      next++
    }
    const content = line.slice(start, shortEnd + longer)
    start += content.length
    return { ...token, content }
  })
}
