import type { Set as CharacterSet, SetToken, Token } from 'ret'
import { tokenizer } from 'ret/dist/tokenizer.js'
import { types } from 'ret/dist/types/types.js'

/** The most characters of a text, and the longest pattern that is read. */
const maxText = 1_000
const maxPattern = 200

/**
 * A text that a pattern of JavaScript matches, made from its parts without running it. Ignores assertions other than `^` and `$`.
 *
 * @param repeats how often a part repeats that has no maximum, if the pattern does not require more.
 * @returns `undefined` if the pattern cannot be read or its texts are too long.
 */
export function sampleOfPattern(pattern: string, repeats: number): string | undefined {
  if (pattern.length > maxPattern) return undefined
  let left = maxText
  const groups: string[] = []
  const join = (tokens: readonly Token[]) => tokens.map(toText).join('')
  const toText = (token: Token): string => {
    if (--left < 0) throw new RangeError('The text is too long')
    switch (token.type) {
      case types.CHAR:
        return String.fromCodePoint(token.value)
      case types.SET:
        return chooseCharacter(token)
      case types.REFERENCE:
        return groups[token.value - 1] ?? ''
      case types.REPETITION: {
        const count = Math.min(token.max, Math.max(token.min, token.max === Number.POSITIVE_INFINITY ? repeats : 0))
        if (count > left) throw new RangeError('The text is too long')
        return Array.from({ length: count }, () => toText(token.value)).join('')
      }
      case types.GROUP: {
        if (token.followedBy || token.notFollowedBy || token.lookBehind) return ''
        const text = join(token.options?.[0] ?? token.stack ?? [])
        if (token.remember) groups.push(text)
        return text
      }
      default:
        return ''
    }
  }
  try {
    const { options, stack } = tokenizer(pattern)
    return join(options?.[0] ?? stack ?? [])
  } catch {
    // Invalid, or too long.
    return undefined
  }
}

/** Readable characters first. */
const characters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_./:@# !$%&*+,;=?~()[]{}<>|\\^`\'"\n\t']

function chooseCharacter(set: CharacterSet): string {
  const found = characters.find((one) => hasCharacter(set, one.codePointAt(0) ?? 0))
  if (found !== undefined) return found
  const [first] = set.set
  if (first?.type === types.CHAR) return String.fromCodePoint(first.value)
  return first?.type === types.RANGE ? String.fromCodePoint(first.from) : ''
}

function hasCharacter(token: SetToken, code: number): boolean {
  if (token.type === types.CHAR) return token.value === code
  if (token.type === types.RANGE) return token.from <= code && code <= token.to
  return token.set.some((one) => hasCharacter(one, code)) !== token.not
}
