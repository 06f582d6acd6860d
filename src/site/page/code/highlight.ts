import aliases from '../../../../texts/language-names.json' with { type: 'json' }
import { parseJson, readOwn } from '../../../text/json/json-values.ts'
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

/** Splits code into lines of parts, each with the variable of its color. */
export type ColorLines = (code: string) => readonly (readonly { readonly content: string; readonly color?: string }[])[]

const colored = new Map<string, ColorLines>()

/** Colors code in a language from now on. */
export function addLanguage(name: string, colorLines: ColorLines): void {
  colored.set(name, colorLines)
}

export function hasLanguage(name: string): boolean {
  return colored.has(name)
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
  const name = language === undefined ? undefined : toLanguageName(language)
  return name === undefined || !colored.has(name) || (code.length > maxLength && name !== 'json') ? undefined : name
}

function toPlain(code: string): CodeToken[][] {
  return code.split('\n').map((line) => (line === '' ? [] : [{ text: line, kind: undefined }]))
}

function color(code: string, name: string): readonly (readonly CodeToken[])[] {
  const lines = colored.get(name)?.(code) ?? []
  return lines.map((all) => {
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

/** The name of a language that has this name or alias. */
export function toLanguageName(alias: string): string {
  const lower = alias.toLowerCase()
  return readOwn(aliases, lower) ?? lower
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
