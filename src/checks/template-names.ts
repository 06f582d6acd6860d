import type { OpenApiRelease } from '../openapi/types.ts'
import { encodeUrlPart } from '../text/plain/paths.ts'
import { shorten } from '../text/plain/suggest.ts'

/** The names in braces of a path template or server URL, in order. Source: OpenAPI 3.1.1, "Path Templating". */
export function templateNames(template: string): string[] {
  const names: string[] = []
  for (let open = template.indexOf('{'); open !== -1; ) {
    const close = template.indexOf('}', open)
    if (close === -1) break
    // The last of several opening braces applies.
    const start = template.lastIndexOf('{', close) + 1
    if (close > start) names.push(template.slice(start, close))
    open = template.indexOf('{', close)
  }
  return names
}

/** A violation of the path template grammar. */
interface TemplateProblem {
  readonly found: string
  readonly expected: string
  readonly hint: string
}

/** `pchar` of RFC 3986, section 3.3, without the percent sign. */
const pathCharacter = /^[A-Za-z0-9._~!$&'()*+,;=:@-]$/

/**
 * The first problem of a path template that starts with `/`. Source: OpenAPI 3.2.0, "Path Templating". Before its grammar, an empty segment and most
 * characters were only a matter of encoding.
 */
export function findTemplateProblem(template: string, release: OpenApiRelease): TemplateProblem | undefined {
  for (let index = 0; index < template.length; ) {
    const character = String.fromCodePoint(template.codePointAt(index) ?? 0)
    if (character === '{') {
      const close = template.indexOf('}', index)
      const open = template.indexOf('{', index + 1)
      if (close === -1 || (open !== -1 && open < close)) return unclosed(template, index, open === -1 ? template.length : open)
      if (close === index + 1) {
        return { found: '`{}`', expected: 'a parameter name between the braces', hint: 'Write a name, for example `{id}`' }
      }
      index = close + 1
      continue
    }
    if (release === '3.2' && character === '/' && index > 0 && template[index - 1] === '/') {
      return { found: '`//`', expected: 'a segment between the slashes', hint: 'Remove one of the slashes' }
    }
    if (character === '?' || character === '#') return queryOrFragment(template.slice(index), character)
    if (character === '}') {
      return { found: '`}` without `{`', expected: 'matching braces', hint: 'Remove the brace, or add `{` before the name' }
    }
    const isEncoded = character === '%' && /^%[0-9A-Fa-f]{2}/.test(template.slice(index, index + 3))
    if (character !== '/' && !isEncoded && !pathCharacter.test(character) && (release === '3.2' || /\s/.test(character)))
      return forbiddenCharacter(character)
    index += isEncoded ? 3 : character.length
  }
  return undefined
}

function unclosed(template: string, open: number, end: number): TemplateProblem {
  const name = /^[^/?#{}]*/.exec(template.slice(open + 1, end))?.[0] ?? ''
  const hint = name === '' ? 'Remove the brace' : `Write \`{${shorten(name)}}\``
  return { found: `\`{${shorten(name)}\` without \`}\``, expected: 'matching braces', hint }
}

function queryOrFragment(rest: string, mark: '?' | '#'): TemplateProblem {
  const expected = 'only a path'
  return mark === '?'
    ? { found: `query string \`${shorten(rest)}\``, expected, hint: 'Remove it and declare parameters with `in: query`' }
    : { found: `fragment \`${shorten(rest)}\``, expected, hint: 'Remove it: clients never send a fragment to the server' }
}

function forbiddenCharacter(character: string): TemplateProblem {
  const encoded = character === '%' ? '%25' : encodeCharacter(character)
  const hint = encoded === undefined ? 'Remove it' : `Write \`${encoded}\``
  const found = /[\s\p{C}]/u.test(character)
    ? `character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : `\`${character}\``
  return { found, expected: 'a character that is allowed in paths', hint }
}

/** Returns `undefined` for half of a surrogate pair, which cannot be encoded. */
function encodeCharacter(character: string): string | undefined {
  return character.isWellFormed() ? encodeUrlPart(character) : undefined
}

/** The first name that is listed twice. */
export function findRepeated(names: readonly string[]): string | undefined {
  const known = new Set<string>()
  return names.find((name) => known.size === known.add(name).size)
}
