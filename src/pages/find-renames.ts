import { type OperationShape, rateSimilarity, renameBar } from './rate-similarity.ts'

/** A page whose operation is gone, or an operation that has no page yet. */
export interface RenameSide<Value> {
  readonly value: Value
  readonly shape: OperationShape
}

/** Of what a page has in common with operations, only that says something which not more of them than this have. */
const maxSharing = 64
/** How many operations are compared with each page: those that have the most, and the rarest, in common with it. */
const comparedCount = 8

/**
 * Finds the operations that were renamed or moved: pairs of a page whose operation is gone and an operation without a page, that are alike
 * above the bar.
 *
 * The most alike come first, and each side is in one pair at most. Where a side is as much alike to two, nothing is known, and it is in
 * no pair. The time grows with the number of both sides, not with its square.
 */
export function findRenames<Page, Wanted>(
  gone: readonly RenameSide<Page>[],
  fresh: readonly RenameSide<Wanted>[],
): (readonly [Page, Wanted])[] {
  if (gone.length === 0 || fresh.length === 0) return []
  const scored = scoreCandidates(gone, fresh)
  // By their numbers where they are alike, so that the result is always the same.
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
      return score >= renameBar ? { from, to, score } : []
    })
  })
}

/** What an operation is looked up by: its path and summary as wholes, their words and how these begin, and the words beside each other. */
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
