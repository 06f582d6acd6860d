import type { ObjectTable } from './tables/shape.ts'
import type { OpenApiRelease } from './types.ts'

/** The edition of each release that findings cite. */
export const citedEdition: Readonly<Record<OpenApiRelease, string>> = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }

/** A release has tables of its own, and one fault can stand in thousands of places. */
const sections = new WeakMap<ObjectTable, string>()

/** Where the specification describes an object, such as `OpenAPI 3.1.1, Operation Object`. */
export function sectionOf(release: OpenApiRelease, table: ObjectTable): string {
  let section = sections.get(table)
  if (section === undefined) {
    section = `OpenAPI ${citedEdition[release]}, ${table.title.replace(/ of type .*$/s, '')}`
    sections.set(table, section)
  }
  return section
}
