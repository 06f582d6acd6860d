import type { ParsedSource } from '../source/parse-source.ts'

/** The releases that are read. The patch number makes no difference. */
export type OpenApiRelease = '3.0' | '3.1' | '3.2'

/**
 * An entry document with all that it references. Source: OpenAPI 3.1.1, "OpenAPI Description Structure".
 *
 * Plain data, made from valid and invalid documents alike: of an invalid one it has what could be told.
 */
export interface Description {
  /** Path of the entry document relative to the boundary, or its URL. */
  readonly entryPath: string
  readonly release: OpenApiRelease
  /** The version as the entry document writes it, for example `3.0.3`. */
  readonly version: string
  readonly title: string
  /** In page order: paths in document order, then `get put post delete options head patch trace query`, then additional methods. */
  readonly operations: readonly Operation[]
  /** In document order; none before 3.1. */
  readonly webhooks: readonly Webhook[]
  /** The `tags` of the entry document, in its order. */
  readonly tags: readonly Tag[]
  /** What stands under `components.schemas` of the entry document, in its order. */
  readonly schemas: readonly NamedSchema[]
}

/** What is the same in an operation under a path and one under a webhook. */
export interface OperationFields {
  /** Lower case as in a Path Item Object; an additional method of 3.2 as it is written. */
  readonly method: string
  /** Where the Operation Object stands. */
  readonly file: string
  readonly pointer: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly deprecated: boolean | undefined
  /** `x-hidden` with any value but `false` or `null`, on the operation or around it on the webhook: no automatic page. */
  readonly hidden: boolean
  /** `x-excluded` likewise: no page at all. */
  readonly excluded: boolean
  /** Names of its query, header and cookie parameters and of those of its path item, sorted, each once. */
  readonly parameters: readonly string[]
  /** `x-mint`, where it is a mapping, with the `groups` of the one of the path item. */
  readonly mint: MintExtension | undefined
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
  /** The label of the group in the navigation: `x-group`, else `summary`. */
  readonly group: string | undefined
  /** What the tag is for: `nav` for a group of the navigation, else something of its own, such as `badge` or `audience`. */
  readonly kind: string | undefined
  readonly description: string | undefined
  readonly externalDocs: ExternalDocs | undefined
  /** Where the Tag Object stands. */
  readonly file: string
  readonly pointer: string
}

export interface ExternalDocs {
  readonly url: string
  readonly description: string | undefined
}

/** An entry of `components.schemas`, as far as a page of its own needs it. A schema of `true` or `false` has its name only. */
export interface NamedSchema {
  readonly name: string
  /** Where its `x-mint` stands, else where the entry does. */
  readonly file: string
  readonly pointer: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean | undefined
  /** See `OperationFields.hidden`. */
  readonly hidden: boolean
  readonly excluded: boolean
  readonly mint: MintExtension | undefined
}

/** The page settings of `x-mint`. Only what has the right type is taken. */
export interface MintExtension {
  readonly metadata: { readonly [key: string]: unknown } | undefined
  readonly content: string | undefined
  readonly href: string | undefined
  /** Who may read the page: those of the path item, then those of the operation, each once. */
  readonly groups: readonly string[] | undefined
}

/** One file of a description. */
export interface Document {
  readonly path: string
  readonly parsed: ParsedSource
}
