import { isObject, type JsonObject } from '../source/is-object.ts'
import { parentPointer, valueAtPointer } from '../source/json-pointer.ts'
import { lazy } from '../source/lazy.ts'
import { methods } from './collect-operations.ts'
import {
  areGroups,
  type Context,
  childOf,
  contextOf,
  copyPublicParts,
  type DescriptionFiles,
  type FilePlace,
  findOriginal,
  isHiddenValue,
  isLink,
  isRemoved,
  type Originals,
  pruneTags,
  type Removal,
  toLastWord,
} from './copy-public-parts.ts'
import { toPlaceKey } from './follow-reference.ts'

/** A description without its restricted parts. */
interface PublicDescription {
  /** A file that only restricted parts use has none. */
  readonly values: ReadonlyMap<string, unknown>
  /** The restricted parts, in document order. */
  readonly parts: readonly FilePlace[]
  /** Returns where a value is in the original file: lists can be shorter. */
  readonly findOriginal: (file: string, pointer: string) => string
}

/** Whether a value of `public` restricts: any but `true`. */
export function isNotPublic(value: unknown): boolean {
  return value !== undefined && value !== null && value !== true && value !== 'true'
}

/** A document in one file without its restricted parts. `parts` has their pointers. */
export function toPublicDocument(value: unknown): { readonly value: unknown; readonly parts: readonly string[] } {
  const found = toPublicDescription({
    entryPath: '',
    values: new Map([['', value]]),
    resolve: (file, reference) => (reference.startsWith('#') ? { file, pointer: reference.slice(1) } : undefined),
  })
  return found ? { value: found.values.get('') ?? {}, parts: found.parts.map(({ pointer }) => pointer) } : { value, parts: [] }
}

/**
 * Leaves out the parts that `x-mint.groups`, or `groups` and `public` in `x-mint.metadata` restrict: operations, path items, parameters, properties, variants and
 * components. Also leaves out the values that `x-mint-enum` restricts, and all that only these parts use: references, components, files, tags, links, and
 * values in examples.
 *
 * An example does not tell which schema it follows. So all examples lose every member with the name of a restricted property, and every member or
 * element with a restricted value. Code samples with such a name, or with that of a restricted parameter, are left out.
 *
 * @returns `undefined` if nothing is restricted.
 * @see https://www.mintlify.com/docs/create/personalization
 */
export function toPublicDescription(files: DescriptionFiles): PublicDescription | undefined {
  const removal: Removal = {
    files,
    hidden: new Set((files.hidden ?? []).map(toPlaceKey)),
    parts: new Map(),
    places: new Set(),
    operationIds: new Set(),
    names: new Set(),
    parameters: new Set(),
    words: lazy(() => new Set([...removal.names, ...removal.parameters].map(toLastWord))),
    values: new Set(),
    isInCondition: false,
    examples: new Set(),
  }
  for (let size = -1; size !== removal.places.size; ) {
    size = removal.places.size
    for (const [file, value] of files.values) mark(value, { file, pointer: '' }, 'object', removal)
  }
  if (removal.parts.size === 0) return undefined
  const [before, after] = [findUsed(files, new Set()), findUsed(files, removal.places)]
  removeUnused(files, removal.places, before, after)
  const originals: Originals = new WeakMap()
  const values = new Map<string, unknown>()
  for (const [file, value] of files.values) {
    const copy = copyPublicParts(value, { file, pointer: '' }, 'object', removal, originals)
    if (copy === undefined) continue
    if (file === files.entryPath) pruneTags(copy, (name) => before.tags.has(name) && !after.tags.has(name))
    values.set(file, copy)
  }
  return {
    values,
    parts: [...removal.parts.values()],
    findOriginal: (file, pointer) => findOriginal(values.get(file), pointer, originals),
  }
}

/** Adds the restricted parts below a value, and references to removed locations. */
function mark(value: unknown, place: FilePlace, context: Context, removal: Removal): void {
  if (context === 'example' || context === 'samples' || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries())
      if (!markObject(element, childOf(place, index), removal)) mark(element, childOf(place, index), 'object', removal)
    return
  }
  if (!isObject(value)) return
  if (place.pointer === '' && markObject(value, place, removal)) return
  if (context === 'object') markEnum(value, place, removal)
  for (const [key, child] of Object.entries(value)) {
    const at = childOf(place, key)
    const inside = contextOf(key, child, context)
    if (inside !== 'names' && !(inside === 'example' && context === 'object') && markObject(child, at, removal)) {
      if (context === 'names' && /\/properties$/.test(place.pointer)) removal.names.add(key)
    } else if (context === 'examples') markExample(child, place.file, removal)
    else mark(child, at, inside, removal)
  }
  if (context === 'object' && hasOnlyRemovedOperations(value, place, removal)) removal.places.add(toPlaceKey(place))
}

/** Whether a path item lost all its operations. Its path would tell what they are for. */
function hasOnlyRemovedOperations(value: JsonObject, place: FilePlace, { places }: Removal): boolean {
  const more = value['additionalOperations']
  const operations = [
    ...methods.filter((method) => isObject(value[method])).map((method) => childOf(place, method)),
    ...(isObject(more) ? Object.keys(more).map((method) => childOf(childOf(place, 'additionalOperations'), method)) : []),
  ]
  return operations.length > 0 && operations.every((operation) => places.has(toPlaceKey(operation)))
}

/** Whether an object is removed. */
function markObject(value: unknown, place: FilePlace, removal: Removal): boolean {
  const { places, parts, hidden, files, operationIds, parameters } = removal
  const key = toPlaceKey(place)
  if (places.has(key)) return true
  if (!isObject(value)) return false
  const { 'x-mint': mint, $ref: reference, operationId, operationRef } = value
  if (hidden.has(key) || isRestrictedBy(mint)) {
    parts.set(key, place)
    if (typeof value['in'] === 'string' && typeof value['name'] === 'string') parameters.add(value['name'])
    for (const one of [value, ...Object.values(value)])
      if (isObject(one) && one['operationId'] !== undefined) operationIds.add(one['operationId'])
  } else {
    const targets = [reference, isLink(place) ? operationRef : undefined]
    const isLost = targets.some((target) => typeof target === 'string' && isRemoved(files.resolve(place.file, target), places))
    if (!isLost && !(isLink(place) && operationIds.has(operationId))) return false
  }
  places.add(key)
  return true
}

/** Whether `x-mint` restricts its object. `metadata` is the frontmatter of its page. */
function isRestrictedBy(mint: unknown): boolean {
  if (!isObject(mint)) return false
  const metadata = isObject(mint['metadata']) ? mint['metadata'] : {}
  return areGroups(mint['groups']) || areGroups(metadata['groups']) || isNotPublic(metadata['public'])
}

function markExample(value: unknown, file: string, { files, examples }: Removal): void {
  const target = isObject(value) && typeof value['$ref'] === 'string' ? files.resolve(file, value['$ref']) : undefined
  if (target) examples.add(toPlaceKey(target))
}

function markEnum(value: JsonObject, place: FilePlace, { parts, values }: Removal): void {
  const written = value['enum']
  if (!Array.isArray(written)) return
  for (const [index, one] of written.entries()) {
    if (!isHiddenValue(value, one)) continue
    values.add(one)
    const at = childOf(childOf(place, 'enum'), index)
    parts.set(toPlaceKey(at), at)
  }
}

/** What the operations use. */
interface Used {
  /** Keys of the targets of references. */
  readonly targets: ReadonlySet<string>
  /** Keys of the targets and of all locations around them. */
  readonly around: ReadonlySet<string>
  readonly tags: ReadonlySet<unknown>
}

function findUsed({ entryPath, values, resolve }: DescriptionFiles, removed: ReadonlySet<string>): Used {
  const used = { targets: new Set<string>(), around: new Set<string>(), tags: new Set<unknown>() }
  const waiting: (readonly [unknown, FilePlace])[] = []
  const use = (target: FilePlace) => {
    const value = valueAtPointer(values.get(target.file), target.pointer)
    if (value === undefined || used.targets.has(toPlaceKey(target)) || isRemoved(target, removed)) return false
    used.targets.add(toPlaceKey(target))
    for (let { pointer } = target; ; pointer = parentPointer(pointer)) {
      used.around.add(toPlaceKey({ file: target.file, pointer }))
      if (pointer === '') break
    }
    waiting.push([value, target])
    return true
  }
  const component = (kind: string, name: string) => childOf(childOf({ file: entryPath, pointer: '/components' }, kind), name)
  const entry = values.get(entryPath)
  const roots = isObject(entry) ? Object.entries(entry) : []
  for (const [key, value] of roots) {
    if (!/^(?:components|tags|x-tagGroups)$/.test(key)) waiting.push([value, childOf({ file: entryPath, pointer: '' }, key)])
    if (key === 'security') waiting.push([{ security: value }, { file: entryPath, pointer: '/security/-' }])
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, place] = next
    if (typeof value !== 'object' || value === null || removed.has(toPlaceKey(place))) continue
    for (const [key, child] of Object.entries(value)) waiting.push([child, childOf(place, key)])
    if (!isObject(value)) continue
    const { $ref: reference, tags, security, discriminator } = value
    const mapping = isObject(discriminator) && isObject(discriminator['mapping']) ? Object.values(discriminator['mapping']) : []
    const target = typeof reference === 'string' ? resolve(place.file, reference) : undefined
    if (target) use(target)
    for (const name of mapping.filter((one) => typeof one === 'string')) {
      const place_ = resolve(place.file, name)
      if (!place_ || !use(place_)) use(component('schemas', name))
    }
    if (Array.isArray(tags)) for (const tag of tags) used.tags.add(tag)
    if (Array.isArray(security)) {
      for (const scheme of security.flatMap((one) => (isObject(one) ? Object.keys(one) : [])))
        use(component('securitySchemes', scheme))
    }
  }
  return used
}

/** Removes what was used before and is not any more: components of the entry document, and anything in other files. */
function removeUnused({ entryPath, values }: DescriptionFiles, places: Set<string>, before: Used, after: Used): void {
  for (const file of values.keys()) {
    if (
      file !== entryPath &&
      before.around.has(toPlaceKey({ file, pointer: '' })) &&
      !after.around.has(toPlaceKey({ file, pointer: '' }))
    ) {
      places.add(toPlaceKey({ file, pointer: '' }))
    }
  }
  const inEntry = toPlaceKey({ file: entryPath, pointer: '' })
  const isComponent = (key: string) => /^\/components\/[^/]*\/[^/]*$/.test(key.slice(inEntry.length))
  for (const key of before.around) {
    if (after.around.has(key)) continue
    if (key.startsWith(inEntry) ? isComponent(key) : before.targets.has(key) && !isInside(key, after.targets)) places.add(key)
  }
}

/** Whether a location is inside one of these. */
function isInside(key: string, others: ReadonlySet<string>): boolean {
  const start = key.indexOf('\n')
  for (let end = key.lastIndexOf('/'); end > start; end = key.lastIndexOf('/', end - 1)) {
    if (others.has(key.slice(0, end))) return true
  }
  return others.has(key.slice(0, start + 1))
}
