import { toWellFormed } from '../../text/plain/escape-text.ts'
import { parseBinding } from '../navigation/parse-binding.ts'
import type { OperationTraits } from './lock-file.ts'
import type { PageSubject } from './subjects.ts'

/** A page without its operation, or an operation without a page. */
interface RenameSide<Value> {
  readonly value: Value
  readonly shape: OperationShape
}

/** A mark shared by more operations than this is too common to identify one. */
const maxSharing = 64
/** Number of candidates to compare with each page: the operations with the most and rarest marks in common. */
const comparedCount = 8

/**
 * Detects renamed or moved operations: pairs of a page without its operation and an operation without a page, with a similarity
 * above the minimum.
 *
 * The most similar pairs come first, and each side is in at most one pair. If a side is equally similar to two others, it is not
 * paired. The time grows linearly with the number of both sides.
 */
export function findRenames<Page, Wanted>(
  gone: readonly RenameSide<Page>[],
  fresh: readonly RenameSide<Wanted>[],
): (readonly [Page, Wanted])[] {
  if (gone.length === 0 || fresh.length === 0) return []
  const scored = scoreCandidates(gone, fresh)
  // Break ties by index for a deterministic result.
  scored.sort((a, b) => b.score - a.score || a.from - b.from || a.to - b.to)
  const renames: (readonly [Page, Wanted])[] = []
  const settled = { from: new Set<number>(), to: new Set<number>() }
  for (let start = 0; start < scored.length; ) {
    let end = start + 1
    while (scored[end]?.score === scored[start]?.score) end++
    const tied = scored.slice(start, end).filter(({ from, to }) => !settled.from.has(from) && !settled.to.has(to))
    const counts = { from: countBy(tied, 'from'), to: countBy(tied, 'to') }
    for (const { from, to } of tied) {
      settled.from.add(from)
      settled.to.add(to)
      if (counts.from.get(from) !== 1 || counts.to.get(to) !== 1) continue
      const page = gone[from]
      const wanted = fresh[to]
      if (page && wanted) renames.push([page.value, wanted.value])
    }
    start = end
  }
  return renames
}

interface Candidate {
  readonly from: number
  readonly to: number
  readonly score: number
}

function scoreCandidates(gone: readonly RenameSide<unknown>[], fresh: readonly RenameSide<unknown>[]): Candidate[] {
  const byMark = new Map<string, number[]>()
  fresh.forEach(({ shape }, index) => {
    for (const mark of listMarks(shape)) {
      const having = byMark.get(mark)
      if (having) having.push(index)
      else byMark.set(mark, [index])
    }
  })
  return gone.flatMap(({ shape }, from) => {
    const votes = new Map<number, number>()
    for (const mark of listMarks(shape)) {
      const having = byMark.get(mark) ?? []
      if (having.length > maxSharing) continue
      for (const to of having) votes.set(to, (votes.get(to) ?? 0) + 1 / having.length)
    }
    const nearest = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b).slice(0, comparedCount)
    return nearest.flatMap(([to]) => {
      const other = fresh[to]
      const score = other ? rateSimilarity(shape, other.shape) : 0
      return score >= minRenameSimilarity ? { from, to, score } : []
    })
  })
}

/** Lists the marks to look up an operation by: path and summary, their words, word prefixes and pairs of neighboring words. */
function listMarks({ path, summary, parameters }: OperationShape): Set<string> {
  const steps = path.split('/').filter((step) => step !== '' && step !== '{}')
  const words = summary.split(' ').filter(Boolean)
  const marks = new Set([`path ${path}`, ...steps.map((step) => `step ${step}`), ...words.map((word) => `word ${word}`)])
  for (const step of steps)
    for (const word of step.split(/[^\p{L}\p{N}]+/u)) marks.add(`part ${word}`).add(`start ${word.slice(0, 3)}`)
  if (summary !== '') marks.add(`summary ${summary}`)
  for (let index = 1; index < steps.length; index++) marks.add(`steps ${steps[index - 1]}/${steps[index]}`)
  for (let index = 1; index < words.length; index++) marks.add(`words ${words[index - 1]} ${words[index]}`)
  for (const name of parameters) marks.add(`parameter ${name}`)
  return marks
}

function countBy(candidates: readonly Candidate[], side: 'from' | 'to'): Map<number, number> {
  const counts = new Map<number, number>()
  for (const candidate of candidates) counts.set(candidate[side], (counts.get(candidate[side]) ?? 0) + 1)
  return counts
}

/** Precomputed traits of an operation for comparisons. */
interface OperationShape {
  /** `webhook` for webhooks, which never match operations. */
  readonly method: string
  /** The path without parameter names, or the name of the webhook. */
  readonly path: string
  readonly endsInParameter: boolean
  readonly group: string
  readonly summary: string
  readonly parameters: ReadonlySet<string>
  readonly pathPairs: ReadonlyMap<string, number>
  readonly summaryPairs: ReadonlyMap<string, number>
}

/** The weight of each trait. Traits missing on both sides are ignored. */
const weights = { method: 20, path: 35, summary: 25, group: 10, parameters: 10 } as const

/** Minimum similarity for a rename. Below this, the page is removed and a new one is added. */
export const minRenameSimilarity = 600

/** Precomputes the traits for comparisons. `target` has the format of the lock file: `GET /pets`, `webhook orderShipped`. */
export function toShape(
  target: string,
  { group, summary, parameters }: Omit<OperationTraits, 'operationId' | 'href'>,
): OperationShape {
  const binding = parseBinding(target)
  const isOperation = binding?.kind === 'operation'
  const name = isOperation ? binding.pathTemplate : target
  const path = name.toLowerCase().replace(/\{[^{}]*\}/g, '{}')
  const words = (summary ?? '').toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return {
    method: isOperation ? binding.method : 'webhook',
    path,
    endsInParameter: path.slice(path.lastIndexOf('/', path.length - 2) + 1).includes('{}'),
    group: group ?? '',
    summary: words.join(' '),
    parameters: new Set(parameters),
    pathPairs: countPairs(path.split('/')),
    summaryPairs: countPairs(words),
  }
}

/**
 * Rates the similarity of two operations from 0 to 1000.
 *
 * Path and summary are compared by pairs of neighboring letters. The path score is divided by three if only one of the paths ends
 * with a parameter, since that separates single items from collections. Operations with different methods only match if their
 * summaries are equal.
 */
export function rateSimilarity(a: OperationShape, b: OperationShape): number {
  const isSameMethod = a.method === b.method
  if (!isSameMethod && (a.method === 'webhook' || b.method === 'webhook' || a.summary === '' || a.summary !== b.summary)) return 0
  let total = weights.method + weights.path
  let sum = isSameMethod ? weights.method : 0
  const path = a.path === b.path ? 1 : shareOfPairs(a.pathPairs, b.pathPairs)
  sum += weights.path * (a.endsInParameter === b.endsInParameter ? path : path / 3)
  if (a.summary !== '' || b.summary !== '') {
    total += weights.summary
    sum += weights.summary * (a.summary === b.summary ? 1 : shareOfPairs(a.summaryPairs, b.summaryPairs))
  }
  if (a.group !== '' || b.group !== '') {
    total += weights.group
    if (a.group === b.group) sum += weights.group
  }
  if (a.parameters.size > 0 || b.parameters.size > 0) {
    total += weights.parameters
    let shared = 0
    for (const name of a.parameters) if (b.parameters.has(name)) shared++
    sum += (weights.parameters * 2 * shared) / (a.parameters.size + b.parameters.size)
  }
  return Math.round((1000 * sum) / total)
}

/** A one-letter word is treated as a pair. */
function countPairs(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (pair: string) => counts.set(pair, (counts.get(pair) ?? 0) + 1)
  for (const word of words) {
    if (word === '{}' || word.length === 1) add(word)
    else for (let index = 0; index + 1 < word.length; index++) add(word.slice(index, index + 2))
  }
  return counts
}

/** The Sørensen–Dice coefficient: 1 for equal, 0 for nothing in common. */
function shareOfPairs(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let size = 0
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0)
    size += count
  }
  for (const count of b.values()) size += count
  return size === 0 ? 0 : (2 * shared) / size
}

/** Maximum length of a summary in the lock file. */
const maxSummary = 200

/** Returns the traits of an operation to record in the lock file. `group` is the label of the group with its page. */
export function toTraits({ operationId, summary, parameters, mint }: PageSubject, group: string): OperationTraits {
  return {
    operationId,
    group,
    summary: summary === undefined ? undefined : toWellFormed(summary.slice(0, maxSummary)),
    parameters: parameters.length === 0 ? undefined : parameters,
    href: mint?.href,
  }
}
