import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Options, Parser } from 'acorn'
import jsx from 'acorn-jsx'
import type { Program } from 'estree-jsx'

/** A parsed `.jsx`, `.js`, `.tsx` or `.ts` file. Nothing in it is ever run on the host. */
export interface ParsedScript {
  readonly kind: 'script'
  readonly file: string
  readonly body: Program['body']
  readonly fault: { readonly message: string; readonly start: number } | undefined
}

/** Maximum length of a snippet. */
const maxScript = 500_000

/** The part of the parser that the types of `acorn` omit. */
type Tokenizer = new (options: Options, input: string) => Parser & { readonly input: string; nextToken(): void }

/** Limits how many tokens are read, since the parser for TypeScript reads ambiguous parts several times. */
function withLimit(Base: typeof Parser): typeof Parser {
  class LimitedParser extends (Base as unknown as Tokenizer) {
    count = 0

    override nextToken(): void {
      if (++this.count > 10_000 + 20 * this.input.length) throw new RangeError('too many tokens')
      super.nextToken()
    }
  }
  return LimitedParser as unknown as typeof Parser
}

const scriptParser = withLimit(Parser.extend(jsx()))
const typedParser = withLimit(Parser.extend(tsPlugin({ jsx: {} })))

/** Parses a snippet with the syntax of its extension: TypeScript, or JavaScript with JSX. */
export function parseScript(file: string, text: string, sourceType: 'module' | 'script' = 'module'): ParsedScript {
  if (text.length > maxScript) {
    const message = `it has more than ${maxScript.toLocaleString('en')} characters`
    return { kind: 'script', file, body: [], fault: { message, start: 0 } }
  }
  const parser = /\.tsx?$/i.test(file) ? typedParser : scriptParser
  try {
    const program = parser.parse(text, {
      ecmaVersion: 'latest',
      sourceType,
      locations: true,
      allowReturnOutsideFunction: sourceType === 'script',
    })
    return { kind: 'script', file, body: (program as Program).body, fault: undefined }
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: 'script', file, body: [], fault: { message: 'it is nested too deeply', start: 0 } }
    if (!(error instanceof SyntaxError)) throw error
    const start = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0
    const message = error.message.replace(/ \(\d+:\d+\)$/, '')
    return { kind: 'script', file, body: [], fault: { message: message.charAt(0).toLowerCase() + message.slice(1), start } }
  }
}
