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
 * words of addresses and texts, which look alike.
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
      const short = shorten(line, language)
      const { tokens, after } = colorLine(short.line, state)
      state = after
      return short.line === line ? tokens : lengthen(tokens, short.cuts, line)
    })
  }
}

/** What can be shorter and look alike: a text or an address in quotes; in the languages of `plainTexts` also a number, and what a line begins with. */
const shortenable = /(?<!\w)(["'])(?:(https?:\/\/)?([\w.,:;/@+=()&?#~{}% -]*))\1|(?<=[\s:,([=])[1-9]\d+(?=[\s,)\]};]|$)|^ {3,}/g

/** What is in quotes and says nothing in a language: the quotes (not single ones where they are for one letter, or where all is text), and all of the text. */
const plainTexts: Readonly<Record<string, { readonly quotes: string; readonly text: RegExp }>> = {
  bash: { quotes: '"', text: /^[^%#]*$/ },
  // `%d` and `{name}` are places for values.
  go: { quotes: '"', text: /^[^%]*$/ },
  javascript: { quotes: `"'`, text: /^/ },
  python: { quotes: `"'`, text: /^[^%{}]*$/ },
  typescript: { quotes: `"'`, text: /^/ },
}

/** A part of a line that is shorter in its short form. */
interface Cut {
  /** Where it stands there. */
  readonly at: number
  /** How much longer it is. */
  readonly by: number
}

/** The line with each word of its addresses, and each of its texts and numbers, as one letter. */
function shorten(line: string, language: string): { readonly line: string; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = []
  let cut = 0
  const toShort = (long: string, start: number, short: string): string => {
    if (long.length === short.length) return short
    cuts.push({ at: start - cut, by: long.length - short.length })
    cut += long.length - short.length
    return short
  }
  const plain = plainTexts[language]
  // The word after `<<` says where a text ends.
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

/** Whether blanks and the marks of lists are around: elsewhere quotes may end a text and begin another. */
function isApart(line: string, start: number, end: number): boolean {
  return /^[\s:,([{=]?$/.test(line.charAt(start - 1)) && /^[\s:,)\]};]?$/.test(line.charAt(end))
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
