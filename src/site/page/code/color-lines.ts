import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'
import { readOwn } from '../../../text/json/json-values.ts'

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
 * grammar state, so they are cached. Code samples share most of their lines, except for the words in URLs and strings.
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
      const short = shorten(line, language)
      const { tokens, after } = colorLine(short.line, state)
      state = after
      return short.line === line ? tokens : restoreTokens(tokens, short.cuts, line)
    })
  }
}

/** Parts of a line that can be shortened without changing its tokens: quoted strings and URLs, numbers, and indentation. */
const shortenable = /(?<!\w)(["'])(?:(https?:\/\/)?([\w.,:;/@+=()&?#~{}% -]*))\1|(?<=[\s:,([=])[1-9]\d+(?=[\s,)\]};]|$)|^ {3,}/g

/** The quotes of each language, and which quoted text the language does not interpret. */
const plainTexts: Readonly<Record<string, { readonly quotes: string; readonly text: RegExp }>> = {
  bash: { quotes: '"', text: /^[^%#]*$/ },
  // `%d` and `{name}` are placeholders.
  go: { quotes: '"', text: /^[^%]*$/ },
  javascript: { quotes: `"'`, text: /^/ },
  python: { quotes: `"'`, text: /^[^%{}]*$/ },
  typescript: { quotes: `"'`, text: /^/ },
}

/** A part of a line that was shortened. */
interface Cut {
  /** Its position in the short line. */
  readonly at: number
  /** The number of removed characters. */
  readonly by: number
}

/** Replaces each string, number and word of a URL with a single character. */
function shorten(line: string, language: string): { readonly line: string; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = []
  let cut = 0
  const toShort = (long: string, start: number, short: string): string => {
    if (long.length === short.length) return short
    cuts.push({ at: start - cut, by: long.length - short.length })
    cut += long.length - short.length
    return short
  }
  const plain = readOwn(plainTexts, language)
  // Keep the delimiter of a heredoc.
  const quotes = line.includes('<<') ? '' : (plain?.quotes ?? '')
  const short = line.replace(
    shortenable,
    (whole: string, quote: string | undefined, scheme: string | undefined, rest: string, start: number) => {
      if (quote === undefined) return plain === undefined ? whole : toShort(whole, start, whole.startsWith(' ') ? '  ' : '1')
      const text = whole.slice(1, -1)
      if (text === '') return whole
      if (quotes.includes(quote) && plain?.text.test(text) && isApart(line, start, start + whole.length)) {
        return `${quote}${toShort(text, start + 1, 'w')}${quote}`
      }
      if (scheme === undefined || /[%() ]/.test(rest)) return whole
      const restStart = start + quote.length + scheme.length
      const shortRest = rest.replace(/(?<=\{)\w+(?=\})|(?<![{\w])[\w.-]+(?!\})/g, (word, at: number) =>
        toShort(word, restStart + at, 'w'),
      )
      return `${quote}${scheme}${shortRest}${quote}`
    },
  )
  return { line: short, cuts }
}

/** Whether whitespace or punctuation surrounds a range. Otherwise, its quotes may belong to different strings. */
function isApart(line: string, start: number, end: number): boolean {
  return /^[\s:,([{=]?$/.test(line.charAt(start - 1)) && /^[\s:,)\]};]?$/.test(line.charAt(end))
}

/** Converts the tokens of a short line to those of the original line. */
function restoreTokens(tokens: readonly ThemedToken[], cuts: readonly Cut[], line: string): ThemedToken[] {
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
