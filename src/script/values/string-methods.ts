import { describeKind, toIndex, toNumber, toText } from './operators.ts'
import { fillReplacement, matchAll, type PatternMatch, replaceMatches, splitByPattern } from './text-patterns.ts'
import {
  type Evaluation,
  isCallable,
  isKind,
  type MdxPlace,
  type PatternValue,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toList,
  type Value,
} from './values.ts'

type Arguments = readonly Value[]
type StringMethod = (text: string, args: Arguments, evaluation: Evaluation, place: MdxPlace) => Value

/** A method that only needs string arguments, whose result is not longer than the string. */
const search =
  (method: (text: string, wanted: string, from: number | undefined) => Value): StringMethod =>
  (text, [wanted, from], evaluation, place) => {
    const other = toText(wanted, evaluation, place)
    spendSearch(text, other, evaluation, place)
    return method(text, other, toIndex(from))
  }

/** The worst case of a search is the product of both lengths. */
function spendSearch(text: string, wanted: string, { budget }: Evaluation, place: MdxPlace): void {
  spend(budget, Math.ceil((text.length * Math.max(1, Math.min(wanted.length, text.length))) / 1000), place)
}

const pad =
  (side: 'padStart' | 'padEnd'): StringMethod =>
  (text, [length, filler], evaluation, place) => {
    const size = toNumber(length)
    spendText(evaluation.budget, Math.max(text.length, size || 0), place)
    return text[side](size, filler === undefined ? ' ' : toText(filler, evaluation, place))
  }

const replace =
  (isGlobal: boolean): StringMethod =>
  (text, [wanted, replacement], evaluation, place) => {
    const toReplacement = ({ match, groups, index }: Pick<PatternMatch, 'match' | 'groups' | 'index'>): string =>
      isCallable(replacement)
        ? toText(evaluation.call(replacement, [match, ...groups, index, text], place), evaluation, place)
        : fillReplacement(toText(replacement, evaluation, place), { match, groups })
    if (isKind(wanted, 'pattern')) return replaceMatches(text, wanted, toReplacement, evaluation, place)
    const other = toText(wanted, evaluation, place)
    spendSearch(text, other, evaluation, place)
    const parts = text.split(other)
    if (parts.length === 1) return text
    spendItems(evaluation.budget, parts.length, place)
    const keptParts = isGlobal || other === '' ? parts : [parts[0] ?? '', parts.slice(1).join(other)]
    if (other === '') return toReplacement({ match: '', groups: [], index: 0 }) + text
    let replaced = keptParts[0] ?? ''
    let index = replaced.length
    for (const part of keptParts.slice(1)) {
      const inserted = toReplacement({ match: other, groups: [], index })
      spendText(evaluation.budget, replaced.length + inserted.length + part.length, place)
      replaced += inserted + part
      index += other.length + part.length
    }
    return replaced
  }

/** A regular expression, or the source of one. */
function toPattern(wanted: Value, place: MdxPlace): PatternValue {
  if (isKind(wanted, 'pattern')) return wanted
  if (typeof wanted === 'string') return { kind: 'pattern', source: wanted, flags: '', lastIndex: 0 }
  throw new ThrownValue(`searches for ${describeKind(wanted)}`, place, 'Invalid pattern')
}

const simple =
  (method: (text: string, ...indexes: (number | undefined)[]) => Value): StringMethod =>
  (text, args, { budget }, place) => {
    spendText(budget, text.length, place)
    return method(text, ...args.map(toIndex))
  }

/** A method that reads one character. */
const character =
  (method: (text: string, index: number) => Value): StringMethod =>
  (text, [index]) =>
    method(text, toNumber(index) || 0)

const toLower = simple((text) => text.toLowerCase())
const toUpper = simple((text) => text.toUpperCase())

/** Methods of strings. All are pure, and their work is counted before it is done. */
export const stringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['at', character((text, index) => text.at(index))],
  ['charAt', character((text, index) => text.charAt(index))],
  ['charCodeAt', character((text, index) => text.charCodeAt(index))],
  ['codePointAt', character((text, index) => text.codePointAt(index))],
  ['slice', simple((text, start, end) => text.slice(start, end))],
  ['substring', simple((text, start = 0, end) => text.substring(start, end))],
  [
    'substr',
    simple((text, start = 0, length) =>
      text.slice(start, length === undefined ? undefined : (start < 0 ? start + text.length : start) + length),
    ),
  ],
  ['toLowerCase', toLower],
  ['toLocaleLowerCase', toLower],
  ['toUpperCase', toUpper],
  ['toLocaleUpperCase', toUpper],
  ['trim', simple((text) => text.trim())],
  ['trimStart', simple((text) => text.trimStart())],
  ['trimEnd', simple((text) => text.trimEnd())],
  ['toString', (text) => text],
  ['valueOf', (text) => text],
  ['includes', search((text, wanted, from) => text.includes(wanted, from))],
  ['indexOf', search((text, wanted, from) => text.indexOf(wanted, from))],
  ['lastIndexOf', search((text, wanted, from) => text.lastIndexOf(wanted, from))],
  ['startsWith', search((text, wanted, from) => text.startsWith(wanted, from))],
  ['endsWith', search((text, wanted, to) => text.endsWith(wanted, to))],
  ['localeCompare', search((text, wanted) => text.localeCompare(wanted, 'en'))],
  ['padStart', pad('padStart')],
  ['padEnd', pad('padEnd')],
  ['replace', replace(false)],
  ['replaceAll', replace(true)],
  [
    'repeat',
    (text, [count], { budget }, place) => {
      const times = toNumber(count) || 0
      if (times < 0) throw new ThrownValue('repeats a string a negative number of times', place, 'Invalid count value')
      spendText(budget, text.length * Math.floor(times), place)
      return text.length === 0 ? '' : text.repeat(times)
    },
  ],
  [
    'concat',
    (text, args, evaluation, place) => {
      const joined = args.map((arg) => toText(arg, evaluation, place))
      spendText(
        evaluation.budget,
        joined.reduce((sum, { length }) => sum + length, text.length),
        place,
      )
      return text.concat(...joined)
    },
  ],
  [
    'split',
    (text, [separator, limit], evaluation, place) => {
      spendText(evaluation.budget, text.length, place)
      const most = toIndex(limit)
      if (isKind(separator, 'pattern')) return toList(splitByPattern(text, separator, evaluation, place).slice(0, most))
      if (separator === undefined) return toList([text])
      const other = toText(separator, evaluation, place)
      spendSearch(text, other, evaluation, place)
      const parts = text.split(other, most)
      spendItems(evaluation.budget, parts.length, place)
      return toList(parts)
    },
  ],
  [
    'match',
    (text, [wanted], evaluation, place) => {
      const pattern = toPattern(wanted, place)
      const found = matchAll(text, pattern, evaluation, place)
      if (found.length === 0) return null
      return pattern.flags.includes('g') ? toList(found.map(({ match }) => match)) : found[0]?.list
    },
  ],
  [
    'matchAll',
    (text, [wanted], evaluation, place) => {
      const pattern = toPattern(wanted, place)
      return toList(matchAll(text, pattern, evaluation, place).map((found) => found.list))
    },
  ],
  [
    'search',
    (text, [wanted], evaluation, place) => {
      const pattern = toPattern(wanted, place)
      return matchAll(text, pattern, evaluation, place)[0]?.index ?? -1
    },
  ],
])
