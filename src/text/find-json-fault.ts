import { printParseErrorCode, visit } from 'jsonc-parser'
import type { SyntaxFault } from './parse-source.ts'

/**
 * Finds the first place where a text is not JSON and says what is wrong there.
 *
 * `JSON.parse` says it in other words with each Node version and not always with a place, so its error is only the last resort.
 */
export function findJsonFault(text: string, parseError: unknown): SyntaxFault {
  const fault = firstScannerError(text)
  if (!fault) {
    const position = /position (\d+)/.exec(String(parseError))?.[1]
    const start = Math.min(Number(position ?? 0), text.length)
    return toFault(text, start, start + 1, describeUnexpected(text, start))
  }
  const { code, offset, length } = fault
  const found = text[offset]
  const comma = lastNonBlank(text, offset - 1)
  if ((found === '}' || found === ']') && text[comma] === ',') {
    return toFault(text, comma, comma + 1, `unexpected \`,\` before \`${found}\``, 'remove it')
  }
  if (code === 'InvalidCommentToken') {
    return toFault(text, offset, offset + length, 'unexpected comment, JSON has none', 'remove it, or write the document as YAML')
  }
  if (code === 'UnexpectedEndOfString') {
    return toFault(text, offset, offset + length, 'this string does not end on its line', 'add the closing `"`')
  }
  if (code === 'InvalidCharacter') {
    return toFault(text, offset, offset + 1, 'unexpected control character in a string', 'escape it, for example `\\n`')
  }
  if (code === 'CommaExpected') {
    return toFault(text, offset, offset + length, `${describeUnexpected(text, offset)}, expected \`,\``, 'add a `,` before it')
  }
  if (code === 'ColonExpected') {
    return toFault(text, offset, offset + length, `${describeUnexpected(text, offset)}, expected \`:\``)
  }
  if (found === "'") return toFault(text, offset, offset + 1, "unexpected `'`", 'JSON strings stand in double quotes')
  if (code === 'PropertyNameExpected') {
    return toFault(text, offset, offset + length, `${describeUnexpected(text, offset)}, expected a name in double quotes`)
  }
  return toFault(text, offset, offset + length, describeUnexpected(text, offset))
}

function toFault(text: string, start: number, end: number, message: string, hint?: string): SyntaxFault {
  const offsets = { start: Math.min(start, text.length), end: Math.min(Math.max(end, start), text.length) }
  return { code: 'json-syntax', message: `Cannot read the JSON: ${message}`, offsets, ...(hint === undefined ? {} : { hint }) }
}

function describeUnexpected(text: string, offset: number): string {
  const found = /^(?:[A-Za-z0-9_$.+-]{1,30}|[^\s])/u.exec(text.slice(offset, offset + 40))?.[0]
  return found === undefined ? 'unexpected end of the file' : `unexpected \`${found}\``
}

function lastNonBlank(text: string, from: number): number {
  let offset = from
  while (offset >= 0 && /\s/.test(text[offset] ?? '')) offset--
  return offset
}

class FirstError extends Error {
  readonly code: string
  readonly offset: number
  readonly length: number
  constructor(code: string, offset: number, length: number) {
    super()
    this.code = code
    this.offset = offset
    this.length = length
  }
}

/** The scanner goes on after an error and has no way to stop it but an exception. */
function firstScannerError(text: string): FirstError | undefined {
  try {
    visit(
      text,
      {
        onError(code, offset, length) {
          throw new FirstError(printParseErrorCode(code), offset, length)
        },
      },
      { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
    )
  } catch (error) {
    if (error instanceof FirstError) return error
    throw error
  }
  return undefined
}
