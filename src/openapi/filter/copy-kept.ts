import { isObject, type JsonObject, listOf, readOwn, setOwn } from '../../source/is-object.ts'
import { equalJson } from '../schema/equal-json.ts'
import { createDataCleaning, type Originals } from './clean-data.ts'
import { isLink, type Node, roleOf } from './description-tree.ts'
import { isHiddenValue, type Marked, type Used } from './mark-removed.ts'
import { listSpecificationWords, type RemovedNames } from './removed-names.ts'

/** Keywords with one element for each value of `enum`. */
const enumLists = ['x-enum-varnames', 'x-enum-descriptions', 'x-enumDescriptions', 'x-enumNames']

type Copy = Record<string, unknown>

/** Creates a function that copies a node without removed parts and without their names. It returns `undefined` for a removed node. */
export function createCopy(
  marked: Marked,
  names: RemovedNames,
  { before, after }: { readonly before: Used; readonly after: Used },
  originals: Originals,
): (node: Node) => unknown {
  const { entry, followMapping, component, referersOf } = marked
  const cleanData = createDataCleaning(marked, names, originals)
  const words = listSpecificationWords()
  const isTagGone = createTagCheck(marked, before, after)
  const families = createFamilies(marked, names)
  const samples = createSampleCheck(marked, names)

  const keep = (list: readonly unknown[], isKept: (element: unknown, index: number) => boolean) => {
    const known = originals.get(list)
    const indexes = [...list.keys()].filter((index) => isKept(list[index], index))
    const shorter = indexes.map((index) => list[index])
    originals.set(shorter, known ? indexes.map((index) => known[index] ?? index) : indexes)
    return shorter
  }

  const copyNode = (node: Node, isInCondition: boolean): unknown => {
    if (node.isRemoved) return undefined
    if (node.role === 'data') return copyData(node)
    if (node.role === 'samples') return copySamples(node)
    const { value, children, role } = node
    const copyChild = (key: string, child: unknown, isInside: boolean) => {
      const inside = children.get(key)
      if (inside) return copyNode(inside, isInside)
      const role = Array.isArray(value) ? node.role : roleOf(node, key, child)
      if (role === 'data') return cleanData(child, listSchemas(node, referersOf))
      if (role === 'samples') return samples.isHidden(node, child) ? undefined : child
      return typeof child === 'string' && isTextGone(node, key, child) ? undefined : child
    }
    if (Array.isArray(value)) {
      const all = value.map((element, index) => copyChild(String(index), element, isInCondition))
      return keep(all, (element) => element !== undefined)
    }
    const copy: Copy = {}
    for (const [key, child] of Object.entries(value)) {
      if (role === 'extension' && !words.has(key) && (names.isGone(key) || names.isGoneProperty(key))) continue
      const startsCondition = role === 'object' && (key === 'not' || key === 'if')
      const kept = copyChild(key, child, isInCondition || startsCondition)
      if (kept !== undefined) setOwn(copy, key, kept)
    }
    if (role === 'object') prune(node, value as JsonObject, copy, isInCondition)
    return copy
  }

  /** Whether a text equals a name of a removed part. */
  const isTextGone = (node: Node, key: string, text: string): boolean => {
    if (node.role === 'extension') return names.isGone(text) || names.isGoneExpression(text)
    if (node.role === 'example') return key === 'summary' || key === 'description' ? names.isGone(text) : false
    if (node.role !== 'object' || node.key === 'info') return false
    return (/^(?:title|summary|description)$/.test(key) || key.startsWith('x-')) && names.isGone(text)
  }

  const copyData = (node: Node): unknown => {
    const { parent, key, value } = node
    const isValues = Array.isArray(value) && (key === 'enum' || key === 'examples')
    const schemas = parent ? listSchemas(parent, referersOf) : []
    if (!isValues) return cleanData(value, schemas)
    const all = value.map((one) => cleanData(one, schemas))
    return keep(all, (one) => one !== undefined)
  }

  const copySamples = (node: Node): unknown => {
    const { value } = node
    if (!Array.isArray(value)) return samples.isHidden(node, value) ? undefined : value
    return keep(value, (sample) => !samples.isHidden(node, sample))
  }

  /** Removes what names removed parts in an object of the specification. */
  const prune = (node: Node, original: JsonObject, copy: Copy, isInCondition: boolean): void => {
    const { mapping, scopes, parameters, requestBody } = copy
    const isGoneHere = (name: unknown) => families.isGone(node, name)
    pruneSchema(node, copy, isGoneHere)
    if (!isInCondition) pruneConditions(original, copy)
    pruneEnum(original, copy)
    const { encoding } = copy
    if (isObject(encoding)) {
      const schema = node.children.get('schema') ?? node
      copy['encoding'] = filterKeys(encoding, (name) => !families.isGone(schema, name))
    }
    if (isLink(node)) {
      if (isObject(original['parameters']))
        copy['parameters'] = filterKeys(isObject(parameters) ? parameters : {}, (name) => !isGoneInLink(name))
      if (typeof requestBody === 'string' && names.isGoneExpression(requestBody)) delete copy['requestBody']
    }
    if (node.key === 'discriminator' && isObject(mapping)) {
      copy['mapping'] = filterKeys(
        mapping,
        (name) => !followMapping(node, readOwn(mapping, name))?.isRemoved && !names.isGone(name),
      )
    }
    const { discriminator } = copy
    if (isObject(discriminator) && isGoneHere(discriminator['propertyName'])) delete copy['discriminator']
    if (isObject(scopes)) {
      copy['scopes'] = filterKeys(scopes, (name) => !before.scopes.has(name) || after.scopes.has(name))
    }
    if (Array.isArray(copy['security'])) {
      copy['security'] = keep(copy['security'], (requirement) =>
        isObject(requirement) ? !Object.keys(requirement).some((name) => component('securitySchemes', name)?.isRemoved) : true,
      )
    }
    if (node === entry) pruneTags(copy)
    if (node.parent?.key === 'responses' && original['description'] !== undefined) copy['description'] ??= ''
  }

  const isGoneInLink = (name: string) => {
    const bare = name.replace(/^(?:path|query|header|cookie)\./, '')
    return [name, bare].some((one) => names.isGoneParameter(one) || names.shared.has(one))
  }

  const pruneTags = (copy: Copy) => {
    const { tags, 'x-tagGroups': groups } = copy
    if (Array.isArray(tags)) {
      const kept = keep(tags, (tag) => !isTagGone(readOwn(tag, 'name')))
      for (const tag of kept) if (isObject(tag) && isTagGone(tag['parent'])) Reflect.deleteProperty(tag, 'parent')
      copy['tags'] = kept
    }
    if (Array.isArray(groups)) {
      const hadTags = (group: unknown) => listOf(readOwn(group, 'tags')).length > 0
      const shown = groups.map((group: unknown) =>
        isObject(group) && Array.isArray(group['tags'])
          ? { ...group, tags: group['tags'].filter((tag) => !isTagGone(tag)) }
          : group,
      )
      copy['x-tagGroups'] = keep(shown, (group, index) => hadTags(group) || !hadTags(groups[index]))
    }
  }

  const pruneSchema = (node: Node, copy: Copy, isGone: (name: unknown) => boolean): void => {
    const { required, dependentRequired, dependentSchemas, dependencies, propertyNames, patternProperties, properties } = copy
    const withoutGone = (list: readonly unknown[]) => keep(list, (name) => !isGone(name))
    if (Array.isArray(required) && required.some(isGone)) {
      copy['required'] = withoutGone(required)
      if (required.every(isGone)) delete copy['required']
    }
    if (isObject(dependentRequired)) copy['dependentRequired'] = withoutLists(dependentRequired, isGone)
    if (isObject(dependencies)) copy['dependencies'] = withoutLists(dependencies, isGone)
    if (isObject(dependentSchemas)) copy['dependentSchemas'] = filterKeys(dependentSchemas, (name) => !isGone(name))
    if (isObject(patternProperties)) copy['patternProperties'] = filterKeys(patternProperties, (name) => !names.isInPattern(name))
    if (isObject(properties) && node.isConditional) copy['properties'] = filterKeys(properties, (name) => !isGone(name))
    if (isObject(propertyNames)) {
      const { enum: listed, const: constant, pattern } = propertyNames
      const isPatternGone = typeof pattern === 'string' && names.isInPattern(pattern)
      const rest = filterKeys(
        propertyNames,
        (key) => !(key === 'const' && isGone(constant)) && !(key === 'pattern' && isPatternGone),
      )
      copy['propertyNames'] = Array.isArray(listed) ? { ...rest, enum: withoutGone(listed) } : rest
    }
    for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
      if (Array.isArray(copy[key]) && copy[key].length === 0 && listOf(readOwn(node.value, key)).length > 0) delete copy[key]
    }
  }
  return (node) => copyNode(node, false)
}

function filterKeys(value: JsonObject, isKept: (key: string) => boolean): Copy {
  const copy: Copy = {}
  for (const [key, child] of Object.entries(value)) if (isKept(key)) setOwn(copy, key, child)
  return copy
}

function withoutLists(value: JsonObject, isGone: (name: unknown) => boolean): Copy {
  const kept = filterKeys(value, (name) => !isGone(name))
  for (const [name, list] of Object.entries(kept))
    if (Array.isArray(list))
      setOwn(
        kept,
        name,
        list.filter((one) => !isGone(one)),
      )
  return kept
}

/** Removes conditions on removed parts: without these parts, they would hold for every value. */
function pruneConditions(original: JsonObject, copy: Copy): void {
  if (!equalJson(copy['not'], original['not'])) delete copy['not']
  if (!equalJson(copy['if'], original['if'])) for (const key of ['if', 'then', 'else'] as const) delete copy[key]
}

function pruneEnum(original: JsonObject, copy: Copy): void {
  const { enum: written } = original
  if (!Array.isArray(written)) return
  const isHidden = (value: unknown) => isHiddenValue(original, value)
  if (Array.isArray(copy['enum']) && copy['enum'].length === 0 && written.length > 0 && !written.some(isHidden))
    delete copy['enum']
  if (!written.some(isHidden)) return
  for (const name of enumLists) {
    const list = readOwn(original, name)
    if (Array.isArray(list))
      setOwn(
        copy,
        name,
        list.filter((_, index) => !isHidden(written[index])),
      )
    else if (isObject(list))
      setOwn(
        copy,
        name,
        filterKeys(list, (value) => !isHidden(value)),
      )
  }
  delete copy['x-mint-enum']
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
  const tags = [...(entry?.children.get('tags')?.children.values() ?? [])]
  const named = new Set(tags.filter((tag) => explicit.has(tag)).map(({ value }) => readOwn(value, 'name')))
  const parents = new Map(tags.map(({ value }) => [readOwn(value, 'name'), readOwn(value, 'parent')]))
  const withChildren = new Set<unknown>([...parents.values()].filter((name) => name !== undefined))
  const kept = new Set<unknown>()
  for (const tag of [...after.tags, ...parents.keys()]) {
    const isUsed = after.tags.has(tag) || !(before.tags.has(tag) || withChildren.has(tag))
    for (let name = tag; isUsed && name !== undefined && !kept.has(name) && !named.has(name); name = parents.get(name))
      kept.add(name)
  }
  return (name) => !kept.has(name) && (named.has(name) || before.tags.has(name) || withChildren.has(name))
}

const composition: readonly string[] = ['allOf', 'oneOf', 'anyOf']
const conditional: readonly string[] = ['if', 'then', 'else', 'not', 'propertyNames', 'contains']

/** Finds whether a name in a schema is that of a removed property. If schemas elsewhere have it too, those that apply to the same object tell. */
function createFamilies({ follow }: Marked, names: RemovedNames): { readonly isGone: (schema: Node, name: unknown) => boolean } {
  const declared = new Map<Node, ReadonlySet<string>>()
  const topOf = (schema: Node): Node => {
    const { parent, key } = schema
    if (!parent) return schema
    if (Array.isArray(parent.value) && parent.parent && composition.includes(String(parent.key))) return topOf(parent.parent)
    if (parent.role === 'names' && parent.parent && parent.key === 'dependentSchemas') return topOf(parent.parent)
    return parent.role === 'object' && conditional.includes(String(key)) ? topOf(parent) : schema
  }
  const listDeclared = (top: Node): ReadonlySet<string> => {
    const found = new Set<string>()
    const seen = new Set<Node>()
    const waiting = [top]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (seen.has(next) || next.isRemoved) continue
      seen.add(next)
      for (const [name, { isRemoved }] of next.children.get('properties')?.children ?? []) if (!isRemoved) found.add(name)
      for (const key of composition) waiting.push(...(next.children.get(key)?.children.values() ?? []))
      const target = follow(next, readOwn(next.value, '$ref'))
      if (target?.isExact) waiting.push(target.node)
    }
    return found
  }
  return {
    isGone(schema, name) {
      if (typeof name !== 'string') return false
      if (names.isGoneProperty(name)) return true
      if (!names.shared.has(name)) return false
      const top = topOf(schema)
      const found = declared.get(top) ?? listDeclared(top)
      declared.set(top, found)
      return !found.has(name)
    },
  }
}

/** Objects that are searched for shared names. With more, code samples are left out if they have one. */
const maxVisited = 200_000

/** Finds code samples with a removed name. A name that kept parts have too is removed only where the operation uses the removed part. */
function createSampleCheck({ follow }: Marked, names: RemovedNames) {
  let visited = 0
  const reached = new Map<Node, ReadonlySet<string>>()
  const listReached = (operation: Node): ReadonlySet<string> => {
    const found = new Set<string>()
    const seen = new Set<Node>()
    const waiting = [operation, ...(operation.parent?.children.get('parameters')?.children.values() ?? [])]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (seen.has(next)) continue
      if (visited++ > maxVisited) return names.shared
      seen.add(next)
      const name = next.parent?.key === 'properties' ? next.key : readOwn(next.value, 'name')
      if (next.isRemoved && typeof name === 'string' && names.shared.has(name)) found.add(name)
      waiting.push(...next.children.values())
      const target = follow(next, readOwn(next.value, '$ref'))
      if (target) waiting.push(target.node)
    }
    return found
  }
  return {
    isHidden({ parent: operation }: Node, sample: unknown): boolean {
      if (operation && names.shared.size > 0 && !reached.has(operation)) reached.set(operation, listReached(operation))
      const others = (operation && reached.get(operation)) ?? new Set()
      const texts = isObject(sample) ? Object.values(sample) : [sample]
      return texts.some((text) => typeof text === 'string' && names.isInSample(text, others))
    },
  }
}
