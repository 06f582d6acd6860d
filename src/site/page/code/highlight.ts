import { createCssVariablesTheme, createHighlighterCoreSync, type LanguageRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import aliases from '../../../../texts/language-names.json' with { type: 'json' }
import { parseJson, readOwn } from '../../../text/json/json-values.ts'
import { getOrMake } from '../../../text/plain/lists.ts'
import { createLineColors } from './color-lines.ts'
import { jsonToken, toJsonColor } from './json-colors.ts'

/** A part of code with one color. */
export interface CodeToken {
  readonly text: string
  /** The class of its color; absent for plain text. */
  readonly kind: CodeKind | undefined
}

/** Keyword, string or added line, number or changed line, function or key, comment, removed line. */
export type CodeKind = 'k' | 's' | 'n' | 'f' | 'c' | 'd'

/** The longest code that a grammar highlights, in UTF-16 code units. JSON needs no grammar and can have any length. */
const maxLength = 12_000

const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--', variableDefaults: {} })
const highlighter = createHighlighterCoreSync({
  themes: [theme],
  langs: [],
  // Some grammar patterns need a Ruby-compatible engine. Skip them.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})
const loaded = new Set<string>()

/** Loads the grammars of languages by their names or aliases. Code in other languages is not highlighted. */
export async function loadLanguages(names: Iterable<string>): Promise<void> {
  const wanted = new Set([...names].flatMap((name) => findLanguage(name) ?? []).filter((name) => !loaded.has(name)))
  const grammars = await Promise.all([...wanted].map(async (name) => (await readOwn(languages, name)?.())?.default ?? []))
  highlighter.loadLanguageSync(grammars.flat())
  for (const name of wanted) loaded.add(name)
}

/** Tokenizes code by line. Returns plain text if the language is not loaded, or for very long code other than JSON. Never throws. */
export function highlight(code: string, language: string | undefined): readonly (readonly CodeToken[])[] {
  const name = findColored(code, language)
  if (name === undefined) return toPlain(code)
  if (name === 'json' && parseJson(code) !== undefined) return colorJson(code)
  return code.length > maxLength ? toPlain(code) : color(code, name)
}

/** The language for highlighting; `undefined` if code is shown as plain text. */
export function findColored(code: string, language: string | undefined): string | undefined {
  const name = language === undefined ? undefined : findLanguage(language)
  return name === undefined || !loaded.has(name) || (code.length > maxLength && name !== 'json') ? undefined : name
}

function toPlain(code: string): CodeToken[][] {
  return code.split('\n').map((line) => (line === '' ? [] : [{ text: line, kind: undefined }]))
}

const lineColors = new Map<string, ReturnType<typeof createLineColors>>()

function color(code: string, name: string): readonly (readonly CodeToken[])[] {
  const colorLines = getOrMake(lineColors, name, () => createLineColors(highlighter, name, 'site'))
  return colorLines(code).map((all) => {
    const line = name === 'json' ? all.map(toJsonToken) : all
    const pieces: CodeToken[] = []
    for (const { content, color: variable } of line) {
      const kind = readOwn(kinds, variable ?? '')
      const last = pieces.at(-1)
      if (last && last.kind === kind) pieces[pieces.length - 1] = { text: last.text + content, kind }
      else pieces.push({ text: content, kind })
    }
    return pieces
  })
}

/** Gives JSON keys the color of functions, and `true`, `false` and `null` the color of keywords. */
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
  'var(--token-inserted)': 's',
  'var(--token-deleted)': 'd',
  'var(--token-changed)': 'n',
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

/** The language for a name or alias; `undefined` if it is not supported. */
function findLanguage(name: string): string | undefined {
  const lower = name.toLowerCase()
  const found = readOwn(aliases, lower) ?? lower
  return Object.hasOwn(languages, found) ? found : undefined
}

/** Tokenizes JSON as its grammar does. The grammar takes quadratic time for values that are nested over many lines. */
function colorJson(code: string): CodeToken[][] {
  const lines: CodeToken[][] = [[]]
  const add = (text: string) => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, kind: undefined })
    }
  }
  let end = 0
  for (const { 0: match, 1: text = match, index } of code.matchAll(jsonToken)) {
    add(code.slice(end, index))
    lines.at(-1)?.push({ text, kind: toJsonColor(match) })
    end = index + text.length
  }
  add(code.slice(end))
  return lines
}
