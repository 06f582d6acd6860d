import { setOwn } from '../../text/json/json-values.ts'
/** A page, snippet or description after interpretation, as plain data. No code was run to produce it. */
export interface MdxContent {
  readonly nodes: readonly MdxNode[]
  /** Headings of levels 1 to 3 in reading order, including those in snippets, for the table of contents. */
  readonly headings: readonly MdxHeading[]
}

export interface MdxHeading {
  readonly depth: 1 | 2 | 3
  /** Unique within the page. Derived from the text like on GitHub. */
  readonly id: string
  readonly text: string
}

export type MdxNode = MdxText | MdxElement | MdxCode

interface MdxText {
  readonly kind: 'text'
  readonly value: string
}

/**
 * An allowed HTML element (lowercase, with allowed attributes), or a component (uppercase or with a dot, such as `Card` or
 * `Tree.Folder`).
 */
export interface MdxElement {
  readonly kind: 'element'
  readonly name: string
  readonly props: MdxProps
  readonly children: readonly MdxNode[]
  readonly place: MdxPlace
}

/** A code block. */
export interface MdxCode {
  readonly kind: 'code'
  /** The first word after the fence in lowercase, if any. */
  readonly language: string | undefined
  /** The rest of the fence line: title, `{1,3-5}`, `lines`, `theme={null}` and so on. */
  readonly meta: string
  readonly value: string
  readonly place: MdxPlace
}

/** A location for diagnostics. */
export interface MdxPlace {
  readonly file: string
  /** In the text of the file, in UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** By name, without a prototype, so that names such as `constructor` find nothing. */
export type MdxProps = Readonly<Record<string, MdxValue>>

export type MdxValue = string | number | boolean | null | MdxList | MdxObject | MdxFragment

interface MdxList {
  readonly kind: 'list'
  readonly items: readonly MdxValue[]
}

interface MdxObject {
  readonly kind: 'object'
  readonly entries: MdxProps
}

/** JSX as a value: `icon={<Icon icon="star" />}`. */
interface MdxFragment {
  readonly kind: 'fragment'
  readonly children: readonly MdxNode[]
}

/** Values by name in an object without a prototype. */
export function toProps(entries: Iterable<readonly [name: string, value: MdxValue]>): MdxProps {
  const props: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of entries) setOwn(props, name, value)
  return props
}

/** Converts a value between elements to nodes. As in JSX, `true`, `false` and `null` show nothing. */
export function valueToNodes(value: MdxValue): readonly MdxNode[] {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value !== 'object') return [{ kind: 'text', value: String(value) }]
  if (value.kind === 'list') return value.items.flatMap(valueToNodes)
  return value.kind === 'fragment' ? value.children : []
}

/** Returns the text content of nodes. */
export function textOf(nodes: readonly MdxNode[]): string {
  return nodes.map((node) => (node.kind === 'element' ? textOf(node.children) : node.value)).join('')
}
