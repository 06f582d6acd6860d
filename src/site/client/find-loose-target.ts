import { listLooseIds, toLooseId } from '../../source/to-loose-id.ts'

/** Finds the element whose ID differs from the given one only in punctuation. Other documentation hosts create slightly different IDs. */
export function findLooseTarget(id: string): Element | undefined {
  const parts = [...document.querySelectorAll('main [id]')]
  for (const loose of listLooseIds(id)) {
    const near = parts.find((part) => toLooseId(part.id) === loose)
    if (near) return near
  }
  return undefined
}
