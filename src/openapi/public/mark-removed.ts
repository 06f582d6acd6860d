import {
  isContainer,
  isObject,
  type JsonObject,
  listObjects,
  listOf,
  numberOf,
  type Place,
  pointerChild,
  readOwn,
  readStep,
  readWritten,
} from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import { isSet, methods } from '../read/collect-operations.ts'
import { childPlace, listMapped, toMappedReference } from '../references/follow-reference.ts'
import { keywordsWith } from '../schema/json-schema.ts'
import {
  childrenOf,
  type DescriptionFiles,
  type FilePlace,
  findNode,
  isInside,
  isLink,
  isOperation,
  listNodes,
  listReached,
  type Node,
  placeOf,
  setRole,
  toTree,
} from './description-tree.ts'
import { type FilterRules, isNameOf, isRestrictedPart, readAnyCase } from './restriction-marks.ts'

/** A description of which parts are marked as removed. */
export type Marked = ReturnType<typeof markRemoved>

/** Marks what the rules name, the references to it, the links to it, and path items that lost all operations. */
export function markRemoved({ entryPath, values, resolve }: DescriptionFiles, rules: FilterRules) {
  const roots = new Map<string, Node>()
  for (const [file, value] of values) {
    const root = toTree(file, value)
    if (root) roots.set(file, root)
  }
  const entry = roots.get(entryPath)
  const find = (place: FilePlace | undefined) => place && findNode(roots.get(place.file), place.pointer)
  /** The target of a reference, or the last object above it. */
  const follow = (node: Node, reference: unknown) =>
    typeof reference === 'string' ? find(resolve(node.file, reference)) : undefined
  /** The object or schema that a reference names, if it exists. */
  const targetOf = (node: Node): Node[] => {
    const target = follow(node, readOwn(node.value, '$ref'))
    return target?.isExact ? [target.node] : []
  }
  const root: Place = { file: entryPath, pointer: '', value: values.get(entryPath) }
  const schemas = childPlace(childPlace(root, 'components'), 'schemas')
  const component = (kind: string, name: string) => entry?.children.get('components')?.children.get(kind)?.children.get(name)
  /** The schema that a value of a discriminator names. */
  const followMapping = (node: Node, target: string) => {
    const { file, reference } = toMappedReference(target, node.file, schemas)
    return find(resolve(file, reference))
  }
  const setRoles = (node: Node) => {
    const targets = node.role === 'example' || node.role === 'callback' ? targetOf(node) : []
    for (const target of targets) setRole(target, node.role)
    for (const child of node.children.values()) setRoles(child)
  }
  for (const root of roots.values()) setRoles(root)
  const referers = new Map<Node, Node[]>()
  const links = new Map<unknown, Node[]>()
  /** The parts that a rule names, apart from operations that are left out because of `x-excluded` or their tags. */
  const explicit = new Set<Node>()
  /** Schemas with an `enum` of which `x-mint-enum` restricts values, with the indexes of these. */
  const enums = new Map<Node, Set<number>>()
  /** These values, as numbers and as written. */
  const hiddenValues = new Set<unknown>()
  /** Marks that remove nothing, if nothing around them is removed. */
  const unfit: UnfitMark[] = []
  const nodes = listNodes(roots.values())
  const remove = (node: Node) => {
    for (const waiting = [node]; ; ) {
      const next = waiting.pop()
      if (!next) return
      if (next.isRemoved) continue
      next.isRemoved = true
      waiting.push(...next.children.values(), ...(referers.get(next) ?? []))
      if (!isObject(next.value)) continue
      if (next.value['operationId'] !== undefined && !isLink(next)) waiting.push(...(links.get(next.value['operationId']) ?? []))
      const emptied = findEmptied(next)
      if (emptied) waiting.push(emptied)
    }
  }
  const isNamed = (node: Node) => {
    const { value } = node
    if (!isObject(value)) return false
    return (rules.restricted === true && isRestrictedPart(value)) || (rules.internal === true && isSet(value['x-internal']))
  }
  for (const node of nodes) {
    const faults = rules.restricted ? listUnfit(node, entry) : []
    unfit.push(...faults)
    if (!isObject(node.value) || node.role === 'data' || node.role === 'samples') continue
    const { $ref: reference, operationRef, operationId } = node.value
    for (const target of [reference, isLink(node) ? operationRef : undefined]) {
      const found = follow(node, target)
      if (found) addTo(referers, found.node, node)
    }
    if (isLink(node)) addTo(links, operationId, node)
    if (node.role !== 'names' && faults.length === 0 && isNamed(node)) explicit.add(node)
    if (!rules.restricted || node.role === 'names') continue
    for (const name of rules.hiddenValues ?? []) hideValue(node, name, { enums, values: hiddenValues, explicit })
    for (const name of listHiddenNames(node.value)) {
      const isFound = [...listReached([node], (schema) => listValueSchemas(schema, targetOf))].filter((schema) =>
        hideValue(schema, name, { enums, values: hiddenValues, explicit }),
      )
      if (isFound.length > 0) continue
      const message = `Cannot find the restricted value \`${name}\` in \`enum\` or \`const\` of this schema`
      unfit.push({
        node,
        pointer: placeOf(node).pointer,
        message,
        hint: 'Write the value as in the schema, or remove it from `x-mint-enum`',
      })
    }
  }
  for (const place of rules.hidden ?? []) {
    const found = find(place)
    if (found?.isExact) explicit.add(found.node)
  }
  for (const node of explicit) remove(node)
  const tags = childrenOf(entry, 'tags').filter((tag) => explicit.has(tag))
  const excludeTags = new Set<unknown>([...(rules.excludeTags ?? []), ...tags.map(({ value }) => readOwn(value, 'name'))])
  const includeTags = new Set<unknown>(rules.includeTags)
  for (const node of nodes.filter(isOperation)) {
    const listed = listOf(readOwn(node.value, 'tags'))
    const isExcluded = rules.excluded === true && isMarkedExcluded(node, follow)
    const isOutside =
      includeTags.size > 0 && !listed.some((tag) => includeTags.has(tag)) && !isInside(node, ({ role }) => role === 'callback')
    if (isExcluded || isOutside || listed.some((tag) => excludeTags.has(tag))) remove(node)
  }
  const referersOf = (node: Node): readonly Node[] => referers.get(node) ?? []
  return {
    rules,
    entry,
    roots,
    nodes,
    explicit,
    enums,
    hiddenValues,
    unfit,
    remove,
    follow,
    followMapping,
    targetOf,
    referersOf,
    component,
  }
}

/** A restriction without effect. `pointer`: of its object. */
interface UnfitMark {
  readonly node: Node
  readonly pointer: string
  readonly message: string
  readonly hint: string
}

/** Finds the marks at places that cannot be left out, and those whose meaning is not known. */
function listUnfit(node: Node, entry: Node | undefined): UnfitMark[] {
  const found: UnfitMark[] = []
  const isData = node.role === 'data' || node.role === 'samples'
  const isFixed = isData || node.role === 'names' || (node.key === 'info' && node.parent === entry)
  const visit = (value: unknown, pointer: string): void => {
    if (isObject(value)) {
      const enums = readAnyCase(value, 'x-mint-enum')
      if (isFixed && (isRestrictedPart(value) || enums.length > 0)) {
        const hint = 'Restrict the part around it, or the parts in it: operations, parameters, schemas, properties'
        found.push({ node, pointer, message: 'Cannot restrict this object: it cannot be left out alone', hint })
      } else if (enums.some((one) => !isObject(one) || Object.keys(one).length === 0)) {
        const message = 'Unexpected value of `x-mint-enum`, expected a mapping of values to groups'
        found.push({ node, pointer, message, hint: 'Write `x-mint-enum: { value: [group] }`' })
      }
    }
    if (isData && isContainer(value)) for (const [key, child] of Object.entries(value)) visit(child, pointerChild(pointer, key))
  }
  visit(node.value, placeOf(node).pointer)
  return found
}

/** The values that `x-mint-enum` of an object restricts, as written there. */
function listHiddenNames(object: JsonObject): string[] {
  return readAnyCase(object, 'x-mint-enum').flatMap((names) => (isObject(names) ? Object.keys(names) : []))
}

const withSchemas = [...keywordsWith('one'), ...keywordsWith('list'), 'schema']

/** The schemas of the values that a schema or a parameter describes, without properties. */
function listValueSchemas(node: Node, targetOf: (node: Node) => Node[]): Node[] {
  const inside = withSchemas.flatMap((key) => node.children.get(key) ?? [])
  return [...targetOf(node), ...inside.flatMap((one) => (Array.isArray(one.value) ? [...one.children.values()] : one))]
}

/** Hides a value of a schema, or the schema if it has no other value. Returns whether it has the value. */
function hideValue(
  node: Node,
  name: string,
  to: { readonly enums: Map<Node, Set<number>>; readonly values: Set<unknown>; readonly explicit: Set<Node> },
): boolean {
  const schema = isObject(node.value) ? node.value : {}
  const listed = listOf(schema['enum'])
  const hidden = to.enums.get(node) ?? new Set()
  const take = (holder: object, key: string | number) => {
    const written = readWritten(holder, key)
    if (!isNameOf(name, written)) return false
    // Small numbers and constants such as `true` mean something else elsewhere.
    if (typeof written === 'string' || (numberOf(written) !== undefined && name.length > 3))
      for (const one of [readStep(holder, key), String(written)]) to.values.add(one)
    return true
  }
  for (const index of listed.keys()) if (take(listed, index)) to.enums.set(node, hidden.add(index))
  const isConstant = schema['const'] !== undefined && take(schema, 'const')
  if (isConstant || (hidden.size > 0 && hidden.size === listed.length))
    to.explicit.add(node.key === 'schema' && node.parent ? node.parent : node)
  return isConstant || [...hidden].some((index) => isNameOf(name, readWritten(listed, index)))
}

function isMarkedExcluded(node: Node, follow: Marked['follow']): boolean {
  const isWebhook = node.parent?.parent?.role === 'names' && /^(?:x-)?webhooks$/.test(String(node.parent.parent.key))
  if (isWebhook && isSet(readOwn(node.parent?.value, 'x-excluded'))) return true
  if (isSet(readOwn(node.value, 'x-excluded'))) return true
  return isSet(readOwn(follow(node, readOwn(node.value, '$ref'))?.node.value, 'x-excluded'))
}

/** The path item or callback that lost all its operations with a node. Its path would tell what they are for. */
function findEmptied(node: Node): Node | undefined {
  const { parent } = node
  if (parent?.role === 'callback') return [...parent.children.values()].every(({ isRemoved }) => isRemoved) ? parent : undefined
  const item = isOperation(node) && parent?.role === 'names' ? parent.parent : isOperation(node) ? parent : undefined
  if (!item || readOwn(item.value, '$ref') !== undefined) return undefined
  const isKept = (operation: Node | undefined) => operation?.isRemoved === false
  const more = childrenOf(item, 'additionalOperations')
  return methods.some((method) => isKept(item.children.get(method))) || more.some(isKept) ? undefined : item
}

/** What the operations use: targets of references, with all objects around them, tags and scopes. */
export type Used = ReturnType<typeof findUsed>

/** Finds what the operations use, or would use without the removed parts. */
export function findUsed({ entry, targetOf, followMapping, component }: Marked, isWithout: boolean) {
  const used = { targets: new Set<Node>(), around: new Set<Node>(), tags: new Set<unknown>(), scopes: new Set<unknown>() }
  const waiting: Node[] = []
  const isLeftOut = (node: Node | undefined) => isWithout && node?.isRemoved === true
  const use = (target: Node | undefined) => {
    if (!target || used.targets.has(target) || isLeftOut(target)) return
    used.targets.add(target)
    for (let at: Node | undefined = target; at && !used.around.has(at); at = at.parent) used.around.add(at)
    waiting.push(target)
  }
  const useSecurity = (security: unknown) => {
    for (const requirement of listObjects(security)) {
      const schemes = Object.keys(requirement).map((name) => component('securitySchemes', name))
      if (schemes.some(isLeftOut)) continue
      for (const scheme of schemes) use(scheme)
      for (const scope of Object.values(requirement).flatMap(listOf)) used.scopes.add(scope)
    }
  }
  for (const [key, node] of entry?.children ?? []) if (!/^(?:components|tags|x-tagGroups)$/.test(key)) waiting.push(node)
  useSecurity(readOwn(entry?.value, 'security'))
  const seen = new Set<Node>()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next) || isLeftOut(next)) continue
    seen.add(next)
    waiting.push(...next.children.values())
    if (!isObject(next.value)) continue
    const { tags, security } = next.value
    for (const target of targetOf(next)) use(target)
    for (const { value } of next.key === 'discriminator' ? listMapped({ ...next, pointer: '' }) : []) {
      const mapped = followMapping(next, value)
      if (mapped?.isExact) use(mapped.node)
    }
    for (const tag of listOf(tags)) used.tags.add(tag)
    useSecurity(security)
  }
  return used
}

/** Removes what was used before and is not any more: components of the entry document, and anything in other files. */
export function removeUnused({ entry, roots, remove }: Marked, before: Used, after: Used): void {
  const isInsideKept = (node: Node) => isInside(node, (around) => after.targets.has(around))
  for (const root of roots.values()) if (root !== entry && before.around.has(root) && !after.around.has(root)) remove(root)
  for (const node of before.around) {
    if (after.around.has(node)) continue
    const isComponent = node.parent?.parent?.key === 'components' && node.parent.parent.parent === entry
    if (node.file === entry?.file ? isComponent : before.targets.has(node) && !isInsideKept(node)) remove(node)
  }
}
