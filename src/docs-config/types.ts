import type { JsonObject } from '../source/is-object.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { JsonEdit } from './edit-json.ts'
import type { OrderSetting } from './project-config.ts'

/**
 * A `docs.json` as far as pages need it: its divisions with their documents and entries. Unknown keys stay in the text.
 *
 * All pointers are those of one `docs.json`, also where parts of it stand in other files or it is a `mint.json`: `places` tells which are meant.
 */
export interface DocsConfig {
  /** The file in the docs root. */
  readonly source: SourceFile
  /** All divisions in document order, parents before children; the first is `navigation` itself. */
  readonly divisions: readonly Division[]
  /** `api.openapi`: documents that pages may bind to; they make no pages. */
  readonly apiSources: readonly DocumentSource[]
  /** All of it. */
  readonly value: JsonObject
  readonly places: ConfigPlaces
}

/** The kinds of navigation objects. `navigation` is the root of them. */
export type DivisionKind = 'navigation' | 'tab' | 'anchor' | 'dropdown' | 'product' | 'version' | 'language' | 'item' | 'group'

/** One navigation object. */
export interface Division {
  /**
   * Names the division by labels instead of indexes, so that a new neighbour does not rename it:
   * `/navigation/tabs/API Reference`. Unique in its `docs.json`.
   */
  readonly id: string
  readonly kind: DivisionKind
  /** The division's own words; `''` where it has none. */
  readonly label: string
  /** JSON Pointer in `docs.json`. */
  readonly pointer: string
  /** Of the nearest division around it, itself included, that has a `version`. */
  readonly version: string | undefined
  /** Own `openapi`; empty where it has none. */
  readonly sources: readonly DocumentSource[]
  /** Own `openapi`, else that of the nearest division around it. */
  readonly inherited: InheritedSources | undefined
  /** What its own `pages` list, in order; nested groups are divisions of their own. */
  readonly entries: readonly NavigationEntry[]
  /** The keys of the object, in order. */
  readonly keys: readonly string[]
  /** Where pages go when `openapi` names no directory. */
  readonly usualDirectory: string
}

export interface InheritedSources {
  /** Pointer of the division that has the `openapi` key. */
  readonly owner: string
  readonly sources: readonly DocumentSource[]
}

/** One OpenAPI document that a division, or `api`, names. */
export interface DocumentSource {
  /** Relative to the docs root, normalized, without leading `/`; or a URL. */
  readonly source: string
  /** Where its pages go: relative to the docs root, normalized; `''` is the docs root. */
  readonly directory: string
  /** Where the path or URL stands in `docs.json`. */
  readonly pointer: string
  /** The entry as it is written: a string or an object. */
  readonly raw: unknown
}

/** An element of `pages` that is a string. */
export type NavigationEntry =
  /** A page file; `path` is without leading `/` and without extension. */
  | { readonly kind: 'page'; readonly pointer: string; readonly path: string }
  /** A page that the host makes. */
  | { readonly kind: 'explicit'; readonly pointer: string; readonly binding: OperationBinding }

/** What a page, or an explicit entry, says it is about. */
export type PageBinding = OperationBinding | SchemaBinding

export type OperationBinding = MethodBinding | WebhookBinding

interface MethodBinding {
  readonly kind: 'operation'
  /** Without leading `/` and `./`; absent where the binding names no document. */
  readonly file: string | undefined
  /** Lower case for the methods of OpenAPI, as written for others. */
  readonly method: string
  readonly pathTemplate: string
}

interface WebhookBinding {
  readonly kind: 'webhook'
  readonly file: string | undefined
  readonly name: string
}

export interface SchemaBinding {
  readonly kind: 'schema'
  readonly file: string | undefined
  readonly name: string
}

/** What the lock file records. */
export interface LockFile {
  readonly divisions: readonly LockedDivision[]
  /** Sorted by path. */
  readonly pages: readonly LockedPage[]
  /** What had no page when its division was adopted, and is not new therefore. */
  readonly unwritten: readonly UnwrittenOperation[]
}

/** An operation that has no page in an adopted division and gets none unasked. */
export interface UnwrittenOperation {
  /** See `LockedDivision.id`. */
  readonly division: string
  /** See `LockedPage.document`. */
  readonly document: string
  /** See `LockedPage.operation`. */
  readonly operation: string
}

/** A division whose pages are written into the repository. */
export interface LockedDivision {
  /** See `Division.id`; `''` for the documents of a docs root without `docs.json`. */
  readonly id: string
  readonly sources: readonly LockedSource[]
}

export interface LockedSource {
  readonly source: string
  readonly directory: string
  /** What its groups and pages were ordered by when they were listed. */
  readonly order: OrderSetting
  /** Its `openapi` entry still stands on the division, because the document had faults or no operations when the others were moved. */
  readonly pending: boolean
  /**
   * Its pages were there before: they keep their paths and their shape. `growing`: what is new in the document gets a page among them; `fixed`: they
   * are but a few of its operations, and what is new gets none.
   */
  readonly adopted?: 'growing' | 'fixed'
  /** `api.openapi` named it before its key was moved, so that it stays there when the key comes back. */
  readonly named?: boolean
}

/** What an operation had when its page was written last; it tells the operation again under another name. */
export interface OperationTraits {
  readonly operationId: string | undefined
  /** Label of the group that lists its page. */
  readonly group: string | undefined
  /** Its first 200 characters. */
  readonly summary: string | undefined
  /** Names of its parameters, those of the path left out; absent for none. */
  readonly parameters: readonly string[] | undefined
  /** `x-mint.href` */
  readonly href: string | undefined
}

/** A page that we wrote, or that was deleted by hand and is not to come back. */
export interface LockedPage extends OperationTraits {
  /** Relative to the docs root, with extension. */
  readonly path: string
  /** See `LockedDivision.id`. */
  readonly division: string
  /** As in the page's binding: relative to the docs root, or a URL. */
  readonly document: string
  /** The binding without its file: `GET /pets`, `webhook orderShipped`. */
  readonly operation: string
  /** Of the content we wrote last (see `contentHash`); absent when the page was deleted by hand. */
  readonly hash: string | undefined
  /** Only on a page that somebody else wrote: the keys of its frontmatter that follow the description, with where their texts come from. */
  readonly adopted?: { readonly [key: string]: string }
  /** It has a text of its own: it stays as it is, also when its operation goes. */
  readonly keep?: boolean
}

/**
 * Where the values of a `DocsConfig` stand on the disk. They are read as if all were one `docs.json`; parts of it can be files of their own
 * (`$ref`), and a `mint.json` has them in another order.
 */
export interface ConfigPlaces {
  /** Every file that has a part of it; the one in the docs root first. */
  readonly sources: readonly SourceFile[]
  /** The file and pointer of a value, or of the key that leads to it: a `$ref` has the two in different files. */
  placeOf(pointer: string, part: 'key' | 'value'): ConfigPlace
  /** The same edit in the words of the file that it is made to; several where one list there holds what are several here. */
  toFileEdits(edit: JsonEdit): readonly FileEdit[]
}

export interface FileEdit {
  /** Relative to the boundary. */
  readonly file: string
  readonly edit: JsonEdit
}

export interface ConfigPlace {
  /** Relative to the boundary. */
  readonly file: string
  readonly pointer: string
}
