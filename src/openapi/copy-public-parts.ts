import { isObject, type JsonObject, readOwn, readStep, setOwn } from '../source/is-object.ts'
import { parentPointer, parsePointer, pointerChild, valueAtPointer } from '../source/json-pointer.ts'
import { toPlaceKey } from './follow-reference.ts'

/** A location in a file of a description. */
export interface FilePlace {
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

/** Whether the `groups` of a page or of `x-mint` restrict it. Generated pages of the original have them as one string. A value of another type does. */
export function areGroups(groups: unknown): boolean {
  if (groups === undefined || groups === null) return false
  if (typeof groups === 'string') return groups.trim() !== ''
  return !Array.isArray(groups) || groups.length > 0
}

/** What is removed. Locations are those in the original files. */
export interface Removal {
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
  /** Names of removed parameters. */
  readonly parameters: Set<string>
  /** The words for `names` and `parameters` in code samples. Only for the copy, when both are complete. */
  readonly words: () => ReadonlySet<string>
  /** Removed values of enums. */
  readonly values: Set<unknown>
  /** Whether the copied part is inside `not` or `if`. The outermost one is left out if anything in it changes, so that each is compared once. */
  readonly isInCondition: boolean
  /** Keys of Example Objects that are referenced. */
  readonly examples: Set<string>
}

/** The location of a member or an element. */
export function childOf({ file, pointer }: FilePlace, key: string | number): FilePlace {
  return { file, pointer: pointerChild(pointer, key) }
}

/**
 * `names`: its keys are names, such as those of properties. `examples`: a mapping of Example Objects. `example`: everything below is a value, not an object
 * of the specification. `samples`: code samples, as texts.
 */
export type Context = 'object' | 'names' | 'examples' | 'example' | 'samples'

const nameMappings: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses', 'parameters'],
  ...['requestBodies', 'headers', 'securitySchemes', 'links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'x-webhooks'],
  'additionalOperations',
  ...['content', 'mediaTypes', 'variables', 'encoding'],
])

/** The context of the value of a key. */
export function contextOf(key: string, value: unknown, around: Context): Context {
  if (around !== 'object') return around === 'examples' ? 'example' : 'object'
  if (key === 'example' || key === 'default' || key === 'x-example' || key === 'x-examples') return 'example'
  if (key === 'examples') return isObject(value) ? 'examples' : 'example'
  if (key === 'x-codeSamples' || key === 'x-code-samples') return 'samples'
  return nameMappings.has(key) && isObject(value) ? 'names' : 'object'
}

/** Whether a location is that of a Link Object. */
export function isLink({ pointer }: FilePlace): boolean {
  return /\/links\/[^/]*$/.test(pointer)
}

/** Whether a location is removed, or inside a removed one. */
export function isRemoved(place: FilePlace | undefined, places: ReadonlySet<string>): boolean {
  if (!place || places.size === 0) return false
  for (let at = place; ; at = { file: at.file, pointer: parentPointer(at.pointer) }) {
    if (places.has(toPlaceKey(at))) return true
    if (at.pointer === '') return false
  }
}

/** Whether `x-mint-enum` restricts a value of an `enum`. */
export function isHiddenValue({ 'x-mint-enum': restricted }: JsonObject, value: unknown): boolean {
  return isObject(restricted) && Object.hasOwn(restricted, String(value)) && areGroups(restricted[String(value)])
}

/** The indexes that the elements of a shorter list had. */
export type Originals = WeakMap<object, readonly number[]>

/** A copy without removed parts; `undefined` if the value is removed itself. */
export function copyPublicParts(
  value: unknown,
  place: FilePlace,
  context: Context,
  removal: Removal,
  originals: Originals,
): unknown {
  const key = toPlaceKey(place)
  if (removal.places.has(key)) return undefined
  if (context === 'example' || removal.examples.has(key)) return cleanExample(value, removal)
  if (Array.isArray(value)) {
    const all = value.map((element, index) => copyPublicParts(element, childOf(place, index), 'object', removal, originals))
    const isKept = (element: unknown) => element !== undefined && !(context === 'samples' && isHiddenSample(element, removal))
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
    const isCondition = context === 'object' && (name === 'not' || name === 'if')
    const inside = isCondition ? { ...removal, isInCondition: true } : removal
    const keptChild = copyPublicParts(child, childOf(place, name), contextOf(name, child, context), inside, originals)
    if (keptChild !== undefined) setOwn(copy, name, keptChild)
  }
  if (context === 'object') {
    pruneNames(copy, removal)
    if (!removal.isInCondition) pruneConditions(value, copy)
    pruneEncoding(copy, place.file, removal)
    if (isLink(place)) pruneLink(copy, removal)
    pruneEnum(value, copy)
    pruneMapping(copy, place.file, removal)
    pruneSecurity(copy, removal, originals)
  }
  return copy
}

/** Returns where a value of a copy is in the original. */
export function findOriginal(root: unknown, pointer: string, originals: Originals): string {
  let original = ''
  let value = root
  for (const step of parsePointer(pointer)) {
    const indexes = Array.isArray(value) ? originals.get(value) : undefined
    original = pointerChild(original, indexes?.[Number(step)] ?? step)
    value = readStep(value, step)
  }
  return original
}

/** Removes the names of removed properties from the other keywords of a schema, which can be another one than that of the property. */
function pruneNames(copy: Record<string, unknown>, { names }: Removal): void {
  const { properties } = copy
  const isGone = (name: unknown) =>
    typeof name === 'string' && names.has(name) && !(isObject(properties) && Object.hasOwn(properties, name))
  const withoutGone = (list: readonly unknown[]) => list.filter((name) => !isGone(name))
  const { required, dependentRequired, dependentSchemas, propertyNames } = copy
  if (Array.isArray(required) && required.some(isGone)) {
    copy['required'] = withoutGone(required)
    if (withoutGone(required).length === 0) delete copy['required']
  }
  if (isObject(propertyNames) && Array.isArray(propertyNames['enum']))
    copy['propertyNames'] = { ...propertyNames, enum: withoutGone(propertyNames['enum']) }
  if (isObject(dependentSchemas))
    copy['dependentSchemas'] = Object.fromEntries(Object.entries(dependentSchemas).filter(([name]) => !isGone(name)))
  if (isObject(dependentRequired)) {
    const keptEntries = Object.entries(dependentRequired).filter(([name]) => !isGone(name))
    copy['dependentRequired'] = Object.fromEntries(
      keptEntries.map(([name, list]) => [name, Array.isArray(list) ? withoutGone(list) : list]),
    )
  }
}

/** Removes conditions on restricted parts: without these parts, they would hold for every value. */
function pruneConditions(original: JsonObject, copy: Record<string, unknown>): void {
  const isChanged = (key: string) => JSON.stringify(readOwn(copy, key)) !== JSON.stringify(readOwn(original, key))
  if (isChanged('not')) delete copy['not']
  if (isChanged('if')) for (const key of ['if', 'then', 'else'] as const) delete copy[key]
}

/** Removes the encoding of removed properties in a Media Type Object. */
function pruneEncoding(copy: Record<string, unknown>, file: string, { files, names, places }: Removal): void {
  const { encoding, schema } = copy
  if (!isObject(encoding) || names.size === 0) return
  const target = isObject(schema) && typeof schema['$ref'] === 'string' ? files.resolve(file, schema['$ref']) : undefined
  const found = target ? valueAtPointer(files.values.get(target.file), target.pointer) : schema
  const properties = isObject(found) ? found['properties'] : undefined
  const isProperty = (name: string) =>
    isObject(properties) &&
    Object.hasOwn(properties, name) &&
    !(target && places.has(toPlaceKey(childOf(childOf(target, 'properties'), name))))
  copy['encoding'] = Object.fromEntries(Object.entries(encoding).filter(([name]) => !names.has(name) || isProperty(name)))
}

/** Removes the parameters of a link with the name of a removed parameter: as in examples, of whichever operation. */
function pruneLink(copy: Record<string, unknown>, { parameters: removed }: Removal): void {
  const { parameters } = copy
  if (!isObject(parameters)) return
  const isGone = (name: string) => removed.has(name) || removed.has(name.replace(/^(?:path|query|header|cookie)\./, ''))
  copy['parameters'] = Object.fromEntries(Object.entries(parameters).filter(([name]) => !isGone(name)))
}

/** Keywords with one element for each value of `enum`. */
const enumLists = ['x-enum-varnames', 'x-enum-descriptions', 'x-enumDescriptions', 'x-enumNames']

function pruneEnum(original: JsonObject, copy: Record<string, unknown>): void {
  const written = original['enum']
  if (!Array.isArray(written)) return
  const isHidden = (value: unknown) => isHiddenValue(original, value)
  if (!written.some(isHidden)) return
  for (const name of enumLists) {
    const list = readOwn(copy, name)
    if (Array.isArray(list))
      setOwn(
        copy,
        name,
        list.filter((_, index) => !isHidden(written[index])),
      )
    else if (isObject(list)) setOwn(copy, name, Object.fromEntries(Object.entries(list).filter(([value]) => !isHidden(value))))
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

/** Removes security requirements that need a removed scheme. */
function pruneSecurity(copy: Record<string, unknown>, { files, places }: Removal, originals: Originals): void {
  const { security } = copy
  if (!Array.isArray(security)) return
  const isGone = (name: string) =>
    places.has(toPlaceKey({ file: files.entryPath, pointer: pointerChild('/components/securitySchemes', name) }))
  const isKept = (requirement: unknown) => !isObject(requirement) || !Object.keys(requirement).some(isGone)
  const keptRequirements = security.filter(isKept)
  originals.set(
    keptRequirements,
    (originals.get(security) ?? []).filter((_, index) => isKept(security[index])),
  )
  copy['security'] = keptRequirements
}

/** Removes tags that only removed operations have. */
export function pruneTags(copy: unknown, isGone: (name: unknown) => boolean): void {
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

/** Whether a code sample has a restricted parameter, property or value, such as `?name=1`, `-F name=1`, `Name: 1` or `{ name: 1 }`. */
function isHiddenSample(sample: unknown, removal: Removal): boolean {
  const hidden = removal.words()
  const setsHidden = (text: string) =>
    Array.from(text.matchAll(/(?<![\w$-])([\w$-]+)(?=["'`\]]|\s*[:=])/g), ([, word = '']) => word.toLowerCase()).some((word) =>
      hidden.has(word),
    )
  const texts = isObject(sample) ? Object.values(sample) : [sample]
  return mentionsHidden(sample, removal) || texts.some((text) => typeof text === 'string' && setsHidden(text))
}

/** `id` of `filter[id]`: the word that is written before the value. */
export function toLastWord(name: string): string {
  return (/[\w$-]+(?=[^\w$-]*$)/.exec(name)?.[0] ?? name).toLowerCase()
}
