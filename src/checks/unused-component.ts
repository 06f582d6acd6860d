import { toNode } from '../model/api.ts'
import { childPlace, createSubtypeIndex, listReferences, mapPlaces, valueIn } from '../openapi/references/follow-reference.ts'
import { componentNouns } from '../openapi/tables/object-tables.ts'
import { parsePointer, pointerChild } from '../text/json/json-values.ts'
import { lazy } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, findComponents, listMappedSchemas, listRequirements } from './check-context.ts'

/**
 * Reports components of the entry document that nothing refers to.
 *
 * References from extensions (`x-…`) are included. Documents without operations exist for their components and are skipped. Source:
 * OpenAPI 3.1.1, "Components Object".
 */
export const unusedComponent: Check = (context, report) => {
  const { root, operations, webhookOperations, follow, documents, collected } = context
  if (operations.length === 0 && webhookOperations.length === 0) return
  const { place: components, isUnresolved } = toNode(childPlace(root, 'components'), context)
  if (isUnresolved) return
  const used = new Set<string>()
  for (const document of documents.values()) {
    for (const { target, failure } of document.references.values()) {
      if (target?.file === components.file) used.add(toComponent(target.pointer, components.pointer))
      // The target of a misspelled reference is used too.
      for (const { pointer } of failure?.related ?? []) used.add(toComponent(pointer, components.pointer))
    }
  }
  for (const { name } of listRequirements(context)) used.add(pointerChild(`${components.pointer}/securitySchemes`, name))
  const schemas = findComponents(context, 'schemas')
  for (const { found } of listMappedSchemas(context)) {
    if (found && 'place' in found) used.add(toComponent(found.place.pointer, components.pointer))
  }
  const inExtensions = lazy(() =>
    listReferences([
      ...collected.extensions.map(({ value }) => value),
      // See `toExample`.
      ...collected.described.map((one) => valueIn(one, 'example')),
    ]),
  )
  const bases = collected.discriminators.map(({ pointer }) => parsePointer(toComponent(pointer, components.pointer)).at(-1) ?? '')
  const subtypes = bases.length === 0 ? [] : createSubtypeIndex(schemas, follow).list(...new Set(bases))
  for (const name of subtypes) used.add(pointerChild(schemas.pointer, name))
  for (const [group, title] of componentNouns(context.release)) {
    const entries = findComponents(context, group)
    for (const { name, place } of entries.file === components.file ? mapPlaces(entries, undefined) : []) {
      const { pointer } = place
      if (used.has(pointer) || inExtensions().has(`#${pointer}`)) continue
      report({
        at: place,
        message: `Unused ${title} \`${shorten(name)}\`: nothing refers to it`,
        on: 'key',
        hint: 'Remove it, or add a reference to it',
        section: 'Components Object',
      })
    }
  }
}

/** The component that contains a pointer. */
function toComponent(pointer: string, components: string): string {
  const name = pointer.indexOf('/', components.length + 1)
  const end = name === -1 ? -1 : pointer.indexOf('/', name + 1)
  return end === -1 ? pointer : pointer.slice(0, end)
}
