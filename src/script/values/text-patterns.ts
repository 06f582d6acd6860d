import {
  type Evaluation,
  type ListValue,
  type MdxPlace,
  type PatternValue,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toObject,
  tooComplex,
  type Value,
} from './values.ts'

/** A match of a regular expression. */
export interface PatternMatch {
  readonly match: string
  readonly groups: readonly Value[]
  readonly index: number
  /** With `index`, `input` and `groups`, as in JavaScript. */
  readonly list: ListValue
}

/** Finds the matches of a regular expression: all with the flag `g`, else the first. */
export function matchAll(text: string, pattern: PatternValue, evaluation: Evaluation, place: MdxPlace): readonly PatternMatch[] {
  const expression = compile(text, pattern, evaluation, place)
  const found: PatternMatch[] = []
  for (const one of pattern.flags.includes('g') ? text.matchAll(expression) : [text.match(expression)]) {
    if (!one) continue
    spendItems(evaluation.budget, one.length, place)
    found.push({ match: one[0], groups: one.slice(1), index: one.index ?? 0, list: toMatchList(one) })
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
  return match ? toMatchList(match) : null
}

function toMatchList(match: RegExpExecArray | RegExpMatchArray): ListValue {
  const groups = match.groups && toObject(Object.entries(match.groups))
  const members = new Map<string, Value>([
    ['index', match.index],
    ['input', match.input],
    ['groups', groups],
  ])
  return { kind: 'list', items: [...match], members }
}

/** Inserts groups for `$1` and the match for `$&`. */
export function fillReplacement(template: string, { match, groups }: Pick<PatternMatch, 'match' | 'groups'>): string {
  return template.replace(/\$(?:(\d)|(&)|\$)/g, (whole, digit?: string, isMatch?: string) => {
    if (isMatch) return match
    if (digit === undefined) return '$'
    return digit === '0' || Number(digit) > groups.length ? whole : String(groups[Number(digit) - 1] ?? '')
  })
}

/** Replaces matches. */
export function replaceMatches(
  text: string,
  pattern: PatternValue,
  toReplacement: (match: PatternMatch) => string,
  evaluation: Evaluation,
  place: MdxPlace,
): string {
  let replaced = ''
  let end = 0
  for (const found of matchAll(text, pattern, evaluation, place)) {
    const { match, index } = found
    const inserted = toReplacement(found)
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
 * the text: repetitions of something that repeats or has alternatives, references to groups, and lookarounds. A host that interrupts
 * slow searches allows all patterns.
 */
function compile(text: string, { source, flags }: PatternValue, { budget }: Evaluation, place: MdxPlace): RegExp {
  const { areMatchesInterrupted } = budget.limits
  const cost = areMatchesInterrupted ? source.length + text.length : estimateCost(source, text.length + 1)
  const name = `\`/${source.slice(0, 80)}/\``
  if (cost === undefined) throw tooComplex(`uses the regular expression ${name}, which can need too many steps`, place)
  spend(budget, 1 + Math.ceil(cost / 50), place)
  return toExpression(source, flags, place)
}

/** Throws for a pattern with invalid syntax. */
export function toExpression(source: string, flags: string, place: MdxPlace): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'Invalid regular expression'
    const value: Value = { kind: 'object', entries: new Map([['message', message]]), errorName: 'SyntaxError' }
    throw new ThrownValue(`uses the regular expression \`/${source.slice(0, 80)}/\`, which is invalid`, place, { value })
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
