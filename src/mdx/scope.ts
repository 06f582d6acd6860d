import type { Function as FunctionNode } from 'estree-jsx'
import type { ParsedMdx } from './parsed-mdx.ts'
import type { MdxValue } from './types.ts'

/** What the names in a piece of MDX stand for: imports, exported constants, props, frontmatter. */
export type Scope = ReadonlyMap<string, ScopeEntry>

export type ScopeEntry =
  | { readonly kind: 'value'; readonly value: MdxValue }
  /** A snippet that is used as a component: `import Note from '/snippets/note.mdx'`. */
  | { readonly kind: 'snippet'; readonly snippet: ParsedMdx }
  /** `export const Price = ({ amount }) => <b>{amount}</b>`: filled in with its props, not run. */
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope; readonly parsed: ParsedMdx }
  /** Something that only running code could give, or that is not there. */
  | { readonly kind: 'unavailable'; readonly from: string }
