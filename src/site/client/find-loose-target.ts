import { findLooseId, toLooseId } from '../page/loose-ids.ts'

/** Finds the element whose ID differs from the given one only in punctuation. Other documentation hosts create slightly different IDs. */
export function findLooseTarget(id: string): Element | undefined {
  const parts = [...document.querySelectorAll('main [id]')]
  const loose = findLooseId(id, (one) => parts.some((part) => toLooseId(part.id) === one))
  return parts.find((part) => toLooseId(part.id) === loose)
}
