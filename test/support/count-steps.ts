import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Continues the match from a position. False backtracks to the last choice. */
type Next = (at: number) => boolean
type Step = (at: number, next: Next) => boolean

/** A search with more steps is not counted further. */
export const mostSteps = 1_000_000

class TooManySteps extends Error {}

/**
 * Counts the steps of a backtracking search for every match of a pattern: each comparison of a character, a boundary or a
 * backreference is one. V8's engine tries the same alternatives in the same order, so the count grows like its time.
 */
export function makeStepCounter(source: string, flags: string): (text: string) => number {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  let text = ''
  let steps = 0
  const groups = new Map<AST.CapturingGroup, readonly [number, number]>()

  const spend = () => {
    steps += 1
    if (steps > mostSteps) throw new TooManySteps()
  }

  function compileChoice(alternatives: readonly AST.Alternative[], isBackwards: boolean): Step {
    const steps = alternatives.map(({ elements }) => compileSequence(elements, isBackwards))
    const [only] = steps
    return steps.length === 1 && only ? only : (at, next) => steps.some((step) => step(at, next))
  }

  function compileSequence(elements: readonly AST.Element[], isBackwards: boolean): Step {
    const sequence = elements.map((element) => compile(element, isBackwards))
    if (isBackwards) sequence.reverse()
    const run = (index: number, at: number, next: Next): boolean => {
      const step = sequence[index]
      return step ? step(at, (after) => run(index + 1, after, next)) : next(at)
    }
    return (at, next) => run(0, at, next)
  }

  function compileCharacter(raw: string, isBackwards: boolean): Step {
    const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, ''))
    const known = new Map<string, boolean>()
    return (at, next) => {
      spend()
      const character = text[isBackwards ? at - 1 : at]
      if (character === undefined) return false
      let fits = known.get(character)
      if (fits === undefined) {
        fits = one.test(character)
        known.set(character, fits)
      }
      return fits && next(isBackwards ? at - 1 : at + 1)
    }
  }

  function compileQuantifier({ element, min, max, greedy }: AST.Quantifier, isBackwards: boolean): Step {
    const step = compile(element, isBackwards)
    const run = (count: number, at: number, next: Next): boolean => {
      // A repetition that matched nothing is not repeated.
      const more = () => count < max && step(at, (after) => (after !== at || count < min) && run(count + 1, after, next))
      if (count < min) return more()
      return greedy ? more() || next(at) : next(at) || more()
    }
    return (at, next) => run(0, at, next)
  }

  function compileAssertion(element: AST.Assertion): Step {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const step = compileChoice(element.alternatives, element.kind === 'lookbehind')
      return (at, next) => step(at, () => true) !== element.negate && next(at)
    }
    const border = new RegExp(element.raw, `${flags.replace(/[gyd]/g, '')}y`)
    return (at, next) => {
      spend()
      border.lastIndex = at
      return border.test(text) && next(at)
    }
  }

  function compile(element: AST.Element, isBackwards: boolean): Step {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return compileCharacter(element.raw, isBackwards)
      case 'Assertion':
        return compileAssertion(element)
      case 'Quantifier':
        return compileQuantifier(element, isBackwards)
      case 'Group':
        return compileChoice(element.alternatives, isBackwards)
      case 'CapturingGroup': {
        const step = compileChoice(element.alternatives, isBackwards)
        return (at, next) =>
          step(at, (after) => {
            const before = groups.get(element)
            groups.set(element, [Math.min(at, after), Math.max(at, after)])
            if (next(after)) return true
            if (before) groups.set(element, before)
            else groups.delete(element)
            return false
          })
      }
      case 'Backreference':
        return (at, next) => {
          spend()
          const group = Array.isArray(element.resolved) ? element.resolved[0] : element.resolved
          const place = group && groups.get(group)
          const same = place ? text.slice(...place) : ''
          steps += same.length
          return text.startsWith(same, at) && next(at + same.length)
        }
    }
  }

  const search = compileChoice(pattern.alternatives, false)
  const isSticky = flags.includes('y')
  return (searched) => {
    text = searched
    steps = 0
    try {
      let at = 0
      while (at <= text.length) {
        let end = -1
        groups.clear()
        search(at, (after) => {
          end = after
          return true
        })
        if (end < 0 && isSticky) break
        at = Math.max(at + 1, end)
        spend()
      }
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error
    }
    return steps
  }
}

/** Characters that the classes of patterns distinguish, in the order in which they are tried. */
const samples = 'aZ-0_ ./\n":\'\t{[<(=#*`,@A\\&?+~|%!$;\u00e9\uFFFD\uFDD0'

/**
 * Texts to repeat, and prefixes: the matches of each part of a pattern and of each sequence of parts. Of a class, the first
 * characters of `samples` in it.
 */
export function listPumps(
  source: string,
  flags: string,
): { readonly prefixes: readonly string[]; readonly pumps: readonly string[] } {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const prefixes = new Set<string>([''])
  const pumps = new Set<string>()

  const toTexts = (element: AST.Element): string[] => {
    switch (element.type) {
      case 'Character':
        return [String.fromCodePoint(element.value)]
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const one = new RegExp(`^(?:${element.raw})$`, flags.replace(/[gymd]/g, ''))
        return [...samples].filter((character) => one.test(character)).slice(0, 4)
      }
      case 'Quantifier': {
        const texts = toTexts(element.element)
        return [...texts.map((text) => text.repeat(Math.min(Math.max(1, element.min), 40))), ...(element.min === 0 ? [''] : [])]
      }
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives.flatMap(({ elements }) => collect(elements)).slice(0, 8)
      case 'Assertion':
        if (element.kind === 'lookahead' || element.kind === 'lookbehind')
          for (const { elements } of element.alternatives) collect(elements)
        return ['']
      case 'Backreference':
        return ['']
    }
  }

  /** Adds the sequences of these parts, and returns some texts for all of them. */
  const collect = (elements: readonly AST.Element[]): string[] => {
    const texts = elements.map(toTexts)
    // A part of a word repeats nothing: a search starts at its first character, and needs all of it to get further.
    const isWithinWord = (index: number) => elements[index]?.type === 'Character' && elements[index - 1]?.type === 'Character'
    // The prefix of an inner repetition, once.
    let before = ''
    for (const [index, element] of elements.entries()) {
      if (element.type === 'Quantifier' && element.max > 40 && before) prefixes.add(before)
      before += texts[index]?.[0] ?? ''
    }
    for (let first = 0; first < texts.length; first += 1) {
      if (isWithinWord(first)) continue
      let runs = ['']
      for (let last = first; last < Math.min(texts.length, first + 24); last += 1) {
        const own = texts[last] ?? []
        runs = [...new Set(runs.flatMap((run) => own.map((text) => run + text)))].slice(0, 6)
        if (isWithinWord(last + 1)) continue
        for (const run of runs) pumps.add(run)
      }
      if (first === 0) for (const run of runs) pumps.add(run)
    }
    return texts.reduce<string[]>(
      (runs, own) => [...new Set(runs.flatMap((run) => own.map((text) => run + text)))].slice(0, 8),
      [''],
    )
  }

  for (const { elements } of pattern.alternatives) collect(elements)
  pumps.delete('')
  return { prefixes: [...prefixes].slice(0, 6), pumps: [...pumps] }
}
