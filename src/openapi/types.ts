import type { Severity } from '../diagnostics/diagnostic.ts'
import type { ParsedSource } from '../text/parse-source.ts'
import type { Limits } from '../text/plain/limits.ts'
import type { OpenApiRelease } from './schema/json-schema.ts'

export type { OpenApiRelease }

/**
 * An entry document with everything it references. Source: OpenAPI 3.1.1, "OpenAPI Description Structure".
 *
 * Plain data. For an invalid document it contains what could be read.
 */
export interface Description {
  /** Path of the entry document relative to the boundary, or its URL. */
  readonly entryPath: string
  readonly release: OpenApiRelease
  /** The version as written, for example `3.0.3`. */
  readonly version: string
  readonly title: string
  /** In page order: paths in document order, then `get put post delete options head patch trace query`, then additional methods. */
  readonly operations: readonly Operation[]
  /** In document order; none before 3.1. */
  readonly webhooks: readonly Webhook[]
  /** The `tags` of the entry document, in its order. */
  readonly tags: readonly Tag[]
  /** `x-tagGroups` of the entry document: groups of tags in the navigation. */
  readonly tagGroups: readonly TagGroup[]
  /** The entries of `components.schemas` in the entry document, in its order. */
  readonly schemas: readonly NamedSchema[]
}

/** The common fields of operations in paths and in webhooks. */
export interface OperationFields {
  /** Lower case, as in a Path Item Object. Additional methods of 3.2 are kept as written. */
  readonly method: string
  /** Among the fields of its path item, as written. */
  readonly position: number
  /** Location of the Operation Object. */
  readonly file: string
  readonly pointer: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly deprecated: boolean | undefined
  /** `x-hidden` with any value except `false` and `null`, on the operation or its webhook: no automatic page. */
  readonly hidden: boolean
  /** `x-excluded`, read like `x-hidden`: no page at all. */
  readonly excluded: boolean
  /** Whether it is hidden only because updates write no pages of `x-webhooks`. Absent unless it is. */
  readonly isSiteOnly?: boolean
  /** Sorted unique names of the query, header and cookie parameters of the operation and its path item. */
  readonly parameters: readonly string[]
  /** `x-mint`, if it is a mapping, with the `groups` of the path item added. */
  readonly mint: MintExtension | undefined
  /** See `readLabels`. */
  readonly labels: readonly Label[]
}

/** One method of one path. */
export interface Operation extends OperationFields {
  readonly pathTemplate: string
}

/** One entry of `webhooks`, with all its methods. */
export interface Webhook {
  readonly name: string
  readonly operations: readonly OperationFields[]
}

export interface Tag {
  readonly name: string
  /** The label of the navigation group: `x-group`, or `summary`. */
  readonly group: string | undefined
  /** `x-displayName`: the label in the navigation of a site. */
  readonly displayName?: string | undefined
  /** The purpose of the tag: `nav` for a navigation group, or another value such as `badge` or `audience`. */
  readonly kind: string | undefined
  /** 3.2: the name of the tag that contains this one. */
  readonly parent?: string | undefined
  readonly description: string | undefined
  readonly externalDocs: ExternalDocs | undefined
  /** Location of the Tag Object. */
  readonly file: string
  readonly pointer: string
}

/** An element of `x-tagGroups`. */
export interface TagGroup {
  readonly name: string
  /** Names of tags, also of undeclared ones. */
  readonly tags: readonly string[]
}

export interface ExternalDocs {
  readonly url: string
  readonly description: string | undefined
}

/** The fields of a `components.schemas` entry that its page needs. A boolean schema only has a name. */
export interface NamedSchema extends Pick<OperationFields, 'description' | 'deprecated' | 'hidden' | 'excluded' | 'mint'> {
  readonly name: string
  /** Location of its `x-mint`, or of the entry. */
  readonly file: string
  readonly pointer: string
  readonly title: string | undefined
}

/** The page settings of `x-mint`. Values of the wrong type are dropped. */
export interface MintExtension {
  readonly metadata: { readonly [key: string]: unknown } | undefined
  readonly content: string | undefined
  readonly href: string | undefined
  /** The groups that may read the page: those of the path item, then those of the operation, without duplicates. */
  readonly groups: readonly string[] | undefined
}

/** One file of a description. */
export interface Document {
  readonly path: string
  readonly parsed: ParsedSource
}

/** A label next to the title of an operation, or next to the name of a parameter or property. */
export interface Label {
  /** One line. */
  readonly text: string
  readonly position: 'before' | 'after'
  /** Grey if absent. */
  readonly color?: LabelColor
}

/** The colors of sites that are closest to those of other tools. */
export type LabelColor = 'green' | 'amber' | 'red' | 'blue' | 'violet'

/** The bytes of a document, or the reason why it could not be loaded. */
export type LoadedDocument =
  | {
      readonly kind: 'loaded'
      readonly bytes: Uint8Array
      /** The canonical path of the file, relative to the boundary. Absent if every file has only one path. */
      readonly identity?: string
      /** Set for a stored copy of a URL that could not be read. */
      readonly outdated?: { readonly reason: string; readonly age: string }
    }
  | {
      readonly kind: 'failed'
      readonly code: LoadFailureCode
      readonly reason: string
      readonly hint?: string | undefined
      /** Overrides the severity of the code. */
      readonly severity?: Severity
      /** Whether there is a stored copy, which is not used. */
      readonly wasRead?: boolean
    }

export type LoadFailureCode =
  | 'file-missing'
  | 'file-unreadable'
  | 'file-outside-boundary'
  | 'file-too-large'
  | 'url-unreachable'
  | 'url-refused'

/**
 * Loads a document by its path relative to the boundary, by `file:` URL, or by URL.
 *
 * `reason` completes "Cannot read `x`: …", for example `no such file`. Never rejects.
 */
export type LoadDocument = (path: string) => Promise<LoadedDocument>

/** Loads a document by URL within limits of size and time. Otherwise like `LoadDocument`. */
export type FetchDocument = (url: string, limits?: Limits) => Promise<LoadedDocument>
