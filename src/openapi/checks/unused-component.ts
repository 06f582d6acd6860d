import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { lazy } from '../../text/plain/lazy.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { childPlace } from '../references/follow-reference.ts'
import { citedEdition } from '../walk.ts'
import { type Check, findComponents, listRequirements } from './check-context.ts'

/**
 * Reports components of the entry document that nothing refers to.
 *
 * References from extensions (`x-…`) are included. Documents without operations exist for their components and are skipped. Source:
 * OpenAPI 3.1.1, "Components Object".
 */
export const unusedComponent: Check = (context, report) => {
  const { root, operations, webhookOperations, follow, documents, collected, release } = context
  if (operations.length === 0 && webhookOperations.length === 0) return
  const components = follow.end(childPlace(root, 'components'))
  if (!isObject(components.value)) return
  const used = new Set<string>()
  for (const document of documents.values()) {
    for (const { target, failure } of document.references.values()) {
      if (target?.file === components.file) used.add(toComponent(target.pointer, components.pointer))
      // The target of a misspelled reference is used too.
      for (const { pointer } of failure?.related ?? []) used.add(toComponent(pointer, components.pointer))
    }
  }
  for (const { name } of listRequirements(context)) used.add(pointerChild(`${components.pointer}/securitySchemes`, name))
  for (const { file, value } of collected.discriminators) {
    const mapping = isObject(value['discriminator']) ? value['discriminator']['mapping'] : undefined
    for (const name of isObject(mapping) ? Object.values(mapping) : []) {
      if (typeof name !== 'string') continue
      used.add(pointerChild(`${components.pointer}/schemas`, name))
      const found = context.findUri(file, name)
      if (found && 'place' in found) used.add(toComponent(found.place.pointer, components.pointer))
    }
  }
  const inExtensions = lazy(() => listReferences(collected.extensions))
  const parents = listParents(
    context.collected.discriminators.map(({ pointer }) => pointer),
    components.pointer,
  )
  for (const [group, title] of groups) {
    const entries = findComponents(context, group)
    if (!isObject(entries.value) || entries.file !== components.file) continue
    for (const name of Object.keys(entries.value)) {
      const pointer = pointerChild(entries.pointer, name)
      if (used.has(pointer) || extendsDiscriminated(entries.value[name], parents) || inExtensions().has(`#${pointer}`)) continue
      report({
        code: 'unused-component',
        message: `Unused ${title} \`${shorten(name)}\`: nothing refers to it`,
        file: entries.file,
        pointer,
        on: 'key',
        hint: 'Remove it, or add a reference to it',
        section: `OpenAPI ${citedEdition[release]}, Components Object`,
      })
    }
  }
}

/** Lists every `$ref` in extensions, which the walk skips but tools may follow. */
function listReferences(values: readonly unknown[]): Set<string> {
  const references = new Set<string>()
  const waiting = [...values]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const entry of value) if (typeof entry === 'object' && entry !== null) waiting.push(entry)
    } else if (isObject(value)) {
      for (const key in value) {
        const entry = value[key]
        if (typeof entry === 'object' && entry !== null) waiting.push(entry)
        else if (key === '$ref' && typeof entry === 'string') references.add(entry)
      }
    }
  }
  return references
}

const groups = [
  ['schemas', 'schema'],
  ['responses', 'response'],
  ['parameters', 'parameter'],
  ['examples', 'example'],
  ['requestBodies', 'request body'],
  ['headers', 'header'],
  ['securitySchemes', 'security scheme'],
  ['links', 'link'],
  ['callbacks', 'callback'],
  ['pathItems', 'path item'],
  ['mediaTypes', 'media type'],
] as const

/** The component that contains a pointer. */
function toComponent(pointer: string, components: string): string {
  const name = pointer.indexOf('/', components.length + 1)
  const end = name === -1 ? -1 : pointer.indexOf('/', name + 1)
  return end === -1 ? pointer : pointer.slice(0, end)
}

/** Local references to schemas with a discriminator. */
function listParents(pointers: readonly string[], components: string): Set<string> {
  return new Set(pointers.map((pointer) => `#${toComponent(pointer, components)}`))
}

/** Whether a schema extends one with a discriminator, which selects it by name. */
function extendsDiscriminated(schema: unknown, parents: ReadonlySet<string>): boolean {
  const parts = isObject(schema) ? schema['allOf'] : undefined
  return parents.size > 0 && Array.isArray(parts) && parts.some((part) => isObject(part) && parents.has(String(part['$ref'])))
}
