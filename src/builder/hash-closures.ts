import { hashOf } from './hash-of.ts'

/** Something that leads to others of its kind, by their names. */
export interface GraphNode {
  readonly hash: string
  /** Names that nothing has lead nowhere. */
  readonly references: readonly string[]
}

interface Visit {
  readonly name: string
  readonly index: number
  /** The earliest visited node that this one is known to lead back to. */
  low: number
  next: number
}

/**
 * The hash of each node together with all that it leads to, however far. Nodes that lead to each other have the same one. Each is looked
 * at once, so that the cost grows with the graph and not with the number of those who ask.
 *
 * Source: Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion, as chains may be long.
 */
export function hashClosures(graph: ReadonlyMap<string, GraphNode>): Map<string, string> {
  const hashes = new Map<string, string>()
  const visits = new Map<string, Visit>()
  /** Visited, and not yet known to which others they belong. */
  const open: string[] = []
  for (const start of graph.keys()) {
    if (visits.has(start)) continue
    const path: Visit[] = []
    const enter = (name: string) => {
      const visit = { name, index: visits.size, low: visits.size, next: 0 }
      visits.set(name, visit)
      open.push(name)
      path.push(visit)
    }
    enter(start)
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const reference = graph.get(visit.name)?.references[visit.next++]
      if (reference !== undefined) {
        const other = visits.get(reference)
        if (!other && graph.has(reference)) enter(reference)
        else if (other && !hashes.has(reference)) visit.low = Math.min(visit.low, other.index)
        continue
      }
      path.pop()
      const before = path.at(-1)
      if (before) before.low = Math.min(before.low, visit.low)
      // Those that belong to it are at the end: from the start, a long chain would be looked through for each of its nodes.
      if (visit.low === visit.index) closeTogether(open.splice(open.lastIndexOf(visit.name)), graph, hashes)
    }
  }
  return hashes
}

/** What the nodes lead to besides each other is closed already. */
function closeTogether(names: readonly string[], graph: ReadonlyMap<string, GraphNode>, hashes: Map<string, string>): void {
  const own = names.map((name) => [name, graph.get(name)?.hash])
  const others = names.flatMap((name) => graph.get(name)?.references.flatMap((reference) => hashes.get(reference) ?? []) ?? [])
  const hash = hashOf([own.sort(), [...new Set(others)].sort()])
  for (const name of names) hashes.set(name, hash)
}
