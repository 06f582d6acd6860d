import { parseJson, readOwn } from '../../text/json/json-values.ts'

/** A JSON value exactly as in the source: numbers keep all digits, objects keep duplicate keys and their order. */
export interface TreeNode {
  readonly parent: TreeNode | undefined
  /** The key in an object, the index in an array; absent at the root. */
  readonly key: string | number | undefined
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'word'
  /** The content of a string; the source text of a number, `true`, `false` or `null`; `''` for objects and arrays. */
  readonly text: string
  readonly children: readonly TreeNode[]
  /** Offsets in the text. */
  readonly start: number
  readonly end: number
}

type Open = { -readonly [Field in keyof TreeNode]: TreeNode[Field] } & { children: Open[] }

/** Parses JSON of any depth as a tree. Returns `undefined` for invalid JSON. */
export function parseTree(text: string): TreeNode | undefined {
  if (parseJson(text) === undefined) return undefined
  let root: Open | undefined
  let parent: Open | undefined
  let key: string | undefined
  for (const [token, index] of readTokens(text)) {
    const first = token[0]
    if (first === ',' || first === ':') continue
    if (first === '}' || first === ']') {
      if (parent) parent.end = index + 1
      parent = parent?.parent as Open | undefined // Every node is an `Open`.
      continue
    }
    if (parent?.kind === 'object' && key === undefined) {
      key = JSON.parse(token)
      continue
    }
    const kind = readOwn({ '{': 'object', '[': 'array', '"': 'string', t: 'word', f: 'word', n: 'word' }, first ?? '') ?? 'number'
    const node: Open = {
      parent,
      key: parent?.kind === 'array' ? parent.children.length : key,
      kind: kind as TreeNode['kind'], // TypeScript infers `string`.
      text: kind === 'string' ? JSON.parse(token) : kind === 'object' || kind === 'array' ? '' : token,
      children: [],
      start: index,
      end: index + token.length,
    }
    key = undefined
    parent?.children.push(node)
    root ??= node
    if (first === '{' || first === '[') parent = node
  }
  return root
}

/** Reads the tokens of valid JSON, with their offsets. A pattern for strings would exceed the stack for one of 10 MB. */
export function* readTokens(text: string): Generator<readonly [token: string, index: number]> {
  const next = /[{}[\],:"]|[^\s{}[\],:"]+/g
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === '"') {
      let at = next.lastIndex
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
      next.lastIndex = at + 1
    }
    yield [text.slice(found.index, next.lastIndex), found.index]
  }
}

/** The JSONPath of a value: `$.items[0]['a b']`. Source: RFC 9535. */
export function toPath({ parent, key }: TreeNode): string {
  if (!parent) return '$'
  if (typeof key === 'number') return `${toPath(parent)}[${key}]`
  const name = String(key)
  if (/^[A-Za-z_]\w*$/.test(name)) return `${toPath(parent)}.${name}`
  return `${toPath(parent)}['${name.replace(/[\\']/g, '\\$&').replace(/[\0-\x1f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}']`
}

/** The first `most` visible rows of a tree, with their levels. */
export function listRows(
  root: TreeNode,
  isOpen: (node: TreeNode) => boolean,
  isShown: (node: TreeNode) => boolean,
  most: number,
): [TreeNode, number][] {
  const rows: [TreeNode, number][] = []
  const rest: [TreeNode, number][] = [[root, 1]]
  for (let row = rest.pop(); row && rows.length < most; row = rest.pop()) {
    rows.push(row)
    const [node, level] = row
    if (!isOpen(node)) continue
    // Reversed, because the stack is read from its end.
    const shown: TreeNode[] = []
    for (const child of node.children) {
      if (shown.length + rows.length > most) break
      if (isShown(child)) shown.push(child)
    }
    for (const child of shown.reverse()) rest.push([child, level + 1])
  }
  return rows
}

/** The nodes with a key or value that contains the query, ignoring case, and all ancestors of these nodes. */
export function findNodes(
  root: TreeNode,
  query: string,
): { readonly hits: ReadonlySet<TreeNode>; readonly above: ReadonlySet<TreeNode> } {
  const wanted = query.toLowerCase()
  const hits = new Set<TreeNode>()
  const above = new Set<TreeNode>()
  const rest = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    const isHit =
      node.text.toLowerCase().includes(wanted) || (typeof node.key === 'string' && node.key.toLowerCase().includes(wanted))
    if (isHit) {
      hits.add(node)
      for (let up = node.parent; up && !above.has(up); up = up.parent) above.add(up)
    }
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child) rest.push(child)
    }
  }
  return { hits, above }
}
