import type { JsonObject } from '../../text/json/json-values.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { JsonEdit } from './edit-json.ts'

/**
 * The parts of a `docs.json` that pages depend on: divisions with their documents and entries. Unknown keys are kept in the text.
 *
 * All pointers refer to a single `docs.json`, even if parts are in other files. `sourceMap` translates them.
 */
export interface DocsConfig {
  /** The file in the docs directory. */
  readonly source: SourceFile
  /** All divisions in document order, parents before children. The first one is `navigation`. */
  readonly divisions: readonly Division[]
  /** `api.openapi`: documents that pages may bind to, without generating pages. */
  readonly apiSources: readonly DocumentSource[]
  /** The parsed content. */
  readonly value: JsonObject
  readonly sourceMap: ConfigSourceMap
}

/** The kinds of navigation divisions. `navigation` is their root. */
export type DivisionKind = 'navigation' | 'tab' | 'anchor' | 'dropdown' | 'product' | 'version' | 'language' | 'item' | 'group'

/** A navigation division. */
export interface Division {
  /**
   * Identifies the division by labels instead of indexes, so that adding a sibling does not change it: `/navigation/tabs/API
   * Reference`. Unique within the `docs.json`.
   */
  readonly id: string
  readonly kind: DivisionKind
  /** `''` if the division has no label. */
  readonly label: string
  /** JSON Pointer in `docs.json`. */
  readonly pointer: string
  /** The `version` of this division or its nearest ancestor with one. */
  readonly version: string | undefined
  /** The division's own `openapi`. Empty if absent. */
  readonly sources: readonly DocumentSource[]
  /** The division's own `openapi`, or that of the nearest ancestor. */
  readonly inherited: InheritedSources | undefined
  /** Entries of the division's own `pages`, in order. Nested groups are separate divisions. */
  readonly entries: readonly NavigationEntry[]
  /** Keys of the object, in order. */
  readonly keys: readonly string[]
}

export interface InheritedSources {
  /** Pointer of the division with the `openapi` key. */
  readonly owner: string
  readonly sources: readonly DocumentSource[]
}

/** An OpenAPI document named by a division or by `api`. */
export interface DocumentSource {
  /** A URL, or a normalized path relative to the docs directory without a leading `/`. */
  readonly source: string
  /** Directory for its pages: normalized, relative to the docs directory. `''` is the docs directory itself. */
  readonly directory: string
  /** Pointer of the path or URL in `docs.json`. */
  readonly pointer: string
  /** The entry as written: a string or an object. */
  readonly raw: unknown
  /** The overlays of the document. Absent if the entry does not name any list. */
  readonly overlays: DocumentOverlayList | undefined
}

/** The value of `overlays`. */
interface DocumentOverlayList {
  /** Normalized, relative to the docs directory, or URLs. */
  readonly paths: readonly string[]
  /** Pointer of the list in `docs.json`. */
  readonly pointer: string
}

/** A string in `pages`. */
export type NavigationEntry =
  /** A page file. `path` has no leading `/` and no extension. */
  | { readonly kind: 'page'; readonly pointer: string; readonly path: string }
  /** A page that the host generates. */
  | { readonly kind: 'explicit'; readonly pointer: string; readonly binding: OperationBinding }

/** The subject of a page or of an explicit entry. */
export type PageBinding = OperationBinding | SchemaBinding

export type OperationBinding = MethodBinding | WebhookBinding

interface MethodBinding {
  readonly kind: 'operation'
  /** Without leading `/` or `./`. Absent if the binding names no document. */
  readonly file: string | undefined
  /** Lowercase for the standard OpenAPI methods, otherwise as written. */
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

/**
 * Maps values of a `DocsConfig` to files on disk. The values are read as one `docs.json`, but `$ref`s can move parts to other
 * files.
 */
export interface ConfigSourceMap {
  /** Every file that contributes to the value. The file in the docs directory comes first. */
  readonly sources: readonly SourceFile[]
  /** Returns the file and pointer of a value or of its key. With a `$ref`, the two are in different files. */
  locate(pointer: string, part: 'key' | 'value'): ConfigLocation
  /** Translates an edit to the file it affects. */
  toFileEdit(edit: JsonEdit): FileEdit
}

export interface FileEdit {
  /** Relative to the boundary. */
  readonly file: string
  readonly edit: JsonEdit
}

export interface ConfigLocation {
  /** Relative to the boundary. */
  readonly file: string
  readonly pointer: string
}
