import { isObject, listObjects, listOf, type Place, readWritten } from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import { isSet, methods } from '../read/collect-operations.ts'
import { childPlace, listMapped, toMappedReference } from '../references/follow-reference.ts'
import {
  childrenOf,
  type DescriptionFiles,
  type FilePlace,
  findNode,
  isInside,
  isLink,
  isOperation,
  listNodes,
  type Node,
  setRole,
  toTree,
} from './description-tree.ts'
import {
  type FilterRules,
  hasMark,
  hasUnclearMark,
  isInternalHidden,
  isNameOf,
  isRestrictedPart,
  mayRead,
  type Readers,
  readAnyCase,
} from './restriction-marks.ts'

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
    typeof reference === 'string' ? find(resolve(node.file, reference, node.fields)) : undefined
  /** The object or schema that a reference names, if it exists. */
  const targetOf = (node: Node): Node[] => {
    const target = follow(node, node.fields['$ref'])
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
  for (const root of roots.values()) setRoles(root, targetOf)
  const referers = new Map<Node, Node[]>()
  const links = new Map<unknown, Node[]>()
  /** The parts that a rule names, apart from operations that are left out because of `x-excluded` or their tags. */
  const explicit = new Set<Node>()
  /** Objects with an `enum` of which values are restricted, with their indexes. */
  const enums = new Map<Node, readonly number[]>()
  /** Objects with a mark that removes nothing, if nothing around them is removed. */
  const unfit = new Map<Node, string>()
  const nodes = listNodes(roots.values())
  const remove = (node: Node) => {
    for (const waiting = [node]; ; ) {
      const next = waiting.pop()
      if (!next) return
      if (next.isRemoved) continue
      next.isRemoved = true
      waiting.push(...next.children.values(), ...(referers.get(next) ?? []))
      const { operationId } = next.fields
      if (operationId !== undefined && !isLink(next)) waiting.push(...(links.get(operationId) ?? []))
      const emptied = findEmptied(next)
      if (emptied) waiting.push(emptied)
    }
  }
  const { restricted } = rules
  const hidesInternal = rules.internal === true || isInternalHidden(restricted)
  const isNamed = ({ fields }: Node) =>
    (restricted !== undefined && isRestrictedPart(fields, restricted)) || (hidesInternal && isSet(fields['x-internal']))
  for (const node of nodes) {
    const fault = restricted ? findFault(node, entry, restricted.hasAudiences) : undefined
    if (fault !== undefined) unfit.set(node, fault)
    if (node.role === 'data' || node.role === 'samples') continue
    const { $ref: reference, operationRef, operationId } = node.fields
    for (const target of [reference, isLink(node) ? operationRef : undefined]) {
      const found = follow(node, target)
      if (found) addTo(referers, found.node, node)
    }
    if (isLink(node)) addTo(links, operationId, node)
    if (node.role !== 'names' && fault === undefined && isNamed(node)) explicit.add(node)
    const hidden = restricted ? listHiddenValues(node, restricted, rules.hiddenValues) : []
    if (hidden.length > 0) enums.set(node, hidden)
  }
  for (const place of rules.hidden ?? []) {
    const found = find(place)
    if (found?.isExact) explicit.add(found.node)
  }
  for (const node of explicit) remove(node)
  const tags = childrenOf(entry, 'tags').filter((tag) => explicit.has(tag))
  const excludeTags = new Set<unknown>([...(rules.excludeTags ?? []), ...tags.map(({ fields }) => fields['name'])])
  const includeTags = new Set<unknown>(rules.includeTags)
  for (const node of nodes.filter(isOperation)) {
    const listed = listOf(node.fields['tags'])
    const isExcluded = rules.excluded === true && isMarkedExcluded(node, follow)
    const isOutside =
      includeTags.size > 0 && !listed.some((tag) => includeTags.has(tag)) && !isInside(node, ({ role }) => role === 'callback')
    if (isExcluded || isOutside || listed.some((tag) => excludeTags.has(tag))) remove(node)
  }
  const referersOf = (node: Node): readonly Node[] => referers.get(node) ?? []
  const hiddenValues = rules.hiddenValues ?? []
  return {
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

function setRoles(node: Node, targetOf: (node: Node) => readonly Node[]): void {
  const targets = node.role === 'example' || node.role === 'callback' ? targetOf(node) : []
  for (const target of targets) setRole(target, node.role)
  for (const child of node.children.values()) setRoles(child, targetOf)
}

function isMarkedExcluded(node: Node, follow: Marked['follow']): boolean {
  const isWebhook = node.parent?.parent?.role === 'names' && /^(?:x-)?webhooks$/.test(String(node.parent.parent.key))
  const owners = [isWebhook ? node.parent : undefined, node, follow(node, node.fields['$ref'])?.node]
  return owners.some((owner) => isSet(owner?.fields['x-excluded']))
}

/** The path item or callback that lost all its operations with a node. Its path would tell what they are for. */
function findEmptied(node: Node): Node | undefined {
  const { parent } = node
  if (parent?.role === 'callback') return [...parent.children.values()].every(({ isRemoved }) => isRemoved) ? parent : undefined
  const item = isOperation(node) && parent?.role === 'names' ? parent.parent : isOperation(node) ? parent : undefined
  if (!item || item.fields['$ref'] !== undefined) return undefined
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
  useSecurity(entry?.fields['security'])
  const seen = new Set<Node>()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next) || isLeftOut(next)) continue
    seen.add(next)
    waiting.push(...next.children.values())
    const { tags, security } = next.fields
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

/** Why a mark at an object removes nothing, if one does not. With audiences, `x-internal` is one, too. */
function findFault(
  { role, key, value, fields, parent }: Node,
  entry: Node | undefined,
  hasAudiences: boolean,
): string | undefined {
  // Without one of its alternatives, an operation would need no or other credentials.
  const isRequirement = parent?.key === 'security' && Array.isArray(parent.value)
  const isFixed = role === 'names' || isRequirement || (key === 'info' && parent === entry)
  // A property can have this name.
  const isInternal = hasAudiences && fields['x-internal'] === true
  if (role === 'data' || role === 'samples' ? hasMark(value) : isFixed && (isInternal || hasMark(value, 0)))
    return 'Cannot restrict this object or a part of it: it cannot be left out alone'
  if (hasUnclearMark(fields))
    return 'Unexpected `x-mint`, expected a mapping with `groups` or `public`, in it or in its `metadata`'
  const listed = listOf(fields['enum'])
  const isValue = (name: string) => listed.some((_, index) => isNameOf(name, readWritten(listed, index)))
  const isFit = (mark: unknown) => isObject(mark) && Object.keys(mark).length > 0 && Object.keys(mark).every(isValue)
  if (readAnyCase(fields, 'x-mint-enum').every(isFit)) return undefined
  return 'Unexpected `x-mint-enum`, expected a mapping by values of the `enum` of the same object'
}

/** The indexes of values that `x-mint-enum` restricts to others than these readers, or that are among others. */
function listHiddenValues({ fields }: Node, readers: Readers, others: readonly string[] = []): number[] {
  const listed = listOf(fields['enum'])
  const restricted = listObjects(readAnyCase(fields, 'x-mint-enum')).flatMap((mark) => Object.entries(mark))
  const names = [...others, ...restricted.flatMap(([name, groups]) => (mayRead(groups, readers) ? [] : [name]))]
  return [...listed.keys()].filter((index) => names.some((name) => isNameOf(name, readWritten(listed, index))))
}
