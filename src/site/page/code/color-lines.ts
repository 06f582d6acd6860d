import {
  createCssVariablesTheme,
  createHighlighterCoreSync,
  type GrammarState,
  type HighlighterCore,
  type LanguageRegistration,
  type ThemedToken,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { readOwn } from '../../../text/json/json-values.ts'
import { addLanguage, hasLanguage, toLanguageName } from './highlight.ts'

// The grammars of languages. Only programs that write pages load this module: it is larger than the rest of a check.

const theme = 'site'
const highlighter = createHighlighterCoreSync({
  themes: [createCssVariablesTheme({ name: theme, variablePrefix: '--', variableDefaults: {} })],
  langs: [],
  // Some grammar patterns need a Ruby-compatible engine. Skip them.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** Loads the grammars of languages by their names or aliases. Code in other languages is not highlighted. */
export async function loadLanguages(names: Iterable<string>): Promise<void> {
  const wanted = new Set([...names].map(toLanguageName).filter((name) => Object.hasOwn(languages, name) && !hasLanguage(name)))
  const grammars = await Promise.all([...wanted].map(async (name) => (await readOwn(languages, name)?.())?.default ?? []))
  highlighter.loadLanguageSync(grammars.flat())
  for (const name of wanted) addLanguage(name, createLineColors(highlighter, name, theme))
}

type LoadLanguage = () => Promise<{ readonly default: LanguageRegistration[] }>

/** The supported languages, loaded on demand. */
const languages: Readonly<Record<string, LoadLanguage>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  dotenv: () => import('shiki/langs/dotenv.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  http: () => import('shiki/langs/http.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  mdx: () => import('shiki/langs/mdx.mjs'),
  nginx: () => import('shiki/langs/nginx.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  protobuf: () => import('shiki/langs/proto.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  solidity: () => import('shiki/langs/solidity.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  terraform: () => import('shiki/langs/terraform.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

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
