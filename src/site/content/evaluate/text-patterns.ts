import type { MdxPlace } from '../types.ts'
import { spend, spendItems, spendText, ThrownValue, tooComplex } from './evaluation.ts'
import type { Evaluation, PatternValue, Value } from './types.ts'
import { toList } from './value-kinds.ts'

/** A match of a regular expression. */
interface PatternMatch {
  readonly match: string
  readonly groups: readonly Value[]
  readonly index: number
}

/** Finds the matches of a regular expression: all with the flag `g`, else the first. */
export function matchAll(text: string, pattern: PatternValue, evaluation: Evaluation, place: MdxPlace): readonly PatternMatch[] {
  const expression = compile(text, pattern, evaluation, place)
  const found: PatternMatch[] = []
  for (const one of pattern.flags.includes('g') ? text.matchAll(expression) : [text.match(expression)]) {
    if (!one) continue
    spendItems(evaluation.budget, one.length, place)
    found.push({ match: one[0], groups: one.slice(1), index: one.index ?? 0 })
  }
  spendItems(evaluation.budget, found.length, place)
  return found
}

/** Returns the next match like `RegExp.prototype.exec`, as a list with its groups. */
export function execPattern(text: string, pattern: PatternValue, evaluation: Evaluation, place: MdxPlace): Value {
  const expression = compile(text, pattern, evaluation, place)
  expression.lastIndex = pattern.lastIndex
  const match = expression.exec(text)
  pattern.lastIndex = expression.lastIndex
  return match ? toList([...match]) : null
}

/** Replaces matches. `$1` and `$&` in the replacement stand for groups and the match. */
export function replaceMatches(
  text: string,
  pattern: PatternValue,
  toReplacement: (match: string, groups: readonly Value[]) => string,
  evaluation: Evaluation,
  place: MdxPlace,
): string {
  let replaced = ''
  let end = 0
  for (const { match, groups, index } of matchAll(text, pattern, evaluation, place)) {
    const inserted = toReplacement(match, groups).replace(/\$(?:(\d)|(&)|\$)/g, (whole, digit?: string, isMatch?: string) => {
      if (isMatch) return match
      return digit === undefined
        ? '$'
        : digit === '0' || Number(digit) > groups.length
          ? whole
          : String(groups[Number(digit) - 1] ?? '')
    })
    spendText(evaluation.budget, replaced.length + inserted.length, place)
    replaced += text.slice(end, index) + inserted
    end = index + match.length
  }
  return replaced + text.slice(end)
}

export function splitByPattern(text: string, pattern: PatternValue, evaluation: Evaluation, place: MdxPlace): readonly string[] {
  const parts = text.split(compile(text, pattern, evaluation, place))
  spendItems(evaluation.budget, parts.length, place)
  return parts.map((part) => part ?? '')
}

/**
 * Compiles a regular expression after counting the worst case of its search. Refuses patterns whose time can grow exponentially with
 * the text: repetitions of something that repeats or has alternatives, references to groups, and lookarounds.
 */
function compile(text: string, { source, flags }: PatternValue, { budget }: Evaluation, place: MdxPlace): RegExp {
  const cost = estimateCost(source, text.length + 1)
  const name = `\`/${source.slice(0, 80)}/\``
  if (cost === undefined) throw tooComplex(`uses the regular expression ${name}, which can need too many steps`, place)
  spend(budget, 1 + Math.ceil(cost / 50), place)
  try {
    return new RegExp(source, flags)
  } catch {
    throw new ThrownValue(`uses the regular expression ${name}, which is invalid`, place, 'Invalid regular expression')
  }
}

/**
 * Returns the largest number of steps for a text. Each repetition multiplies it by the length of the text, and each alternative or
 * optional part doubles it.
 */
function estimateCost(source: string, length: number): number | undefined {
  if (source.length > 500) return undefined
  // Escapes and classes match one character, which is written as `x` here.
  const escaped = source.replace(/\\[1-9k]/g, '(?=').replace(/\\./g, 'x')
  const bare = escaped.replace(/\[[^[\]]*\]/g, 'x').replace(/\(\?:/g, '(')
  if (bare.includes('(?')) return undefined
  const choices = bare.match(/[|?]/g)?.length ?? 0
  // Groups are reduced from the inside: to `x`, or to `y` if they can match in several ways.
  let flat = bare
  let inner = 0
  while (flat.includes('(')) {
    const next = flat.replace(/\(([^()]*)\)/g, (_, body: string) => {
      inner += countRepetitions(body)
      return /[*+?{|y]/.test(body) ? 'y' : 'x'
    })
    if (next === flat) return undefined
    flat = next
  }
  if (/y[*+{]/.test(flat)) return undefined
  const most = Math.max(...flat.split('|').map(countRepetitions))
  return length ** (1 + inner + most) * 2 ** choices
}

function countRepetitions(text: string): number {
  return text.match(/[*+]|\{\d/g)?.length ?? 0
}
