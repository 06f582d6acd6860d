import { shorten } from './name-value.ts'
import { reportWrongValue } from './report-fault.ts'
import type { ObjectTable } from './tables/shape.ts'
import type { Walk } from './walk.ts'

/** Reports each entry of the list the walk stands at that stands in it before. */
export function reportRepeats(walk: Walk, list: readonly unknown[], table: ObjectTable): void {
  if (!hasRepeats(list)) return
  const seen = new Set<unknown>()
  list.forEach((entry, index) => {
    if (seen.has(entry)) {
      walk.path.push(index)
      const found = `second \`${shorten(String(entry))}\``
      reportWrongValue(walk, table, { code: 'wrong-value', found, expected: 'each only once', hint: 'remove one of the two' })
      walk.path.pop()
    }
    seen.add(entry)
  })
}

/** Most lists are short, and a set for each of thousands is what the walk would allocate most. */
function hasRepeats(list: readonly unknown[]): boolean {
  if (list.length > 100) return new Set(list).size !== list.length
  for (let index = 1; index < list.length; index++) {
    for (let before = 0; before < index; before++) if (list[before] === list[index]) return true
  }
  return false
}
