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
