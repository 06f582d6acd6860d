import type { ObjectTable, Shape } from './shape.ts'

/** What kind of object stands at the steps below an object, or `undefined` where the tables do not say or it is no object. */
export function tableAtPointer(top: ObjectTable, segments: readonly string[]): ObjectTable | undefined {
  let table: ObjectTable | undefined = top
  let shape: Shape | undefined
  for (const segment of segments) {
    shape = table ? shapeOfField(table, segment) : shape?.inner
    if (!shape) return undefined
    table = tableOf(shape)
  }
  return table
}

/** What a table says of a field's value; `undefined` for an extension, and where it knows no such field. */
export function shapeOfField(table: ObjectTable, name: string): Shape | undefined {
  const field = table.fields.get(name)
  if (field) return field.shape
  if (table.extensible && name.startsWith('x-')) return undefined
  return table.patterns.find(({ pattern }) => pattern.test(name))?.shape
}

function tableOf(shape: Shape): ObjectTable | undefined {
  if (shape.kind === 'schema-or-boolean' || shape.kind === 'schema-or-names') return shape.inner?.table
  return shape.table
}
