import { isContainer, isObject, type JsonObject, type Place, parsePointer, pointerChild } from '../../text/json/json-values.ts'
import { methods } from '../read/collect-operations.ts'
import { keywordsFor, keywordsWith, listEnumNotes } from '../schema/json-schema.ts'

/** A location in a file of a description. */
export type FilePlace = Omit<Place, 'value'>

/** The files of a description. */
export interface DescriptionFiles {
  readonly entryPath: string
  /** The values of all files by path, with overlays applied. */
  readonly values: ReadonlyMap<string, unknown>
  /** Returns the location that a reference names in a file, in an object of it, whether it exists or not. */
  readonly resolve: (file: string, reference: string, holder?: JsonObject) => FilePlace | undefined
}

/**
 * What a value is. `names`: its keys are names, such as those of properties. `callback`: its keys are expressions. `examples`: a mapping of Example
 * Objects. `data`: an example or another value, not an object of the specification. `samples`: code samples. `extension`: the value of an extension.
 */
type Role = 'object' | 'names' | 'callback' | 'examples' | 'example' | 'data' | 'samples' | 'extension'

/** An object or a list of a description at one place. A YAML alias has several. */
export interface Node {
  readonly file: string
  readonly parent: Node | undefined
  readonly key: string | number
  role: Role
  /** Whether it is a part of a condition such as `if`, which names properties without declaring them. */
  readonly isConditional: boolean
  readonly value: object
  /** The value if it is an object. Empty for a list. */
  readonly fields: JsonObject
  /** The objects and lists in it. None for data and code samples. */
  readonly children: Map<string, Node>
  isRemoved: boolean
}

const nameMappings: ReadonlySet<string> = new Set([
  ...[...keywordsWith('map'), '$defs', 'definitions', 'schemas', 'responses', 'parameters', 'requestBodies'],
  ...['headers', 'securitySchemes', 'links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'x-webhooks'],
  ...['additionalOperations', 'content', 'mediaTypes', 'variables', 'encoding'],
])
/** Keywords with a list of schemas that apply to the same value. */
export const composition = keywordsWith('list').filter((key) => key !== 'prefixItems')
const dataKeys: ReadonlySet<string> = new Set([
  ...['example', 'default', 'const', 'enum', 'x-example', 'x-examples'],
  ...['x-tagGroups', 'x-mint-enum', 'x-ms-enum', ...listEnumNotes()],
])
/** Alternatives declare their properties. */
const conditions: ReadonlySet<string> = new Set([
  ...keywordsFor('case', 'no').filter((key) => !composition.includes(key)),
  'propertyNames',
])

/** Whether a node is a Link Object. */
export function isLink({ parent }: Node): boolean {
  return parent?.role === 'names' && parent.key === 'links'
}

/** Whether a node is an operation of a path item. */
export function isOperation({ role, parent, key }: Node): boolean {
  if (role !== 'object' || !parent) return false
  if (parent.role === 'names') return parent.key === 'additionalOperations'
  return parent.role === 'object' && isObject(parent.value) && (methods as readonly (string | number)[]).includes(key)
}

/** The role of a member of an object. */
export function roleOf(parent: Node, key: string, value: unknown): Role {
  if (Array.isArray(parent.value)) return parent.role
  switch (parent.role) {
    case 'names':
      return parent.key === 'callbacks' ? 'callback' : 'object'
    case 'examples':
      return 'example'
    case 'example':
      if (/^(?:value|dataValue|serializedValue)$/.test(key)) return 'data'
      break
    case 'extension':
    case 'data':
    case 'samples':
      return parent.role
    case 'object':
      if (dataKeys.has(key) || (isLink(parent) && (key === 'parameters' || key === 'requestBody'))) return 'data'
      if (key === 'examples') return isObject(value) ? 'examples' : 'data'
      if (key === 'x-codeSamples' || key === 'x-code-samples') return 'samples'
      if (nameMappings.has(key) && isObject(value)) return 'names'
  }
  return key.startsWith('x-') ? 'extension' : 'object'
}

/** Makes the nodes of a file. */
export function toTree(file: string, value: unknown): Node | undefined {
  return isContainer(value) ? makeNode(file, value, '', 'object', undefined) : undefined
}

function makeNode(file: string, value: object, key: string | number, role: Role, parent: Node | undefined): Node {
  const startsCondition = parent?.role === 'object' && conditions.has(String(key))
  const isInside = parent?.isConditional === true && (parent.role !== 'names' || parent.key === 'dependentSchemas')
  const node = {
    file,
    parent,
    key,
    role,
    isConditional: startsCondition || isInside,
    value,
    fields: isObject(value) ? value : {},
    children: new Map(),
    isRemoved: false,
  }
  addChildren(node)
  return node
}

function addChildren(node: Node): void {
  const { file, role, value, children } = node
  children.clear()
  if (role === 'data' || role === 'samples') return
  for (const [name, child] of Object.entries(value)) {
    if (!isContainer(child)) continue
    children.set(name, makeNode(file, child, Array.isArray(value) ? Number(name) : name, roleOf(node, name, child), node))
  }
}

/** All nodes below some, in document order. */
export function listNodes(roots: Iterable<Node>): Node[] {
  const found: Node[] = []
  const visit = (node: Node) => {
    found.push(node)
    for (const child of node.children.values()) visit(child)
  }
  for (const root of roots) visit(root)
  return found
}

/** The nodes that others lead to, each once. */
export function listReached(start: readonly Node[], leadsTo: (node: Node) => readonly Node[]): Set<Node> {
  const found = new Set<Node>()
  const waiting = [...start]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    waiting.push(...leadsTo(next))
  }
  return found
}

/** Whether a node is inside of one that meets a condition. */
export function isInside({ parent }: Node, meets: (node: Node) => boolean): boolean {
  for (let at = parent; at; at = at.parent) if (meets(at)) return true
  return false
}

/** The elements of a list, or the members of a mapping, in an object. */
export function childrenOf(node: Node | undefined, key: string): Node[] {
  return [...(node?.children.get(key)?.children.values() ?? [])]
}

/** Changes what a node is, because a reference tells. */
export function setRole(node: Node, role: Role): void {
  if (node.role === role) return
  node.role = role
  addChildren(node)
}

/** The node at a pointer, or the last one above it. */
export function findNode(root: Node | undefined, pointer: string) {
  let node = root
  for (const step of root ? parsePointer(pointer) : []) {
    const next = node?.children.get(step)
    if (!next) return node && { node, isExact: false }
    node = next
  }
  return node && { node, isExact: true }
}

/** The location of a node. */
export function placeOf(node: Node): FilePlace {
  const steps: (string | number)[] = []
  for (let at = node; at.parent; at = at.parent) steps.push(at.key)
  return { file: node.file, pointer: steps.reduceRight<string>((pointer, step) => pointerChild(pointer, step), '') }
}
