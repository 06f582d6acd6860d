import type { Finding } from '../../diagnostics/diagnostic.ts'
import {
  entriesOf,
  escapePointerSegment,
  isContainer,
  isObject,
  parsePointer,
  pointerChild,
  readOwn,
  readSegment,
  readText,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { hasOrigins } from '../../text/plain/source-file.ts'
import { didYouMean, type Suggest, shorten } from '../../text/plain/suggest.ts'
import { type FoundTarget, findMistyped, type SchemaResource, type WalkedDocument } from '../walk.ts'
import { isReference, listIdentifiers } from './follow-reference.ts'

/**
 * Looks up a decoded fragment in a document: a JSON Pointer, or the name of an `$anchor` (3.1 and later).
 *
 * @param reference As written, for messages.
 * @param resource The schema with an `$id` that contains the reference, if the reference is to its own document.
 */
export function findTarget(
  reference: string,
  document: WalkedDocument,
  fragment: string,
  resource: SchemaResource | undefined,
  suggest: Suggest,
): FoundTarget {
  const top = document.parsed.value
  const file = document.path
  if (fragment !== '' && !fragment.startsWith('/')) {
    const pointer = findIdentified(document, `${resource?.id ?? ''}#${fragment}`) ?? findIdentified(document, `#${fragment}`)
    if (pointer !== undefined) return walkPointer(reference, document, pointer, suggest)
    return { failure: anchorFailure(reference, fragment, top) }
  }
  if (resource) {
    const inside = walkPointer(reference, document, resource.pointer + fragment, suggest)
    // Many authors write pointers relative to the root of the file.
    if ('place' in inside) return inside
  }
  if (fragment === '') return { place: { file, pointer: '', value: top } }
  return walkPointer(reference, document, fragment, suggest)
}

function walkPointer(reference: string, document: WalkedDocument, pointer: string, suggest: Suggest): FoundTarget {
  const top = document.parsed.value
  // Nearly all pointers lead to a value as they are. The others are followed with a reason for each segment.
  const direct = pointer.includes('~') ? undefined : valueAtPointer(top, pointer)
  if (direct !== undefined) return { place: { file: document.path, pointer, value: direct } }
  let value: unknown = top
  let reached = ''
  /** The table of the current object. */
  let table = document.walkedFrom.get('')
  for (const segment of parsePointer(pointer)) {
    const around = table
    const field = table?.fields.get(segment)?.shape
    table = field?.kind === 'object' ? field.table : undefined
    // A misspelled section is reported on its own. References to it are resolved as if it were spelled correctly.
    const mistyped =
      around && field && isObject(value) && !Object.hasOwn(value, segment)
        ? findMistyped(around, value, segment, suggest)
        : undefined
    const name = mistyped ?? segment
    const inside = readSegment(value, name)
    const through = inside === undefined ? stepThroughReference(document, value, segment) : undefined
    if (inside === undefined && !through)
      return { failure: missingFailure(reference, document, reached, value, segment, suggest) }
    reached = through?.pointer ?? pointerChild(reached, name)
    value = through ? through.value : inside
  }
  return { place: { file: document.path, pointer: reached, value } }
}

/** Tools commonly continue a pointer through a `$ref` in the same file. This follows one such step. */
function stepThroughReference(
  document: WalkedDocument,
  value: unknown,
  segment: string,
): { value: unknown; pointer: string } | undefined {
  if (!isReference(value) || !value.$ref.startsWith('#/')) return undefined
  const pointer = pointerChild(value.$ref.slice(1), segment)
  const target = valueAtPointer(document.parsed.value, pointer)
  return target === undefined ? undefined : { value: target, pointer }
}

function missingFailure(
  reference: string,
  document: WalkedDocument,
  reached: string,
  value: unknown,
  segment: string,
  suggest: Suggest,
): Omit<Finding, 'file' | 'pointer'> {
  const outside = !reference.startsWith('#')
  const container = parsePointer(reached).join('.')
  const inFile = outside ? ` in \`${document.path}\`` : ''
  const top = outside ? `\`${document.path}\`` : 'the document'
  const where = container === '' ? top : `\`${shorten(container)}\`${inFile}`
  const near = suggest(segment, () => (isObject(value) ? Object.keys(value) : []))
  const verb = isContainer(value) ? 'has no' : 'is not a mapping and has no'
  const at = { file: document.path, pointer: pointerChild(reached, near ?? '') }
  return {
    code: 'reference-unresolved',
    message: `Cannot find \`${shorten(reference)}\`: ${where} ${verb} \`${shorten(segment)}\``,
    on: 'value',
    hint: didYouMean(near) ?? hintForMissing(reached, value, segment, document),
    ...(near !== undefined && { related: [{ ...at, on: 'key', message: `\`${shorten(near)}\` is here` }] }),
  }
}

function hintForMissing(reached: string, value: unknown, segment: string, document: WalkedDocument): string | undefined {
  if (reached === '' && segment === 'definitions')
    return 'Move the schemas to `components.schemas`, and refer to `#/components/schemas/`'
  // https://github.com/dotnet/aspnetcore/issues/58006
  if (reached === '/components/schemas' && segment === '#') {
    return 'ASP.NET 9 generates such references by mistake: update `Microsoft.AspNetCore.OpenApi` to version 10. Until then, `update.onError: operation` keeps all other pages up to date'
  }
  const groups = reached.startsWith('/components') ? entriesOf(readOwn(document.parsed.value, 'components')) : []
  const found = groups.find(([, group]) => readOwn(group, segment) !== undefined)
  if (found) return didYouMean(`#/components/${found[0]}/${escapePointerSegment(segment)}`)
  return isReference(value) ? 'Refer to the target directly: this object is a reference itself' : undefined
}

function anchorFailure(reference: string, fragment: string, top: unknown): Omit<Finding, 'file' | 'pointer'> {
  const message = `Cannot find \`${shorten(reference)}\`: no \`$anchor\` is named \`${shorten(fragment)}\``
  const isSchema = readOwn(valueAtPointer(top, '/components/schemas'), fragment) !== undefined
  const [first = '', ...more] = fragment.split('/')
  const isPointer = more.length > 0 && readOwn(top, first) !== undefined
  const near = isSchema ? `#/components/schemas/${fragment}` : isPointer ? `#/${fragment}` : undefined
  return { code: 'reference-unresolved', message, on: 'value', ...(near === undefined ? {} : { hint: `Write \`${near}\`` }) }
}

const indexes = new WeakMap<WalkedDocument, Map<string, string>>()

/**
 * Returns the pointer of the schema with an `$id` (a URI without fragment), `$anchor` or `$dynamicAnchor` (`<id>#<name>`, with an empty
 * id outside every `$id`), or of the document with a `$self`.
 *
 * These keywords are rare, so the index is created when the first reference needs it.
 *
 * @see JSON Schema 2020-12, core, section 8.2
 */
export function findIdentified(document: WalkedDocument, identifier: string): string | undefined {
  let index = indexes.get(document)
  if (!index) {
    const top = document.parsed.value
    const { source } = document.parsed
    // An overlay can add keywords that the text does not have.
    const mayHave = hasOrigins(source) || /\$(?:id|anchor|dynamicAnchor)\b/.test(source.text)
    index = mayHave ? listIdentifiers(top) : new Map()
    const self = readText(top, '$self')
    if (self !== undefined) index.set(self, '')
    indexes.set(document, index)
  }
  return index.get(identifier)
}
