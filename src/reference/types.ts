/**
 * What a page of the reference shows, as plain data: made from a description once, rendered as HTML, Markdown and search entries.
 *
 * Texts are as the document has them; descriptions are Markdown. Nothing is escaped yet, and nothing was run.
 */
export interface OperationView {
  /** `operation`, or one method of a webhook or callback. */
  readonly kind: 'operation' | 'webhook' | 'callback'
  /** Upper case for the methods of OpenAPI, as written for additional ones. */
  readonly method: string
  /** The path template; the name of a webhook; the runtime expression of a callback. */
  readonly path: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly tags: readonly string[]
  readonly externalDocs: ExternalDocsView | undefined
  /** Those of the operation, else of the path item, else of the document; never empty for an operation, `/` is the default of OpenAPI. */
  readonly servers: readonly ServerView[]
  /** Alternatives, each a combination; empty where nothing is asked for. */
  readonly security: readonly SecurityAlternative[]
  /** In document order within each location, in the order path, query, querystring, header, cookie. */
  readonly parameters: readonly ParameterView[]
  readonly requestBody: RequestBodyView | undefined
  /** In document order. */
  readonly responses: readonly ResponseView[]
  readonly callbacks: readonly CallbackView[]
  /** `x-codeSamples` (or `x-code-samples`), which stand instead of made ones. */
  readonly codeSamples: readonly CodeSample[]
  /** Where the Operation Object stands. */
  readonly file: string
  readonly pointer: string
}

export interface ExternalDocsView {
  readonly url: string
  readonly description: string | undefined
}

export interface ServerView {
  /** As written, with `{variables}`. */
  readonly url: string
  /** 3.2: its `name`. */
  readonly name: string | undefined
  readonly description: string | undefined
  readonly variables: readonly ServerVariableView[]
}

interface ServerVariableView {
  readonly name: string
  readonly default: string
  /** Empty where any text goes. */
  readonly enum: readonly string[]
  readonly description: string | undefined
}

/** Schemes that are needed together; empty: nothing is needed. */
export interface SecurityAlternative {
  readonly schemes: readonly SecurityUse[]
}

export interface SecurityUse {
  readonly name: string
  readonly scheme: SecuritySchemeView
  /** Scopes or roles that are asked for. */
  readonly scopes: readonly { readonly name: string; readonly description: string | undefined }[]
}

export type SecuritySchemeView = {
  readonly description: string | undefined
  readonly deprecated: boolean
  /** `x-default`: what a playground fills in. */
  readonly prefill: string | undefined
} & (
  | { readonly type: 'apiKey'; readonly in: 'query' | 'header' | 'cookie'; readonly parameterName: string }
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat: string | undefined }
  | { readonly type: 'oauth2'; readonly flows: readonly OAuthFlowView[]; readonly metadataUrl: string | undefined }
  | { readonly type: 'openIdConnect'; readonly url: string }
  | { readonly type: 'mutualTLS' }
  /** A scheme that is not declared, or is of a type that nobody knows. */
  | { readonly type: 'unknown' }
)

export interface OAuthFlowView {
  readonly flow: 'implicit' | 'password' | 'clientCredentials' | 'authorizationCode' | 'deviceAuthorization'
  readonly authorizationUrl: string | undefined
  readonly tokenUrl: string | undefined
  readonly refreshUrl: string | undefined
  readonly deviceAuthorizationUrl: string | undefined
  readonly scopes: readonly { readonly name: string; readonly description: string }[]
}

export type ParameterLocation = 'path' | 'query' | 'querystring' | 'header' | 'cookie'

export interface ParameterView {
  readonly name: string
  readonly in: ParameterLocation
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string | undefined
  /** With the default of its location filled in. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly schema: SchemaView
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  readonly examples: readonly ExampleView[]
}

export interface RequestBodyView {
  readonly description: string | undefined
  readonly required: boolean
  readonly content: readonly MediaTypeView[]
}

export interface MediaTypeView {
  readonly mediaType: string
  readonly schema: SchemaView | undefined
  /** 3.2: the schema of each item of a stream. */
  readonly itemSchema: SchemaView | undefined
  /** The written ones, else one made from the schema. */
  readonly examples: readonly ExampleView[]
  /** By property of a form. */
  readonly encoding: readonly EncodingView[]
}

export interface EncodingView {
  readonly property: string
  readonly contentType: string | undefined
  readonly style: string | undefined
  readonly explode: boolean | undefined
  readonly allowReserved: boolean
  readonly headers: readonly HeaderView[]
}

export interface ExampleView {
  /** Its key among several; `''` for the only one. */
  readonly name: string
  readonly summary: string | undefined
  readonly description: string | undefined
  /** JSON, or a text as it is sent. Absent for one that stands at an address. */
  readonly value: unknown
  /** The text as it is sent: JSON with two blanks, or the example's own text. */
  readonly text: string | undefined
  readonly externalValue: string | undefined
  /** Made from the schema, not written by anybody. */
  readonly isSampled: boolean
}

export interface ResponseView {
  /** `200`, `4XX`, `default`. */
  readonly statusCode: string
  /** 3.2: its `summary`. */
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly headers: readonly HeaderView[]
  readonly content: readonly MediaTypeView[]
  readonly links: readonly LinkView[]
}

export interface HeaderView {
  readonly name: string
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string | undefined
  readonly schema: SchemaView
  readonly examples: readonly ExampleView[]
}

export interface LinkView {
  readonly name: string
  readonly description: string | undefined
  /** What it leads to: an operation of this description by `GET /path`, or the text as written. */
  readonly target: string
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

export interface CallbackView {
  readonly name: string
  readonly operations: readonly OperationView[]
}

export interface CodeSample {
  readonly language: string
  readonly label: string
  readonly source: string
}

/** A schema as it is shown: one row of a property, and what opens under it. */
export interface SchemaView {
  /** In words with links: `array of `, `Label`, ` or null`. */
  readonly type: readonly TypePart[]
  readonly title: string | undefined
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly readOnly: boolean
  readonly writeOnly: boolean
  /** Limits, default, constant, examples, in a fixed order. */
  readonly facts: readonly SchemaFact[]
  /** The values of `enum` in order. */
  readonly enum: readonly EnumValue[]
  readonly properties: readonly PropertyView[]
  /** `patternProperties`, `additionalProperties`, `unevaluatedProperties`, `propertyNames`: keys that have no name. */
  readonly otherKeys: readonly OtherKeyView[]
  /** Other keys are refused: `additionalProperties: false`. */
  readonly isClosed: boolean
  /** The elements of a list; those of each place come first (`prefixItems`). */
  readonly prefixItems: readonly SchemaView[]
  readonly items: SchemaView | undefined
  readonly choices: readonly ChoiceView[]
  readonly not: SchemaView | undefined
  /** `if`/`then`/`else`, `dependentSchemas`, `contains`: said under a label. */
  readonly conditions: readonly { readonly label: string; readonly schema: SchemaView }[]
  /** The named schema it is; what stands here is then that of the schema page. */
  readonly target: SchemaTarget | undefined
  /** Not opened here: it repeats a schema around it, or lies deeper than is shown. `target` tells where it is shown whole. */
  readonly isCut: 'recursive' | 'deep' | false
  readonly externalDocs: ExternalDocsView | undefined
}

export interface TypePart {
  readonly text: string
  readonly target: SchemaTarget | undefined
}

/** A schema under `components.schemas` of the entry document, which may have a page. */
export interface SchemaTarget {
  readonly name: string
}

export type SchemaFact =
  /** In words: `1–100 characters`, `At most 8 items`, `Unique`. */
  | { readonly kind: 'words'; readonly text: string }
  /** A word and code: `Pattern` `^a$`, `Default` `1`, `Always` `x`, `Example` `y`. */
  | { readonly kind: 'value'; readonly label: string; readonly value: string }

export interface EnumValue {
  /** JSON for all but text. */
  readonly value: string
  /** From `x-enumDescriptions`, `x-enum-descriptions` or `x-enum-varnames`. */
  readonly description: string | undefined
}

export interface PropertyView {
  readonly name: string
  readonly required: boolean
  readonly schema: SchemaView
  /** The named schema of `allOf` that it comes from; absent for a property of the schema itself. */
  readonly origin: SchemaTarget | undefined
}

export interface OtherKeyView {
  /** `x-…` for a pattern that begins so, else `any other key`. */
  readonly label: string
  readonly pattern: string | undefined
  readonly schema: SchemaView
}

export interface ChoiceView {
  readonly kind: 'oneOf' | 'anyOf'
  /** The property that tells which one it is. */
  readonly discriminator: string | undefined
  readonly options: readonly ChoiceOption[]
}

export interface ChoiceOption {
  /** The discriminator's value, else the schema's name or title, else its type. Unique in its choice. */
  readonly label: string
  readonly schema: SchemaView
}

/** A schema with a page of its own. */
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
  /** In words: `body`, `response 200`, `parameter filter`; of a schema `property owner`, `all of`. */
  readonly place: string
}
