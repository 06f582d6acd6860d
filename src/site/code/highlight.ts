import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { colorJson } from './color-json.ts'
import { createLineColors } from './color-lines.ts'
import { findLanguage, languages } from './languages.ts'

/** A piece of code with one colour. */
export interface CodeToken {
  readonly text: string
  /** The class of its colour; absent for plain text. */
  readonly kind: CodeKind | undefined
}

/** Keyword, string, number, function or key, comment. */
type CodeKind = 'k' | 's' | 'n' | 'f' | 'c'

/** Longest code that is coloured, in UTF-16 units; what is longer is read by machines. */
const maxLength = 12_000

const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--', variableDefaults: {} })
const highlighter = createHighlighterCoreSync({
  themes: [theme],
  langs: [],
  // Grammars have patterns that only Ruby's engine knows; without those parts they colour a little less.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})
const loaded = new Set<string>()

/** Loads the grammars of languages, by the names that people write. What is coloured before is plain. */
export async function loadLanguages(names: Iterable<string>): Promise<void> {
  const wanted = new Set([...names].flatMap((name) => findLanguage(name) ?? []).filter((name) => !loaded.has(name)))
  const grammars = await Promise.all([...wanted].map(async (name) => (await languages[name]?.())?.default ?? []))
  highlighter.loadLanguageSync(grammars.flat())
  for (const name of wanted) loaded.add(name)
}

/** The lines of a code in coloured pieces; plain where the language is not loaded or the code is very long. Never throws. */
export function highlight(code: string, language: string | undefined): readonly (readonly CodeToken[])[] {
  const name = findColored(code, language)
  if (name === undefined) return toPlain(code)
  return (name === 'json' ? colorJson(code) : undefined) ?? color(code, name)
}

/** The language by which a code is coloured; absent where it is plain. */
export function findColored(code: string, language: string | undefined): string | undefined {
  const name = language === undefined ? undefined : findLanguage(language)
  return name === undefined || !loaded.has(name) || code.length > maxLength ? undefined : name
}

function toPlain(code: string): CodeToken[][] {
  return code.split('\n').map((line) => (line === '' ? [] : [{ text: line, kind: undefined }]))
}

const lineColors = new Map<string, ReturnType<typeof createLineColors>>()

function color(code: string, name: string): readonly (readonly CodeToken[])[] {
  const colorLines = lineColors.get(name) ?? createLineColors(highlighter, name, 'site')
  lineColors.set(name, colorLines)
  return colorLines(code).map((all) => {
    const line = name === 'json' ? all.map(toJsonToken) : all
    const pieces: CodeToken[] = []
    for (const { content, color: variable } of line) {
      const kind = kinds[variable ?? '']
      const last = pieces.at(-1)
      if (last && last.kind === kind) pieces[pieces.length - 1] = { text: last.text + content, kind }
      else pieces.push({ text: content, kind })
    }
    return pieces
  })
}

/** Keys of JSON have the colour of functions, and its words the one of keywords: the theme gives both the colour of other things. */
function toJsonToken<T extends { readonly content: string; readonly color?: string }>(token: T): T {
  if (token.color === 'var(--token-keyword)') return { ...token, color: 'var(--token-function)' }
  const isWord = token.color === 'var(--token-constant)' && /^\s*(?:true|false|null)\s*$/.test(token.content)
  return isWord ? { ...token, color: 'var(--token-keyword)' } : token
}

const kinds: Readonly<Record<string, CodeKind>> = {
  'var(--token-keyword)': 'k',
  'var(--token-string)': 's',
  'var(--token-string-expression)': 's',
  'var(--token-constant)': 'n',
  'var(--token-function)': 'f',
  'var(--token-parameter)': 'f',
  'var(--token-comment)': 'c',
  'var(--token-link)': 's',
}
