import { isObject, parsePointer, pointerChild } from '../../text/json/json-values.ts'
import { decodePercent } from '../../text/plain/urls.ts'
import type { Originals } from './clean-data.ts'
import { createCopy } from './copy-kept.ts'
import { type DescriptionFiles, type FilePlace, isInside, type Node, placeOf } from './description-tree.ts'
import {
  type FilterRules,
  findUsed,
  listHiddenValues,
  type Marked,
  markRemoved,
  removeUnused,
  type Used,
} from './mark-removed.ts'
import { collectNames, listSpecificationWords, type RemovedNames } from './removed-names.ts'

/** Leaves out parts of a document in one file. Returns the same value if there are none. `parts` has their pointers. */
export function filterDocument(value: unknown, rules: FilterRules) {
  const found = filterDescription(
    {
      entryPath: '',
      values: new Map([['', value]]),
      resolve: (file, reference) =>
        reference.startsWith('#') ? { file, pointer: decodePercent(reference.slice(1)) } : undefined,
    },
    rules,
  )
  if (!found) return { value, parts: [], leftovers: [] }
  return { value: found.values.get('') ?? {}, parts: found.parts.map(({ pointer }) => pointer), leftovers: found.leftovers }
}

/**
 * Leaves out the parts that rules name, and all that only these parts use: references, components, files, tags, scopes, links, conditions, and their names
 * and values in examples and code samples. A name that a kept part declares too stays.
 *
 * @returns `undefined` if nothing is left out. A file that only removed parts use has no value. With `leftovers`, it must not be published.
 * @see https://www.mintlify.com/docs/create/personalization
 */
export function filterDescription(files: DescriptionFiles, rules: FilterRules) {
  const marked = markRemoved(files, rules)
  const before = findUsed(marked, false)
  const names = removeUses(marked, before)
  if (!names) return undefined
  const originals: Originals = new WeakMap()
  const copy = createCopy(marked, names, { before, after: findUsed(marked, true) }, originals)
  const values = new Map<string, unknown>()
  for (const [file, value] of files.values) {
    const root = marked.roots.get(file)
    const copied = root ? copy(root) : value
    if (copied !== undefined) values.set(file, copied)
  }
  return {
    values,
    parts: listParts(marked),
    /** Returns where a value is in the original file: lists can be shorter. */
    findOriginal: (file: string, pointer: string) => findOriginal(values.get(file), pointer, originals),
    leftovers: findLeftovers(values, names),
  }
}

/** A callback that loses its expression can be all that used other parts, whose names are in expressions. Longer chains stay, and are found afterwards. */
const maxRounds = 10

/** Removes what only removed parts use, and callbacks whose expressions name removed parts. Returns the names of all removed parts. */
function removeUses(marked: Marked, before: Used): RemovedNames | undefined {
  if (marked.enums.size === 0 && !marked.nodes.some(({ isRemoved }) => isRemoved)) return undefined
  const callbacks = marked.nodes.filter(({ role }) => role === 'callback')
  for (let round = 1; ; round++) {
    removeUnused(marked, before, findUsed(marked, true))
    const names = collectNames(marked)
    const gone = callbacks
      .flatMap((callback) => [...callback.children])
      .filter(([expression, node]) => !node.isRemoved && names.isGoneExpression(expression))
    if (gone.length === 0 || round === maxRounds) return names
    for (const [, node] of gone) marked.remove(node)
  }
}

/** The parts that rules name, without those inside others. */
function listParts({ nodes, explicit, enums }: Marked): FilePlace[] {
  const isOuter = (node: Node) => !isInside(node, (around) => explicit.has(around))
  const named = nodes.filter((node) => (explicit.has(node) || enums.has(node)) && isOuter(node))
  return named.flatMap((node) => {
    const { file, pointer } = placeOf(node)
    if (explicit.has(node)) return [{ file, pointer }]
    return listHiddenValues(node).map((index) => ({ file, pointer: pointerChild(`${pointer}/enum`, index) }))
  })
}

/** Returns where a value of a copy is in the original. */
function findOriginal(root: unknown, pointer: string, originals: Originals): string {
  let original = ''
  let value = root
  for (const step of parsePointer(pointer)) {
    const indexes = Array.isArray(value) ? originals.get(value) : undefined
    original = pointerChild(original, indexes?.[Number(step)] ?? step)
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined
  }
  return original
}

/** Fields whose value is a name or can contain one. The value of any other field of the specification is one of its words, a text or an address. */
const fieldsWithNames: ReadonlySet<string> = new Set([
  ...['required', 'tags', 'name', 'title', 'summary', 'description', 'parent', 'operationId', 'propertyName', 'enum', 'const'],
  ...['default', 'example', 'examples', 'value', 'dataValue', 'serializedValue', 'parameters', 'requestBody', 'security'],
  'x-tagGroups',
])

/** Searches a filtered description for names of removed parts. Knows nothing of what was removed where. */
function findLeftovers(values: ReadonlyMap<string, unknown>, names: RemovedNames) {
  const words = listSpecificationWords()
  const found: (FilePlace & { readonly name: string })[] = []
  const isLeft = (text: unknown) => names.isGone(text) && !words.has(String(text))
  const visit = (value: unknown, place: FilePlace, field: string) => {
    if (typeof value === 'string' && (fieldsWithNames.has(field) || !words.has(field)) && isLeft(value))
      found.push({ ...place, name: value })
    if (typeof value !== 'object' || value === null) return
    for (const [key, child] of Object.entries(value)) {
      const at = { file: place.file, pointer: pointerChild(place.pointer, key) }
      if (isObject(value) && (isLeft(key) || names.isGoneExpression(key))) found.push({ ...at, name: key })
      visit(child, at, isObject(value) ? key : field)
    }
  }
  for (const [file, value] of values) visit(value, { file, pointer: '' }, '')
  return found
}
