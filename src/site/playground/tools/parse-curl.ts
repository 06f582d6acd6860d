import { readOwn } from '../../../source/is-object.ts'
import type { NamedText } from '../../request/http-request.ts'
import { say } from '../playground-messages.ts'

/** A request as a curl command describes it. */
export interface CurlRequest {
  /** Upper case. */
  readonly method: string
  readonly url: string
  readonly headers: readonly NamedText[]
  /** The text of the body. */
  readonly body: string | undefined
  /** The fields of `-F`; a value that starts with `@` or `<` names a file. */
  readonly fields: readonly NamedText[]
  /** `name:password` of `-u`. */
  readonly user: string | undefined
  /** Options that have no effect here, such as files. */
  readonly ignored: readonly string[]
}

/** The longest command that is read. */
export const maxCommand = 1_000_000

/**
 * Reads a curl command as it is written for a POSIX shell. Nothing is run: variables and substitutions are unchanged. Returns a message if the
 * text is not a curl command.
 *
 * Source: curl 8, "curl(1)"; POSIX.1-2024, "Shell Command Language", 2.2 Quoting.
 */
export function parseCurl(command: string): CurlRequest | { readonly problem: string } {
  if (command.length > maxCommand) return { problem: say('The command is longer than 1 MB') }
  const words = toWords(command)
  if (!words) return { problem: say('A quote is not closed') }
  const [name, ...rest] = words[0] === '$' ? words.slice(1) : words
  if (name === undefined || !/^(?:.*\/)?curl(?:\.exe)?$/.test(name))
    return { problem: say('Expected a command that starts with `curl`') }
  const found: { -readonly [key in keyof CurlRequest]: CurlRequest[key] } & { method: string } = {
    method: '',
    url: '',
    headers: [],
    body: undefined,
    fields: [],
    user: undefined,
    ignored: [],
  }
  const headers: NamedText[] = []
  const fields: NamedText[] = []
  const data: string[] = []
  const query: string[] = []
  const ignored: string[] = []
  let isGet = false
  let isHead = false
  const addHeader = (text: string) => {
    const at = text.indexOf(':')
    if (at > 0) headers.push({ name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() })
  }
  let hasBody = false
  const addData = (option: string, value: string) => {
    hasBody = true
    if (value.startsWith('@') && option !== '--data-raw') ignored.push(`${option} ${value}`)
    else if (option === '--data-urlencode') data.push(toEncoded(value))
    else data.push(value)
  }
  const actions: Readonly<Record<string, (value: string, option: string) => void>> = {
    '--request': (value) => (found.method = value.toUpperCase()),
    '--url': (value) => (found.url = value),
    '--header': addHeader,
    '--user': (value) => (found.user = value),
    '--user-agent': (value) => addHeader(`User-Agent: ${value}`),
    '--referer': (value) => addHeader(`Referer: ${value}`),
    '--cookie': (value) => addHeader(`Cookie: ${value}`),
    '--oauth2-bearer': (value) => addHeader(`Authorization: Bearer ${value}`),
    '--data': (value, option) => addData(option, value),
    '--json': (value, option) => {
      addData(option, value)
      headers.push({ name: 'Content-Type', value: 'application/json' })
    },
    '--url-query': (value) => query.push(toEncoded(value)),
    '--form': (value) => {
      const at = value.indexOf('=')
      if (at > 0) fields.push({ name: value.slice(0, at), value: value.slice(at + 1) })
    },
  }
  const flags: Readonly<Record<string, () => void>> = {
    '--get': () => (isGet = true),
    '--head': () => (isHead = true),
  }
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? ''
    // Another command follows.
    if (/^(?:\||\|\||&&|;|>|>>)$/.test(word)) break
    const [option, attached] = splitOption(word)
    if (option === undefined) {
      if (found.url === '') found.url = word
      continue
    }
    const known = readOwn(longNames, option) ?? option
    if (Object.hasOwn(flags, known)) flags[known]?.()
    else if (Object.hasOwn(actions, known))
      actions[known]?.(attached ?? rest[++index] ?? '', option.startsWith('--') ? option : known)
    else if (withValue.has(known)) {
      if (attached === undefined) index++
      if (!harmless.has(known)) ignored.push(option)
    }
  }
  if (found.url === '') return { problem: say('The command has no URL') }
  const body = data.length === 0 ? undefined : data.join('&')
  if (isGet && body !== undefined) query.push(body)
  return {
    ...found,
    method: found.method || (isHead ? 'HEAD' : isGet ? 'GET' : hasBody || fields.length > 0 ? 'POST' : 'GET'),
    url: query.length === 0 ? found.url : `${found.url}${found.url.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers,
    body: isGet ? undefined : body,
    fields,
    ignored,
  }
}

/** An option and the value that is written with it, as in `-XPOST` and `--request=POST`. Flags such as in `-sSL` have no effect. */
function splitOption(word: string): readonly [string | undefined, string | undefined] {
  if (!word.startsWith('-') || word === '-') return [undefined, undefined]
  if (word.startsWith('--')) {
    const at = word.indexOf('=')
    return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
  }
  for (let at = 1; at < word.length; at++) {
    const option = `-${word[at]}`
    const known = readOwn(longNames, option)
    if (known === '--get' || known === '--head') return [option, undefined]
    if (known !== undefined) return [option, at + 1 < word.length ? word.slice(at + 1) : undefined]
  }
  return [word, undefined]
}

/** Short options, and other names of options. */
const longNames: Readonly<Record<string, string | undefined>> = {
  '-X': '--request',
  '-H': '--header',
  '-u': '--user',
  '-A': '--user-agent',
  '-e': '--referer',
  '-b': '--cookie',
  '-d': '--data',
  '--data-raw': '--data',
  '--data-binary': '--data',
  '--data-ascii': '--data',
  '--data-urlencode': '--data',
  '-F': '--form',
  '--form-string': '--form',
  '-G': '--get',
  '-I': '--head',
  '-o': '--output',
  '-m': '--max-time',
  '-x': '--proxy',
  '-E': '--cert',
  '-T': '--upload-file',
  '-w': '--write-out',
  '-c': '--cookie-jar',
  '-K': '--config',
}

/** Other options with a value. */
const withValue = new Set([
  ...[
    '--output',
    '--max-time',
    '--proxy',
    '--cert',
    '--key',
    '--cacert',
    '--upload-file',
    '--write-out',
    '--cookie-jar',
    '--config',
  ],
  ...[
    '--connect-timeout',
    '--retry',
    '--retry-delay',
    '--max-redirs',
    '--resolve',
    '--connect-to',
    '--interface',
    '--limit-rate',
  ],
])

/** Options that do not change the request. */
const harmless = new Set([
  '--output',
  '--max-time',
  '--write-out',
  '--connect-timeout',
  '--retry',
  '--retry-delay',
  '--max-redirs',
])

/** The value of `--data-urlencode`: `content`, `=content` or `name=content`. */
function toEncoded(value: string): string {
  const at = value.indexOf('=')
  return at < 0
    ? encodeURIComponent(value)
    : `${value.slice(0, at)}${at > 0 ? '=' : ''}${encodeURIComponent(value.slice(at + 1))}`
}

/** The words of a shell command, without quotes; `undefined` if a quote is not closed. Reads each character once. */
function toWords(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  // A piece of a word: quoted text, an escaped character, whitespace, or other characters.
  const pattern =
    /\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|[\\^`]\r?\n|\\([\s\S])|(\s+)|([^\s'"\\$^`]+|[$^`])|(['"\\])/g
  for (const [, ansi, single, double, escaped, space, plain, open] of command.matchAll(pattern)) {
    if (open !== undefined) return undefined
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const text =
      ansi !== undefined
        ? ansi.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g, (_all, unicode, hex, one: string) =>
            unicode || hex ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : (readOwn(escapes, one) ?? one),
          )
        : (single ??
          double?.replace(/\\([\\"$`]|\r?\n)/g, (_all, one: string) => (/\n/.test(one) ? '' : one)) ??
          escaped ??
          plain)
    if (text !== undefined) word = (word ?? '') + text
  }
  if (word !== undefined) words.push(word)
  return words
}

const escapes: Readonly<Record<string, string | undefined>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
