import { createScanner } from 'jsonc-parser'
import type { SyntaxProblem } from '../plain/source-file.ts'
import { suggest } from '../plain/suggest.ts'

/** What the JSON grammar allows next. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'end'

interface Token {
  readonly kind: number
  readonly start: number
  readonly end: number
}

// The library declares these as `const enum`, which isolated modules cannot import.
const kinds = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, number: 11 }
const commentKinds = [12, 13]
const blankKinds = [14, 15]
const endKind = 17
const scanErrors = { endOfString: 2, endOfNumber: 3, unicode: 4, escape: 5, character: 6 }

/**
 * Finds the first syntax error in JSON text.
 *
 * The messages of `JSON.parse` differ between Node.js versions and do not always have a location, so its error is only a fallback.
 * Nesting is tracked in a list, so deep text cannot overflow the stack.
 */
export function findJsonProblem(text: string, parseError: unknown): SyntaxProblem {
  const scanner = createScanner(text, false)
  const open: string[] = []
  let expected: Expected = 'value'
  let last: Token = { kind: 0, start: 0, end: 0 }
  for (;;) {
    const kind = scanner.scan() as number
    const token = { kind, start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + scanner.getTokenLength() }
    if (blankKinds.includes(kind)) continue
    const fault =
      findTokenProblem(text, token, scanner.getTokenError() as number) ?? findGrammarProblem(text, token, last, expected, open)
    if (fault) return fault
    if (kind === endKind) return fromParseError(text, parseError)
    expected = nextExpected(kind, expected, open)
    last = token
  }
}

/** Finds an error inside a string, number or comment. */
function findTokenProblem(text: string, { kind, start, end }: Token, error: number): SyntaxProblem | undefined {
  if (commentKinds.includes(kind)) {
    return toProblem(text, start, end, 'unexpected comment, JSON does not allow comments', 'Remove it')
  }
  const token = text.slice(start, end)
  switch (error) {
    case scanErrors.endOfString:
      return toProblem(text, start, end, 'this string is not closed on its line', 'Add the closing `"`')
    case scanErrors.endOfNumber:
      return toProblem(text, start, end, describeUnexpected(text, start))
    case scanErrors.unicode:
    case scanErrors.escape:
    case scanErrors.character:
      return findCharacterProblem(text, start, token)
    default:
      return undefined
  }
}

/** The scanner reports the last of several errors in a string. This finds the first one, as `JSON.parse` does. */
function findCharacterProblem(text: string, start: number, token: string): SyntaxProblem {
  const [found, badEscape] = firstBadEscape(token)
  const control = token.search(/[\0-\x1f]/)
  if (control === -1 || (found !== '' && badEscape < control)) {
    const at = start + badEscape
    const hint = found.startsWith('\\u')
      ? 'Write four hexadecimal digits after `\\u`, such as `\\u00e9`'
      : 'Write `\\\\` for a backslash'
    return toProblem(text, at, at + found.length, `unexpected escape \`${found}\` in a string`, hint)
  }
  const escaped = JSON.stringify(token[control]).slice(1, -1)
  const at = start + control
  return toProblem(text, at, at + 1, 'unexpected control character in a string', `Escape it as \`${escaped}\``)
}

/** Finds a valid token in the wrong location. */
function findGrammarProblem(
  text: string,
  token: Token,
  last: Token,
  expected: Expected,
  open: readonly string[],
): SyntaxProblem | undefined {
  const { kind, start } = token
  if (kind === endKind) {
    if (expected === 'end') return undefined
    const hint = open.length === 0 ? undefined : `Add the missing \`${open.at(-1)}\``
    return toProblem(text, last.end, last.end, 'unexpected end of the file', hint)
  }
  const conflict = findConflict(text, start)
  if (conflict) return conflict
  const found = describeUnexpected(text, start)
  const word = wordAt(text, start)
  const end = start + Math.max(word.length, 1)
  if (word === '#') return toProblem(text, start, end, 'unexpected comment, JSON does not allow comments', 'Remove it')
  if (/[“”„‟«»‘’]/.test(word)) return toProblem(text, start, end, found, 'Use straight double quotes: `"`')
  const closes = kind === kinds.closeBrace || kind === kinds.closeBracket
  if (closes && last.kind === kinds.comma && open.at(-1) === text[start]) {
    return toProblem(text, last.start, last.end, `unexpected \`,\` before \`${text[start]}\``, 'Remove it')
  }
  if (/[\s\ufeff]/.test(word)) {
    const code = word.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return toProblem(text, start, end, `unexpected whitespace U+${code}`, 'Use a normal space')
  }
  if (word === "'") return toProblem(text, start, end, found, 'Use double quotes')
  switch (expected) {
    case 'value':
    case 'value-or-end': {
      if (isValueStart(kind) || (expected === 'value-or-end' && kind === kinds.closeBracket)) return undefined
      return toProblem(text, start, end, `${found}, expected a value`, valueHint(word, last))
    }
    case 'name':
    case 'name-or-end':
      if (kind === kinds.string || (expected === 'name-or-end' && kind === kinds.closeBrace)) return undefined
      return toProblem(text, start, end, `${found}, expected a key in double quotes`, nameHint(word, last))
    case 'colon':
      return kind === kinds.colon
        ? undefined
        : toProblem(text, start, end, `${found}, expected \`:\``, word === '=' ? 'Write `:`' : 'Add a `:`')
    case 'comma-or-end':
      return kind === kinds.comma || open.at(-1) === text[start] ? undefined : toCommaProblem(text, token, last, open)
    case 'end':
      return toProblem(
        text,
        start,
        end,
        `${found} after the end of the document`,
        /[,}\]]/.test(word) ? 'Remove it, or remove the extra closing bracket above' : undefined,
      )
  }
}

/** Suggests a replacement for an unexpected word or character. */
function valueHint(word: string, last: Token): string | undefined {
  if (word === ',') return last.kind === kinds.colon ? 'Add a value before it' : 'Remove it'
  const near = word === 'undefined' ? 'None' : suggest(word, ['true', 'false', 'null', 'None'])
  if (near !== undefined) return `Write \`${near === 'None' ? 'null' : near}\``
  if (/^[+.]\d/.test(word)) return `Write \`${word.replace(/^\+/, '').replace(/^\./, '0.')}\``
  if (/^[+-]?(?:NaN|Infinity)$/.test(word)) return 'Use a finite number or `null`: JSON has no such number'
  return /^[A-Za-z_$]/.test(word) ? 'Put strings in double quotes' : undefined
}

function nameHint(word: string, last: Token): string | undefined {
  if (word === ',') return 'Remove it'
  return last.kind !== kinds.string && /^[A-Za-z_$][\w$-]*$/.test(word) ? `Write \`"${word}"\`` : undefined
}

/** Detects the conflict markers of Git. */
function findConflict(text: string, start: number): SyntaxProblem | undefined {
  const isMarker =
    (start === 0 || text[start - 1] === '\n') && /^(?:<{7}|={7}|>{7})(?=[ \r\n]|$)/.test(text.slice(start, start + 8))
  if (!isMarker) return undefined
  const hint = 'Keep one of the two sides and remove the marker lines'
  return toProblem(text, start, start + 7, 'unresolved merge conflict', hint)
}

function toCommaProblem(text: string, { kind, start }: Token, last: Token, open: readonly string[]): SyntaxProblem {
  const end = start + Math.max(wordAt(text, start).length, 1)
  if (kind === kinds.closeBrace || kind === kinds.closeBracket) {
    return toProblem(text, start, end, `${describeUnexpected(text, start)}, expected \`${open.at(-1)}\``)
  }
  if (last.kind === kinds.number && last.end === start) {
    const hint = text[last.start] === '0' ? 'Remove the leading 0' : undefined
    return toProblem(text, last.start, end, describeUnexpected(text, last.start), hint)
  }
  if (/[\n\r]/.test(text.slice(last.end, start))) {
    return toProblem(text, last.end, last.end, 'unexpected end of the line, expected `,`', 'Add a `,`')
  }
  return toProblem(text, start, end, `${describeUnexpected(text, start)}, expected \`,\``, 'Add a `,` before it')
}

/** Also tracks the closing brackets that are still expected. */
function nextExpected(kind: number, expected: Expected, open: string[]): Expected {
  switch (kind) {
    case kinds.openBrace:
      open.push('}')
      return 'name-or-end'
    case kinds.openBracket:
      open.push(']')
      return 'value-or-end'
    case kinds.closeBrace:
    case kinds.closeBracket:
      open.pop()
      break
    case kinds.comma:
      return open.at(-1) === '}' ? 'name' : 'value'
    case kinds.colon:
      return 'value'
    default:
      if (expected === 'name' || expected === 'name-or-end') return 'colon'
  }
  return open.length === 0 ? 'end' : 'comma-or-end'
}

function isValueStart(kind: number): boolean {
  return kind === kinds.openBrace || kind === kinds.openBracket || (kind >= 7 && kind <= kinds.number)
}

function firstBadEscape(token: string): [found: string, offset: number] {
  for (const { 0: found, index } of token.matchAll(/\\(?:u[0-9A-Za-z]{0,4}|[\s\S])/g)) {
    if (!/^\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})$/.test(found)) return [found, index]
  }
  return ['', 0]
}

function describeUnexpected(text: string, offset: number): string {
  return `unexpected \`${wordAt(text, offset)}\``
}

function wordAt(text: string, offset: number): string {
  return /^(?:[A-Za-z0-9_$.+-]{1,30}|[\s\S])/u.exec(text.slice(offset, offset + 40))?.[0] ?? ''
}

function fromParseError(text: string, parseError: unknown): SyntaxProblem {
  const position = /position (\d+)/.exec(String(parseError))?.[1]
  const start = Math.min(Number(position ?? text.length), text.length)
  return toProblem(text, start, start + 1, start === text.length ? 'unexpected end of the file' : describeUnexpected(text, start))
}

function toProblem(text: string, start: number, end: number, message: string, hint?: string): SyntaxProblem {
  const offsets = { start: Math.min(start, text.length), end: Math.min(Math.max(end, start), text.length) }
  return { code: 'json-syntax', message: `Cannot read the JSON: ${message}`, offsets, hint }
}
