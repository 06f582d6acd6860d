import { toForeignFieldId } from '../page/field-anchors.ts'

/** Finds the parameter or property that has the given ID on Mintlify's pages. Headings have their IDs of Mintlify on our pages, too. */
export function findForeignTarget(id: string): Element | undefined {
  return [...document.querySelectorAll('main [id]')].find((part) => toForeignFieldId(part.id) === id)
}
