import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'

/** The state of a grammar between two lines, shared by all code that reaches it. */
interface LineState {
  /** Absent before the first line. */
  readonly grammar: GrammarState | undefined
  readonly lines: Map<string, ColoredLine>
}

interface ColoredLine {
  readonly tokens: readonly ThemedToken[]
  readonly after: LineState
}

/** The most lines that are cached per language. When the limit is reached, the cache is cleared. */
const maxLines = 20_000
/** The longest line that is highlighted. */
const maxLength = 2_000

/**
 * Creates a function that highlights code line by line with the grammar of a language. The tokens of a line depend only on the line and the previous
 * grammar state, so they are cached. Code samples of authors share most of their lines.
 */
export function createLineColors(highlighter: HighlighterCore, language: string, theme: string) {
  // Generous, so that the output does not depend on the speed of the machine.
  const options = { lang: language, theme, tokenizeTimeLimit: 5_000 }
  let states: LineState[] = []
  let start: LineState = { grammar: undefined, lines: new Map() }
  let count = 0

  /** Returns the cached state that equals a grammar state. */
  function reuseState(grammar: GrammarState): LineState {
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
    const colored = { tokens: lines[0] ?? [], after: grammar ? reuseState(grammar) : before }
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
      // Empty and very long lines do not change the state, as in the grammar's own implementation.
      if (line === '') return []
      if (line.length >= maxLength) return [{ content: line, offset: 0 }]
      const { tokens, after } = colorLine(line, state)
      state = after
      return tokens
    })
  }
}
