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
 * what the grammar knew before it, so it is asked once for each: the samples of a reference have most of their lines in common.
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
    const lines = highlighter.codeToTokensBase(line, { ...options, ...(before.grammar && { grammarState: before.grammar }) })
    const grammar = highlighter.getLastGrammarState(lines)
    return { tokens: lines[0] ?? [], after: grammar ? toKnown(grammar) : before }
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
      const before = state
      const colored = colorLine(line, before)
      if (!before.lines.has(line)) count++
      before.lines.set(line, colored)
      state = colored.after
      return colored.tokens
    })
  }
}
