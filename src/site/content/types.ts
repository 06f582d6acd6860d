/** A page, a snippet or a description, read and interpreted: what is shown, as plain data. Nothing in it came from running code. */
export interface MdxContent {
  readonly nodes: readonly MdxNode[]
  /** Headings of the first three levels in reading order, those inside snippets included; for the contents of the page. */
  readonly headings: readonly MdxHeading[]
}

export interface MdxHeading {
  readonly depth: 1 | 2 | 3
  /** Unique in the page; made from the text as GitHub does. */
  readonly id: string
  readonly text: string
}

export type MdxNode = MdxText | MdxElement | MdxCode

interface MdxText {
  readonly kind: 'text'
  readonly value: string
}

/**
 * An element of HTML (lower case, an allowed one with allowed attributes only) or a component (upper case or with a dot, such as `Card`,
 * `Tree.Folder`).
 */
export interface MdxElement {
  readonly kind: 'element'
  readonly name: string
  readonly props: MdxProps
  readonly children: readonly MdxNode[]
  readonly place: MdxPlace
}

/** A block of code. */
export interface MdxCode {
  readonly kind: 'code'
  /** The first word after the fence, lower case; absent where there is none. */
  readonly language: string | undefined
  /** The rest of the line: title, `{1,3-5}`, `lines`, `theme={null}` and so on. */
  readonly meta: string
  readonly value: string
  readonly place: MdxPlace
}

/** Where something stands, for findings. */
export interface MdxPlace {
  readonly file: string
  /** In the text of the file, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** By name, without a prototype: a name such as `constructor` finds nothing that was not written. */
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
export interface MdxFragment {
  readonly kind: 'fragment'
  readonly children: readonly MdxNode[]
}
