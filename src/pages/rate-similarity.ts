import { parseBinding } from '../docs/binding-text.ts'
import type { OperationTraits } from '../docs/types.ts'

/** An operation as it is compared with another: made once for each, compared many times. */
export interface OperationShape {
  /** `webhook` for webhooks, which are never taken for operations. */
  readonly method: string
  /** The path without the names of its parameters, or the name of the webhook. */
  readonly path: string
  readonly endsInParameter: boolean
  readonly group: string
  readonly summary: string
  readonly parameters: ReadonlySet<string>
  readonly pathPairs: ReadonlyMap<string, number>
  readonly summaryPairs: ReadonlyMap<string, number>
}

/** How much each part counts. What neither of two operations has does not count. */
const weights = { method: 20, path: 35, summary: 25, group: 10, parameters: 10 } as const

/** The least similarity of an operation and what it was renamed to. Below, a page is removed and another one added. */
export const renameBar = 600

/** Makes an operation ready to be compared; `target` is as in the lock file: `GET /pets`, `webhook orderShipped`. */
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
 * Says how alike two operations are, from 0 to 1000.
 *
 * Of path and summary the pairs of neighbouring letters that both have count. An operation of one thing and one of many, told by whether
 * the path ends in a parameter, have a third of that in common. Another method goes only with the same summary.
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

/** A word of one letter is a pair of its own. */
function countPairs(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (pair: string) => counts.set(pair, (counts.get(pair) ?? 0) + 1)
  for (const word of words) {
    if (word === '{}' || word.length === 1) add(word)
    else for (let index = 0; index + 1 < word.length; index++) add(word.slice(index, index + 2))
  }
  return counts
}

/** Twice what both have, by what they have together: 1 for the same, 0 for nothing in common. Source: Sørensen and Dice. */
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
