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
      return short.cuts.length === 0 ? tokens : lengthen(tokens, short.cuts, line)
    })
  }
}

/** An address in quotes, without what any language has something to say about in a text; or words in quotes. */
const quoted = /(?<!\w)(["'])(?:(https?:\/\/)([\w./:@{}=&?#+~,;-]*)|([A-Za-z_][\w -]*))\1/g

/** The quotes in which a language has nothing to say about words. Not single ones where they are for one letter. */
const quotesOfWords: Readonly<Record<string, string>> = { bash: '"', go: '"', javascript: `"'`, python: `"'`, typescript: `"'` }

/** A word of a line that stands in its short form as one letter. */
interface Cut {
  /** Where it stands in the short form. */
  readonly at: number
  /** How much longer it is. */
  readonly by: number
}

/** The line with each word of its addresses, and the words of each of its texts, as one letter. */
function shorten(line: string, language: string): { readonly line: string; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = []
  let cut = 0
  const toLetter = (word: string, start: number): string => {
    cuts.push({ at: start - cut, by: word.length - 1 })
    cut += word.length - 1
    return 'w'
  }
  // The word after `<<` says where a text ends.
  const quotes = line.includes('<<') ? '' : (quotesOfWords[language] ?? '')
  const short = line.replace(
    quoted,
    (whole, quote: string, scheme: string | undefined, rest: string, words: string | undefined, start: number) => {
      if (scheme !== undefined) {
        const restStart = start + quote.length + scheme.length
        const shortRest = rest.replace(/(?<=\{)\w+(?=\})|(?<![{\w])[\w.-]+(?!\})/g, (word, at: number) =>
          toLetter(word, restStart + at),
        )
        return `${quote}${scheme}${shortRest}${quote}`
      }
      const isText = quotes.includes(quote) && isApart(line, start, start + whole.length)
      return words === undefined || !isText ? whole : `${quote}${toLetter(words, start + 1)}${quote}`
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
