import { type MdxElement, type MdxNode, type MdxProps, type MdxValue, toProps } from '../../../script/values/values.ts'

/** Most elements that references may add to a page. A drawing that refers to itself many times can grow exponentially. */
const mostCopies = 20_000
/** Most elements of the target of one reference, with its own references. */
const mostCopied = 5_000

const drawn = new Set('path circle rect line polyline polygon ellipse text image use'.split(' '))

/** An outermost `<svg>`, with the new IDs of its elements by the written ones. */
interface Drawing {
  readonly ids: ReadonlyMap<string, string>
}

/**
 * Makes the IDs in drawings unique and independent of the IDs of the page, limits what references add, and removes drawings that
 * draw nothing.
 */
export function settleDrawings(nodes: readonly MdxNode[]): readonly MdxNode[] {
  const drawings: Drawing[] = []
  const byId = new Map<string, MdxElement>()
  visitDrawings(nodes, (root) => drawings.push({ ids: claimIds(root, byId) }))
  if (drawings.length === 0) return nodes
  const sizes = new Sizes(byId, drawings)
  let at = 0
  return mapDrawings(nodes, (root) => settle(root, drawings[at++] ?? { ids: new Map() }, sizes))
}

/** Calls a function for each outermost `<svg>` in the order of the page. */
function visitDrawings(nodes: readonly MdxNode[], visit: (root: MdxElement) => void): void {
  for (const node of nodes) {
    if (node.kind !== 'element') continue
    if (node.name === 'svg') visit(node)
    else {
      for (const value of Object.values(node.props)) visitValue(value, visit)
      visitDrawings(node.children, visit)
    }
  }
}

function visitValue(value: MdxValue, visit: (root: MdxElement) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (value.kind === 'fragment') visitDrawings(value.children, visit)
  else for (const one of value.kind === 'list' ? value.items : Object.values(value.entries)) visitValue(one, visit)
}

/** Replaces each outermost `<svg>`. Other nodes stay the same object. */
function mapDrawings(nodes: readonly MdxNode[], map: (root: MdxElement) => readonly MdxNode[]): readonly MdxNode[] {
  const mapped = nodes.flatMap((node): readonly MdxNode[] => {
    if (node.kind !== 'element') return [node]
    if (node.name === 'svg') return map(node)
    const props = mapProps(node.props, map)
    const children = mapDrawings(node.children, map)
    return props === node.props && children === node.children ? [node] : [{ ...node, props, children }]
  })
  return mapped.length === nodes.length && mapped.every((node, index) => node === nodes[index]) ? nodes : mapped
}

function mapProps(props: MdxProps, map: (root: MdxElement) => readonly MdxNode[]): MdxProps {
  const entries = Object.entries(props)
  if (!entries.some(([, value]) => typeof value === 'object' && value !== null)) return props
  return toProps(entries.map(([name, value]) => [name, mapValue(value, map)]))
}

function mapValue(value: MdxValue, map: (root: MdxElement) => readonly MdxNode[]): MdxValue {
  if (typeof value !== 'object' || value === null) return value
  if (value.kind === 'fragment') return { ...value, children: mapDrawings(value.children, map) }
  if (value.kind === 'list') return { ...value, items: value.items.map((item) => mapValue(item, map)) }
  return { ...value, entries: mapProps(value.entries, map) }
}

/** Gives the elements of a drawing new IDs. The first one with an ID gets `svg-` and the ID, which other drawings can refer to. */
function claimIds(root: MdxElement, byId: Map<string, MdxElement>): Map<string, string> {
  const ids = new Map<string, string>()
  const claim = (node: MdxNode): void => {
    if (node.kind !== 'element') return
    const written = toText(node.props['id'])
    if (written !== '' && !ids.has(written)) {
      let id = `svg-${written}`
      for (let number = byId.size; byId.has(id); number++) id = `svg-${written}-${number}`
      ids.set(written, id)
      byId.set(id, node)
    }
    for (const child of node.children) claim(child)
  }
  claim(root)
  return ids
}

const toText = (value: MdxValue | undefined) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The ID that an attribute refers to. */
function readReference(name: string, value: MdxValue): string | undefined {
  if (typeof value !== 'string') return undefined
  return name === 'href' ? /^#(.+)$/.exec(value)?.[1] : /^url\(#(.+)\)$/.exec(value)?.[1]
}

/** Counts the elements that are drawn for an element, with those that it refers to. */
class Sizes {
  readonly #byId: ReadonlyMap<string, MdxElement>
  readonly #idsOf = new Map<string, ReadonlyMap<string, string>>()
  readonly #known = new Map<string, number>()
  #copies = 0

  constructor(byId: ReadonlyMap<string, MdxElement>, drawings: readonly Drawing[]) {
    this.#byId = byId
    for (const { ids } of drawings) for (const id of ids.values()) this.#idsOf.set(id, ids)
  }

  /** The new ID of a target; `undefined` if it does not exist or would draw too much. */
  resolve(written: string, ids: ReadonlyMap<string, string>): string | undefined {
    const id = ids.get(written) ?? `svg-${written}`
    const size = this.#sizeOf(id)
    if (size > mostCopied || this.#copies + size > mostCopies) return undefined
    this.#copies += size
    return id
  }

  #sizeOf(id: string): number {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const element = this.#byId.get(id)
    const ids = this.#idsOf.get(id)
    // Of a target that does not exist, and of one that refers to itself while it is counted.
    this.#known.set(id, Number.POSITIVE_INFINITY)
    if (!element || !ids) return Number.POSITIVE_INFINITY
    const size = this.#count(element, ids)
    this.#known.set(id, size)
    return size
  }

  #count(node: MdxNode, ids: ReadonlyMap<string, string>): number {
    if (node.kind !== 'element') return 1
    let size = 1
    for (const [name, value] of Object.entries(node.props)) {
      const written = readReference(name, value)
      if (written !== undefined) size += this.#sizeOf(ids.get(written) ?? `svg-${written}`)
    }
    for (const child of node.children) size += this.#count(child, ids)
    return size
  }
}

/** Returns nothing for a drawing that draws nothing, and hides one that only has parts for other drawings. */
function settle(root: MdxElement, { ids }: Drawing, sizes: Sizes): readonly MdxNode[] {
  let isDrawn = false
  const visit = (node: MdxNode, isShown: boolean): readonly MdxNode[] => {
    if (node.kind !== 'element') return [node]
    const props = toProps(
      Object.entries(node.props).flatMap(([name, value]): [string, MdxValue][] => {
        if (name === 'id') return ids.has(toText(value)) ? [['id', ids.get(toText(value)) ?? '']] : []
        if (/^aria-(?:labelledby|describedby)$/.test(name))
          return [[name, toText(value).replace(/\S+/g, (id) => ids.get(id) ?? id)]]
        const written = readReference(name, value)
        if (written === undefined) return [[name, value]]
        const target = sizes.resolve(written, ids)
        return target === undefined ? [] : [[name, name === 'href' ? `#${target}` : `url(#${target})`]]
      }),
    )
    if (node.name === 'use' && props['href'] === undefined) return []
    if (isShown && drawn.has(node.name)) isDrawn = true
    const areShown =
      isShown && !/^(?:defs|symbol|clippath|mask|marker|pattern|lineargradient|radialgradient|filter)$/.test(node.name)
    return [{ ...node, props, children: node.children.flatMap((child) => visit(child, areShown)) }]
  }
  const [settled] = visit(root, true)
  if (settled?.kind !== 'element') return []
  if (isDrawn) return [withSize(settled)]
  if (ids.size === 0) return []
  return [
    { ...settled, props: toProps([...Object.entries(settled.props), ['width', 0], ['height', 0], ['aria-hidden', 'true']]) },
  ]
}

/** An icon without a size would fill the width of the page. Its view box is its size. */
function withSize(svg: MdxElement): MdxElement {
  const { width, height, viewBox, style } = svg.props
  if (width !== undefined || height !== undefined || style !== undefined) return svg
  const [, , across = Number.NaN, down = Number.NaN] = toText(viewBox)
    .split(/[\s,]+/)
    .map(Number)
  if (!(across > 0 && across <= 64 && down > 0 && down <= 64)) return svg
  return { ...svg, props: toProps([...Object.entries(svg.props), ['width', across], ['height', down]]) }
}
