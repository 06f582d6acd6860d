import {
  entriesOf,
  isObject,
  type JsonObject,
  keepWritten,
  listOf,
  readOwn,
  readWritten,
  setOwn,
} from '../../text/json/json-values.ts'
import { equalJson, listEnumNotes } from '../schema/json-schema.ts'
import { createDataCleaning, listApplied, type Originals } from './clean-data.ts'
import { childrenOf, composition, isLink, listReached, type Node, roleOf } from './description-tree.ts'
import type { Marked, Used } from './mark-removed.ts'
import { listSpecificationWords, type RemovedNames } from './removed-names.ts'
import { isNameOf } from './restriction-marks.ts'

type Copy = Record<string, unknown>

/** Creates a function that copies a node without removed parts and without their names. It returns `undefined` for a removed node. */
export function createCopy(
  marked: Marked,
  names: RemovedNames,
  { before, after }: { readonly before: Used; readonly after: Used },
  originals: Originals,
): (node: Node) => unknown {
  const { entry, enums, followMapping, component, referersOf } = marked
  const cleanData = createDataCleaning(marked, names, originals)
  const words = listSpecificationWords()
  const keep = createKeep(originals)
  const keepDefined = (list: readonly unknown[], original: readonly unknown[]) =>
    keep(keepWritten(list, original), (element) => element !== undefined)
  const isTagGone = createTagCheck(marked, before, after)
  const isGoneIn = createFamilies(marked, names)
  const isHiddenSample = createSampleCheck(marked, names)

  const copyNode = (node: Node, isInCondition: boolean): unknown => {
    if (node.isRemoved) return undefined
    if (node.role === 'data') return copyData(node)
    const { value, children, role } = node
    if (role === 'samples') {
      if (Array.isArray(value)) return keep(value, (sample) => !isHiddenSample(node, sample))
      return isHiddenSample(node, value) ? undefined : value
    }
    const copyChild = (key: string, child: unknown, isInside: boolean) => {
      const inside = children.get(key)
      if (inside) return copyNode(inside, isInside)
      const role = Array.isArray(value) ? node.role : roleOf(node, key, child)
      // A server variable needs its default.
      if (role === 'data' && key === 'default' && node.parent?.key === 'variables') return child
      if (role === 'data') return cleanData(child, listSchemas(node, referersOf))
      if (role === 'samples') return isHiddenSample(node, child) ? undefined : child
      return typeof child === 'string' && isTextGone(names, node, key, child) ? undefined : child
    }
    if (Array.isArray(value)) {
      return keepDefined(
        value.map((element, index) => copyChild(String(index), element, isInCondition)),
        value,
      )
    }
    const copy: Copy = {}
    for (const [key, child] of Object.entries(value)) {
      if (role === 'extension' && !words.has(key) && (names.isGone(key) || names.isGoneProperty(key))) continue
      const startsCondition = role === 'object' && (key === 'not' || key === 'if')
      const kept = copyChild(key, child, isInCondition || startsCondition)
      if (kept !== undefined) setOwn(copy, key, kept)
    }
    if (role === 'object') prune(node, copy, isInCondition)
    return keepWritten(copy, value)
  }

  const copyData = (node: Node): unknown => {
    const { parent, key, value } = node
    const isValues = Array.isArray(value) && (key === 'enum' || key === 'examples')
    const schemas = parent ? listSchemas(parent, referersOf) : []
    if (!isValues) return cleanData(value, schemas)
    return keepDefined(
      value.map((element) => cleanData(element, schemas)),
      value,
    )
  }

  /** Removes what names removed parts in an object of the specification. */
  const prune = (node: Node, copy: Copy, isInCondition: boolean): void => {
    const original = node.fields
    pruneSchema(node, copy, names, (name) => isGoneIn(node, name), keep)
    if (!isInCondition) pruneConditions(original, copy)
    pruneEnum(original, copy, enums.get(node) ?? [])
    const schema = node.children.get('schema') ?? node
    filterMember(copy, 'encoding', (name) => !isGoneIn(schema, name))
    if (isLink(node)) {
      if (isObject(original['parameters'])) copy['parameters'] ??= {}
      filterMember(copy, 'parameters', (name) => !isGoneInLink(names, name))
      const { requestBody } = copy
      if (typeof requestBody === 'string' && names.isGoneExpression(requestBody)) delete copy['requestBody']
    }
    const { mapping, defaultMapping, discriminator, security } = copy
    if (node.key === 'discriminator') {
      const leadsToRemoved = (value: unknown) => typeof value === 'string' && followMapping(node, value)?.node.isRemoved === true
      filterMember(copy, 'mapping', (name) => !leadsToRemoved(readOwn(mapping, name)) && !names.isGone(name))
      if (leadsToRemoved(defaultMapping)) delete copy['defaultMapping']
    }
    if (isObject(discriminator) && isGoneIn(node, discriminator['propertyName'])) delete copy['discriminator']
    filterMember(copy, 'scopes', (name) => !before.scopes.has(name) || after.scopes.has(name))
    if (Array.isArray(security)) {
      const isGone = (name: string) => component('securitySchemes', name)?.isRemoved === true
      copy['security'] = keep(security, (requirement) => !isObject(requirement) || !Object.keys(requirement).some(isGone))
    }
    if (node === entry) pruneTags(copy, isTagGone, keep)
    if (node.parent?.key === 'responses' && original['description'] !== undefined) copy['description'] ??= ''
  }

  return (node) => copyNode(node, false)
}

/** Filters a list of the description. */
type Keep = (list: readonly unknown[], isKept: (element: unknown, index: number) => boolean) => unknown[]

/** Remembers which element of the original list each element was. */
function createKeep(originals: Originals): Keep {
  return (list, isKept) => {
    const before = originals.get(list)
    const indexes = [...list.keys()].filter((index) => isKept(list[index], index))
    const shorter = indexes.map((index) => list[index])
    originals.set(shorter, before ? indexes.map((index) => before[index] ?? index) : indexes)
    return keepWritten(shorter, list, indexes)
  }
}

/** Whether a text equals a name of a removed part. */
function isTextGone(names: RemovedNames, node: Node, key: string, text: string): boolean {
  if (node.role === 'extension') return names.isGone(text) || names.isGoneExpression(text)
  if (node.role === 'example') return key === 'summary' || key === 'description' ? names.isGone(text) : false
  if (node.role !== 'object' || node.key === 'info') return false
  return (/^(?:title|summary|description)$/.test(key) || key.startsWith('x-')) && names.isGone(text)
}

function isGoneInLink({ isGoneParameter, shared }: RemovedNames, name: string): boolean {
  const bare = name.replace(/^(?:path|query|header|cookie)\./, '')
  return [name, bare].some((written) => isGoneParameter(written) || shared.has(written))
}

function pruneTags(copy: Copy, isTagGone: (name: unknown) => boolean, keep: Keep): void {
  const { tags, 'x-tagGroups': groups } = copy
  if (Array.isArray(tags)) {
    const kept = keep(tags, (tag) => !isTagGone(readOwn(tag, 'name')))
    for (const tag of kept) if (isObject(tag) && isTagGone(tag['parent'])) Reflect.deleteProperty(tag, 'parent')
    copy['tags'] = kept
  }
  if (Array.isArray(groups)) {
    const hadTags = (group: unknown) => listOf(readOwn(group, 'tags')).length > 0
    const pruned = groups.map((group: unknown) =>
      isObject(group) && Array.isArray(group['tags'])
        ? { ...group, tags: group['tags'].filter((tag) => !isTagGone(tag)) }
        : group,
    )
    copy['x-tagGroups'] = keep(pruned, (group, index) => hadTags(group) || !hadTags(groups[index]))
  }
}

function pruneSchema(
  { isConditional, value }: Node,
  copy: Copy,
  { isInPattern }: RemovedNames,
  isGone: (name: unknown) => boolean,
  keep: Keep,
): void {
  const { required, propertyNames } = copy
  const withoutGone = (list: readonly unknown[]) => keep(list, (name) => !isGone(name))
  if (Array.isArray(required) && required.some(isGone)) {
    copy['required'] = withoutGone(required)
    if (required.every(isGone)) delete copy['required']
  }
  for (const key of ['dependentRequired', 'dependencies'] as const) {
    filterMember(copy, key, (name) => !isGone(name))
    for (const [name, list] of entriesOf(copy[key])) if (Array.isArray(list)) setOwn(Object(copy[key]), name, withoutGone(list))
  }
  filterMember(copy, 'dependentSchemas', (name) => !isGone(name))
  filterMember(copy, 'patternProperties', (pattern) => !isInPattern(pattern))
  if (isConditional) filterMember(copy, 'properties', (name) => !isGone(name))
  if (isObject(propertyNames)) {
    const { enum: listed, const: constant, pattern } = propertyNames
    const isPatternGone = typeof pattern === 'string' && isInPattern(pattern)
    const isKept = (key: string) => !(key === 'const' && isGone(constant)) && !(key === 'pattern' && isPatternGone)
    const rest = filterKeys(propertyNames, isKept)
    copy['propertyNames'] = Array.isArray(listed) ? { ...rest, enum: withoutGone(listed) } : rest
  }
  for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
    if (Array.isArray(copy[key]) && copy[key].length === 0 && listOf(readOwn(value, key)).length > 0) delete copy[key]
  }
}

function filterMember(copy: Copy, key: string, isKept: (key: string) => boolean): void {
  const value = readOwn(copy, key)
  if (isObject(value)) setOwn(copy, key, filterKeys(value, isKept))
}

function filterKeys(value: JsonObject, isKept: (key: string) => boolean): Copy {
  return Object.fromEntries(Object.entries(value).filter(([key]) => isKept(key)))
}

/** Removes conditions on removed parts: without these parts, they would hold for every value. */
function pruneConditions(original: JsonObject, copy: Copy): void {
  if (!equalJson(copy['not'], original['not'])) delete copy['not']
  if (!equalJson(copy['if'], original['if'])) for (const key of ['if', 'then', 'else'] as const) delete copy[key]
}

function pruneEnum(original: JsonObject, copy: Copy, hidden: readonly number[]): void {
  const { enum: written } = original
  if (!Array.isArray(written)) return
  if (Array.isArray(copy['enum']) && copy['enum'].length === 0 && written.length > 0 && hidden.length === 0) delete copy['enum']
  if (hidden.length === 0) return
  const isHiddenKey = (name: string) => hidden.some((index) => isNameOf(name, readWritten(written, index)))
  for (const name of listEnumNotes()) {
    const list = readOwn(original, name)
    if (Array.isArray(list)) copy[name] = list.filter((_, index) => !hidden.includes(index))
    else if (isObject(list)) copy[name] = filterKeys(list, (value) => !isHiddenKey(value))
  }
  for (const key of Object.keys(copy)) if (/^x-m(?:int|s)-enum$/i.test(key)) delete copy[key]
}

/** The schemas that a value follows: of its parameter or media type, or the schema that it is in. */
function listSchemas(owner: Node, referersOf: Marked['referersOf']): Node[] {
  if (owner.role === 'example') {
    const places = [owner, ...referersOf(owner)]
    return places.flatMap(({ parent }) =>
      parent?.role === 'examples' && parent.parent ? listSchemas(parent.parent, referersOf) : [],
    )
  }
  return [owner.children.get('schema') ?? owner]
}

/** Finds tags that only removed parts have. A parent stays with one of its children. */
function createTagCheck({ entry, explicit }: Marked, before: Used, after: Used): (name: unknown) => boolean {
  const tags = childrenOf(entry, 'tags')
  const named = new Set(tags.filter((tag) => explicit.has(tag)).map(({ fields }) => fields['name']))
  const parents = new Map(tags.map(({ fields }) => [fields['name'], fields['parent']]))
  const withChildren = new Set<unknown>([...parents.values()].filter((name) => name !== undefined))
  const kept = new Set<unknown>()
  for (const tag of [...after.tags, ...parents.keys()]) {
    const isUsed = after.tags.has(tag) || !(before.tags.has(tag) || withChildren.has(tag))
    for (let name = tag; isUsed && name !== undefined && !kept.has(name) && !named.has(name); name = parents.get(name))
      kept.add(name)
  }
  return (name) => !kept.has(name) && (named.has(name) || before.tags.has(name) || withChildren.has(name))
}

const conditional: readonly string[] = ['if', 'then', 'else', 'not', 'propertyNames', 'contains']

/** Finds whether a name in a schema is that of a removed property. If schemas elsewhere have it too, those that apply to the same object tell. */
function createFamilies({ targetOf }: Marked, names: RemovedNames): (schema: Node, name: unknown) => boolean {
  const declared = new Map<Node, ReadonlySet<string>>()
  const topOf = (schema: Node): Node => {
    const { parent, key } = schema
    if (!parent) return schema
    if (Array.isArray(parent.value) && parent.parent && composition.includes(String(parent.key))) return topOf(parent.parent)
    if (parent.role === 'names' && parent.parent && parent.key === 'dependentSchemas') return topOf(parent.parent)
    return parent.role === 'object' && conditional.includes(String(key)) ? topOf(parent) : schema
  }
  const listDeclared = (top: Node): ReadonlySet<string> => {
    const applied = listReached([top], (schema) => (schema.isRemoved ? [] : listApplied(schema, targetOf)))
    const properties = [...applied].flatMap((schema) => (schema.isRemoved ? [] : childrenOf(schema, 'properties')))
    return new Set(properties.flatMap(({ isRemoved, key }) => (isRemoved ? [] : String(key))))
  }
  return (schema, name) => {
    if (typeof name !== 'string') return false
    if (names.isGoneProperty(name)) return true
    if (!names.shared.has(name)) return false
    const top = topOf(schema)
    const found = declared.get(top) ?? listDeclared(top)
    declared.set(top, found)
    return !found.has(name)
  }
}

/** Objects that are searched for shared names. With more, code samples are left out if they have one. */
const maxVisited = 200_000

/** Finds code samples with a removed name. A name that kept parts have too is removed only where the operation uses the removed part. */
function createSampleCheck({ follow }: Marked, names: RemovedNames) {
  let visited = 0
  const reached = new Map<Node, ReadonlySet<string>>()
  const listUsed = (operation: Node): ReadonlySet<string> => {
    const leadsTo = (node: Node) => {
      if (visited++ > maxVisited) return []
      const target = follow(node, node.fields['$ref'])
      return [...node.children.values(), ...(target ? [target.node] : [])]
    }
    const used = listReached([operation, ...childrenOf(operation.parent, 'parameters')], leadsTo)
    if (visited > maxVisited) return names.shared
    const removed = [...used].filter(({ isRemoved }) => isRemoved)
    const called = removed.map(({ parent, key, fields }) => (parent?.key === 'properties' ? key : fields['name']))
    return new Set(called.filter((name) => typeof name === 'string').filter((name) => names.shared.has(name)))
  }
  return ({ parent: operation }: Node, sample: unknown): boolean => {
    if (operation && names.shared.size > 0 && !reached.has(operation)) reached.set(operation, listUsed(operation))
    const others = (operation && reached.get(operation)) ?? new Set()
    const texts = isObject(sample) ? Object.values(sample) : [sample]
    return texts.some((text) => typeof text === 'string' && names.isInSample(text, others))
  }
}
