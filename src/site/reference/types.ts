import type { Node } from '../../model/api.ts'
import type { Body, Link, Response } from '../../model/bodies.ts'
import type { Encoding, Example, Header } from '../../model/content.ts'
import type { Parameter } from '../../model/parameters.ts'
import type { NumberLimit } from '../../model/schema.ts'
import type { RequiredScheme, SchemeFields } from '../../model/security.ts'
import type { Server } from '../../model/servers.ts'
import type { ExternalDocs, Label, OperationFields } from '../../openapi/types.ts'
import type { Place } from '../../text/json/json-values.ts'

/**
 * The content of a reference page as plain data, rendered as HTML, Markdown and search entries.
 *
 * Strings are as in the document; descriptions are Markdown. Nothing is escaped.
 */
export interface OperationView extends Pick<OperationFields, 'operationId' | 'description' | 'labels' | 'tags'> {
  /** `operation`, or one method of a webhook or callback. */
  readonly kind: 'operation' | 'webhook' | 'callback'
  /** Uppercase for the standard OpenAPI methods, otherwise as written. */
  readonly method: string
  /** The path template; the name of a webhook; the runtime expression of a callback. */
  readonly path: string
  /** Plain text of at most 80 characters. The description has the rest of a longer summary. */
  readonly summary: string | undefined
  readonly deprecated: boolean
  readonly externalDocs: ExternalDocs | undefined
  /** The texts of the path item. */
  readonly pathTexts: readonly string[]
  /** Servers of the operation, or else of the path item, or else of the document; see `toServers`. */
  readonly servers: readonly ServerView[]
  /** Whether they are those of the operation or path item. */
  readonly hasOwnServers: boolean
  /** Alternatives, each a combination of schemes; empty if no credentials are required. */
  readonly security: readonly SecurityAlternative[]
  /** The number of servers and alternatives that are left out; see `maxShared`. */
  readonly left: { readonly servers: number; readonly security: number }
  /** In document order within each location, in the order path, query, querystring, header, cookie. */
  readonly parameters: readonly ParameterView[]
  readonly requestBody: RequestBodyView | undefined
  /** In document order. */
  readonly responses: readonly ResponseView[]
  readonly callbacks: readonly CallbackView[]
  /** `x-codeSamples` or `x-code-samples`, which replace generated ones. */
  readonly codeSamples: readonly CodeSample[]
}

/** A server with a URL for readers, see `toServer`. */
export type ServerView = Omit<Server, 'place'>

/** Schemes that are required together; none if no credentials are. */
export type SecurityAlternative = readonly SchemeUse[]

/** A scheme of the document, or of the settings of a site. */
export type SchemeUse = RequiredScheme<SchemeFields>

/** How readers see the value of a parameter or header. */
interface ValueView {
  readonly schema: SchemaView
  readonly examples: readonly ExampleView[]
}

export interface ParameterView extends Omit<Parameter, keyof Node | keyof ValueView | 'content'>, ValueView {
  /** Of the parameter. Its schema has others. */
  readonly labels: readonly Label[]
  /** The media type of a parameter that has `content`. */
  readonly contentType: string | undefined
  /** The generated value of samples, if they need one and the schema says what it is. */
  readonly sample: unknown
}

interface RequestBodyView extends Pick<Body, 'description' | 'required'> {
  readonly content: readonly MediaTypeView[]
}

export interface MediaTypeView {
  readonly mediaType: string
  readonly schema: SchemaView | undefined
  /** 3.2: the schema of each item of a stream. */
  readonly itemSchema: SchemaView | undefined
  /** Examples in the document, or else one generated from the schema. */
  readonly examples: readonly ExampleView[]
  /** By property, for forms. */
  readonly encoding: readonly EncodingView[]
}

export interface EncodingView extends Pick<Encoding, 'property' | 'contentType' | 'serialization'> {
  readonly headers: readonly HeaderView[]
}

export interface ExampleView extends Omit<Example, 'serialized'> {
  /** The text to show: JSON indented by two spaces, or the serialized text. */
  readonly text: string | undefined
  /** Whether it was generated from the schema. */
  readonly isSampled: boolean
}

export interface ResponseView extends Pick<Response, 'statusCode' | 'summary' | 'description'> {
  readonly headers: readonly HeaderView[]
  readonly content: readonly MediaTypeView[]
  readonly links: readonly Link[]
  /** The number of links that are left out. */
  readonly linksLeft: number
}

export interface HeaderView extends Pick<Header, 'name' | 'required' | 'deprecated' | 'description'>, ValueView {}

export interface CallbackView {
  readonly name: string
  readonly operations: readonly OperationView[]
  /** Whether operations are left out, because callbacks inside of callbacks are too many. */
  readonly isShortened: boolean
}

export interface CodeSample {
  readonly language: string
  readonly label: string
  readonly source: string
}

/** The view of a schema: the row of a property and its nested rows. */
export interface SchemaView {
  /** Such as `array of `, `Label`, ` or `, `null`. */
  readonly type: readonly TypePart[]
  readonly title: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly labels: readonly Label[]
  /** Limits, default, constant, examples, in a fixed order. */
  readonly facts: readonly SchemaFact[]
  /** The values of `enum` in order. */
  readonly enum: readonly EnumValue[]
  readonly properties: readonly PropertyView[]
  /** `patternProperties`, `additionalProperties`, `unevaluatedProperties`: unnamed keys. */
  readonly otherKeys: readonly OtherKeyView[]
  /** Other keys are rejected: `additionalProperties: false`. */
  readonly isClosed: boolean
  /** The items of a tuple by index. */
  readonly prefixItems: readonly SchemaView[]
  readonly items: SchemaView | undefined
  readonly choices: readonly ChoiceView[]
  /** `not`, `if`/`then`/`else`, `dependentSchemas`, `contains` and others: shown under a label. The last says how many are left out. */
  readonly conditions: readonly {
    readonly label: string
    readonly key?: string
    readonly schema: SchemaView
    readonly left?: number
  }[]
  /** The named schema, if it is one; the view is then that of its page. */
  readonly target: SchemaTarget | undefined
  /** Whether all words of the view are those of `target`. */
  readonly isPlainReference: boolean
  /** The named schemas of `allOf` whose properties are among those of this schema. */
  readonly bases: readonly SchemaTarget[]
  /** Why nothing below the row is part of this view; `undefined` if all of it is. */
  readonly cut: SchemaCut | undefined
  readonly externalDocs: readonly ExternalDocs[]
}

/** Whether a schema is part of a request, which has no read-only properties, or of a response, which has no write-only ones. */
export type SchemaSide = 'request' | 'response' | 'both'

/** Where the content of a schema is, if not in its view. */
export type SchemaCut =
  /** On the page of `target`. */
  | { readonly kind: 'page'; readonly count: number }
  /** On its own page, because it is large and has no name. */
  | { readonly kind: 'part'; readonly part: SchemaPart; readonly count: number }
  /** Around it: it repeats an enclosing schema, which is `target`, or has no name. */
  | { readonly kind: 'recursive' }

/** A schema without a name that has its own page. It is published with the page of `owner`, or else with the page that contains it. */
export interface SchemaPart {
  /** See `toPlaceKey`. */
  readonly key: string
  readonly owner: SchemaTarget | undefined
  /** The names of the properties that lead to it, from the owner. */
  readonly names: readonly string[]
  readonly view: () => SchemaView
}

export type TypePart =
  | { readonly kind: 'schema'; readonly target: SchemaTarget }
  /** Names of JSON Schema and of the document, and what is between them: `string`, `string · date-time`, `, `. */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'word'
      readonly word: 'any' | 'nothing' | 'constant' | 'one of several' | 'several types' | 'or'
    }
  /** The type of the items, or of the values, follows. */
  | { readonly kind: 'arrayOf' | 'mapTo' }
  /** Several values of a type of JSON. */
  | { readonly kind: 'plural' | 'enumOf'; readonly type: string }
  | { readonly kind: 'listOf'; readonly count: number; readonly isOpen: boolean }

/** A schema with a page: one under `components.schemas` of the entry document, or any other that a reference names. */
export interface SchemaTarget {
  /** Unique in the description. */
  readonly name: string
}

export type SchemaFact =
  /** A text of the interface. */
  | { readonly kind: 'words'; readonly text: FactWords }
  | { readonly kind: 'multipleOf'; readonly value: string }
  | {
      readonly kind: 'count'
      readonly unit: 'characters' | 'items' | 'matches' | 'keys'
      /** Above 0. */
      readonly min: number | undefined
      readonly max: number | undefined
    }
  | { readonly kind: 'interval'; readonly min: NumberLimit | undefined; readonly max: NumberLimit | undefined }
  /** A word and code: `Pattern` `^a$`, `Default` `1`, `Always` `x`, `Example` `y`. With a key, the fact holds for values that have it. */
  | { readonly kind: 'value'; readonly label: string; readonly key?: string; readonly value: string }

type FactWords =
  | 'Unique items'
  | 'No more items'
  | 'XML attribute'
  | 'Wrapped in an XML element'
  | 'Most clients set this header'
  | 'Reserved characters are not encoded'
  | 'The value can be empty'

export interface EnumValue {
  /** JSON except for strings. */
  readonly value: string
  /** Its name and its description from extensions. */
  readonly description: string | undefined
}

export interface PropertyView {
  readonly name: string
  readonly required: boolean
  readonly schema: SchemaView
  /** The named schema of `allOf` that it comes from; absent for own properties. */
  readonly origin: SchemaTarget | undefined
  /** Where it is written. */
  readonly place: Pick<Place, 'file' | 'pointer'>
}

export interface OtherKeyView {
  /** `x-…` for a pattern with this prefix, `key of a pattern` for another, else `any other key`. */
  readonly label: string
  readonly pattern: string | undefined
  readonly schema: SchemaView
}

export interface ChoiceView {
  readonly kind: 'oneOf' | 'anyOf'
  /** The property that identifies the choice. */
  readonly discriminator: string | undefined
  readonly options: readonly ChoiceOption[]
  /** How many further options are not listed. */
  readonly left: number
}

export interface ChoiceOption {
  /** The discriminator's value, or else the schema's name or title, or else its type. Unique among the choices. */
  readonly label: string
  readonly schema: SchemaView
}

/** A schema with its own page. */
export interface SchemaPageView {
  readonly name: string
  readonly schema: SchemaView
  readonly examples: readonly ExampleView[]
  readonly usedBy: readonly SchemaUse[]
}

/** A place that uses a schema, at any depth. */
export interface SchemaUse {
  readonly kind: 'operation' | 'webhook' | 'schema'
  /** `GET /pets`, or the name of the webhook or schema. */
  readonly target: string
  readonly place: UsePlace
}

/** A place that uses a schema: `parameter filter`, `response 200`, `property owner.address`, `by type`, or a word such as `body` or `all of`. */
export interface UsePlace {
  readonly kind: 'word' | 'property' | 'parameter' | 'header' | 'response' | 'by'
  readonly name: string
  /** Whether it is in a callback of the operation. */
  readonly isCallback?: boolean
}
