import { isObject, type JsonObject } from '../source/is-object.ts'
import { parentPointer, parsePointer, pointerChild, valueAtPointer } from '../source/json-pointer.ts'
import { methods } from './collect-operations.ts'
import { toPlaceKey } from './follow-reference.ts'

/** A location in a file of a description. */
interface FilePlace {
  readonly file: string
  readonly pointer: string
}

/** The files of a description. */
export interface DescriptionFiles {
  readonly entryPath: string
  /** The values of all files by path, with overlays applied. */
  readonly values: ReadonlyMap<string, unknown>
  /** Returns the location that a reference in a file names, whether it exists or not. */
  readonly resolve: (file: string, reference: string) => FilePlace | undefined
  /** Locations that are restricted although the description does not say so. */
  readonly hidden?: readonly FilePlace[]
}

/** A description without its restricted parts. */
interface PublicDescription {
  /** A file that only restricted parts use has none. */
  readonly values: ReadonlyMap<string, unknown>
  /** The restricted parts, in document order. */
  readonly parts: readonly FilePlace[]
  /** Returns where a value is in the original file: lists can be shorter. */
  readonly findOriginal: (file: string, pointer: string) => string
}

/** Whether the `groups` of a page or of `x-mint` restrict it. Generated pages of the original have them as one string. A value of another type does. */
export function areGroups(groups: unknown): boolean {
  if (groups === undefined || groups === null) return false
  if (typeof groups === 'string') return groups.trim() !== ''
  return !Array.isArray(groups) || groups.length > 0
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
 * element with a restricted value.
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
    values: new Set(),
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
    const copy = build(value, { file, pointer: '' }, 'object', removal, originals)
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

/** What is removed. Locations are those in the original files. */
interface Removal {
  readonly files: DescriptionFiles
  /** Keys of `DescriptionFiles.hidden`. */
  readonly hidden: ReadonlySet<string>
  /** Restricted parts by key. */
  readonly parts: Map<string, FilePlace>
  /** Keys of all removed locations: restricted parts, references to them, and what only they use. */
  readonly places: Set<string>
  /** Of removed operations. */
  readonly operationIds: Set<unknown>
  /** Names of removed properties. */
  readonly names: Set<string>
  /** Removed values of enums. */
  readonly values: Set<unknown>
  /** Keys of Example Objects that are referenced. */
  readonly examples: Set<string>
}

function childOf({ file, pointer }: FilePlace, key: string | number): FilePlace {
  return { file, pointer: pointerChild(pointer, key) }
}

/**
 * `names`: its keys are names, such as those of properties. `examples`: a mapping of Example Objects. `example`: everything below is a value, not an object
 * of the specification. `samples`: code samples, as texts.
 */
type Context = 'object' | 'names' | 'examples' | 'example' | 'samples'

const nameMappings: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses', 'parameters'],
  ...['requestBodies', 'headers', 'securitySchemes', 'links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'x-webhooks'],
  'additionalOperations',
  ...['content', 'mediaTypes', 'variables', 'encoding'],
])

function contextOf(key: string, value: unknown, around: Context): Context {
  if (around !== 'object') return around === 'examples' ? 'example' : 'object'
  if (key === 'example' || key === 'default' || key === 'x-example' || key === 'x-examples') return 'example'
  if (key === 'examples') return isObject(value) ? 'examples' : 'example'
  if (key === 'x-codeSamples' || key === 'x-code-samples') return 'samples'
  return nameMappings.has(key) && isObject(value) ? 'names' : 'object'
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
  const { places, parts, hidden, files, operationIds } = removal
  const key = toPlaceKey(place)
  if (places.has(key)) return true
  if (!isObject(value)) return false
  const { 'x-mint': mint, $ref: reference, operationId, operationRef } = value
  if (hidden.has(key) || isRestrictedBy(mint)) {
    parts.set(key, place)
    for (const one of [value, ...Object.values(value)])
      if (isObject(one) && one['operationId'] !== undefined) operationIds.add(one['operationId'])
  } else {
    const isLink = /\/links\/[^/]*$/.test(place.pointer)
    const targets = [reference, isLink ? operationRef : undefined]
    const isLost = targets.some((target) => typeof target === 'string' && isRemoved(files.resolve(place.file, target), places))
    if (!isLost && !(isLink && operationIds.has(operationId))) return false
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

function isRemoved(place: FilePlace | undefined, places: ReadonlySet<string>): boolean {
  if (!place || places.size === 0) return false
  for (let at = place; ; at = { file: at.file, pointer: parentPointer(at.pointer) }) {
    if (places.has(toPlaceKey(at))) return true
    if (at.pointer === '') return false
  }
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

function isHiddenValue({ 'x-mint-enum': restricted }: JsonObject, value: unknown): boolean {
  return isObject(restricted) && Object.hasOwn(restricted, String(value)) && areGroups(restricted[String(value)])
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

/** The indexes that the elements of a shorter list had. */
type Originals = WeakMap<object, readonly number[]>

/** A copy without removed parts; `undefined` if the value is removed itself. */
function build(value: unknown, place: FilePlace, context: Context, removal: Removal, originals: Originals): unknown {
  const key = toPlaceKey(place)
  if (removal.places.has(key)) return undefined
  if (context === 'example' || removal.examples.has(key)) return cleanExample(value, removal)
  if (Array.isArray(value)) {
    const all = value.map((element, index) => build(element, childOf(place, index), 'object', removal, originals))
    const isKept = (element: unknown) => element !== undefined && !(context === 'samples' && mentionsHidden(element, removal))
    const keptElements = all.filter(isKept)
    originals.set(
      keptElements,
      [...all.keys()].filter((index) => isKept(all[index])),
    )
    return keptElements
  }
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(value)) {
    const keptChild = build(child, childOf(place, name), contextOf(name, child, context), removal, originals)
    if (keptChild !== undefined) setOwn(copy, name, keptChild)
  }
  if (context === 'object') {
    pruneNames(copy, removal)
    pruneEnum(value, copy)
    pruneMapping(copy, place.file, removal)
  }
  return copy
}

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

/** `__proto__` is a name like any other. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Removes the names of removed properties from the other keywords of a schema, which can be another one than that of the property. */
function pruneNames(copy: Record<string, unknown>, { names }: Removal): void {
  const { properties } = copy
  const isGone = (name: unknown) =>
    typeof name === 'string' && names.has(name) && !(isObject(properties) && Object.hasOwn(properties, name))
  const withoutGone = (list: readonly unknown[]) => list.filter((name) => !isGone(name))
  const { required, dependentRequired } = copy
  if (Array.isArray(required) && required.some(isGone)) {
    copy['required'] = withoutGone(required)
    if (withoutGone(required).length === 0) delete copy['required']
  }
  if (isObject(dependentRequired)) {
    const keptEntries = Object.entries(dependentRequired).filter(([name]) => !isGone(name))
    copy['dependentRequired'] = Object.fromEntries(
      keptEntries.map(([name, list]) => [name, Array.isArray(list) ? withoutGone(list) : list]),
    )
  }
}

/** Keywords with one element for each value of `enum`. */
const enumLists = ['x-enum-varnames', 'x-enum-descriptions', 'x-enumDescriptions', 'x-enumNames']

function pruneEnum(original: JsonObject, copy: Record<string, unknown>): void {
  const written = original['enum']
  if (!Array.isArray(written)) return
  const isHidden = (value: unknown) => isHiddenValue(original, value)
  if (!written.some(isHidden)) return
  for (const name of enumLists) {
    const list = copy[name]
    if (Array.isArray(list)) copy[name] = list.filter((_, index) => !isHidden(written[index]))
    else if (isObject(list)) copy[name] = Object.fromEntries(Object.entries(list).filter(([value]) => !isHidden(value)))
  }
  copy['enum'] = written.filter((value) => !isHidden(value))
  delete copy['x-mint-enum']
}

function pruneMapping(copy: Record<string, unknown>, file: string, { files, places }: Removal): void {
  const { discriminator } = copy
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return
  const isGone = (target: unknown) =>
    typeof target === 'string' &&
    (isRemoved(files.resolve(file, target), places) ||
      places.has(toPlaceKey({ file: files.entryPath, pointer: pointerChild('/components/schemas', target) })))
  const mapping = Object.entries(discriminator['mapping']).filter(([, target]) => !isGone(target))
  copy['discriminator'] = { ...discriminator, mapping: Object.fromEntries(mapping) }
}

/** Removes tags that only removed operations have. */
function pruneTags(copy: unknown, isGone: (name: unknown) => boolean): void {
  if (!isObject(copy)) return
  const { tags, 'x-tagGroups': groups } = copy
  const target: Record<string, unknown> = copy
  if (Array.isArray(tags)) target['tags'] = tags.filter((tag) => !isObject(tag) || !isGone(tag['name']))
  if (Array.isArray(groups)) {
    target['x-tagGroups'] = groups.map((group) =>
      isObject(group) && Array.isArray(group['tags']) ? { ...group, tags: group['tags'].filter((tag) => !isGone(tag)) } : group,
    )
  }
}

/** Removes restricted names and values from an example or a default. */
function cleanExample(value: unknown, removal: Removal): unknown {
  const { names, values } = removal
  if (Array.isArray(value))
    return value.map((element) => cleanExample(element, removal)).filter((element) => element !== undefined)
  if (!isObject(value)) return mentionsHidden(value, removal) || values.has(value) ? undefined : value
  const copy: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (names.has(key)) continue
    const keptChild = cleanExample(child, removal)
    if (keptChild !== undefined) setOwn(copy, key, keptChild)
  }
  return copy
}

/** Whether a text, such as an example as serialized JSON, has the name of a restricted property or a restricted value. */
function mentionsHidden(value: unknown, removal: Removal): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((child) => mentionsHidden(child, removal))
  const { names, values } = removal
  return (
    typeof value === 'string' &&
    [...names, ...values].some((hidden) => typeof hidden === 'string' && value.includes(JSON.stringify(hidden)))
  )
}
