import type { OpenApiRelease } from '../types.ts'
import { compileTables } from './compile-tables.ts'
import { openApi30 } from './openapi-3-0.ts'
import { openApi31 } from './openapi-3-1.ts'
import { openApi32 } from './openapi-3-2.ts'
import type { ObjectDefinitions, ObjectTable } from './shape.ts'
import { textRules } from './text-rules.ts'

/** The objects of one release by their key; made on first need. */
export type ObjectTables = ReadonlyMap<string, ObjectTable>

/** Functions, since a check needs but one of them. */
const definitions: Readonly<Record<OpenApiRelease, () => ObjectDefinitions>> = {
  '3.0': openApi30,
  '3.1': openApi31,
  '3.2': openApi32,
}
const compiled = new Map<OpenApiRelease, ObjectTables>()

/** All releases, oldest first. */
export const releases: readonly OpenApiRelease[] = ['3.0', '3.1', '3.2']

/** The tables of a release. */
export function objectTables(release: OpenApiRelease): ObjectTables {
  let tables = compiled.get(release)
  if (!tables) {
    tables = compileTables(definitions[release](), textRules)
    compiled.set(release, tables)
  }
  return tables
}

/** One object of a release; every key that the code names is in every release's tables. */
export function objectTable(release: OpenApiRelease, key: string): ObjectTable {
  const table = objectTables(release).get(key)
  if (!table) throw new Error(`OpenAPI ${release} has no ${key} Object`)
  return table
}
