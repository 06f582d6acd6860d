/**
 * An operation as the playground sees it, read from its slice: a description of this operation alone, which the page links to.
 *
 * Plain data, created when the dialog opens. Schemas stay as written; `resolve` follows their references.
 */
export interface PlaygroundOperation {
  /** Upper case, as sent. */
  readonly method: string
  /** The path template. */
  readonly path: string
  /** The summary, else the method and path. */
  readonly title: string
  /** Those of the operation, else of the path item, else of the document; never empty. */
  readonly servers: readonly PlaygroundServer[]
  /** Alternatives, each a combination of schemes; empty if no credentials are required. */
  readonly security: readonly (readonly PlaygroundScheme[])[]
  /** In document order within each location, in the order path, query, querystring, header, cookie. */
  readonly parameters: readonly PlaygroundParameter[]
  /** In document order; empty if there is no body. */
  readonly bodies: readonly PlaygroundBody[]
  readonly isBodyRequired: boolean
  /** Media types of the responses, for `Accept`. */
  readonly accepts: readonly string[]
  /** Follows the references of a schema. Boolean schemas become equivalent objects, anything else becomes `{}`. Never throws; circular references end. */
  readonly resolve: (schema: unknown) => JsonSchema
}

/** A Schema Object as written: keys of OpenAPI 3.0 or JSON Schema 2020-12, of any type, because documents can be invalid. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface PlaygroundServer {
  /** As written, with `{variables}`; a relative URL is resolved against the URL of the document, else that of the page. */
  readonly url: string
  readonly description: string | undefined
  readonly variables: readonly {
    readonly name: string
    readonly default: string
    /** Empty if any string is allowed. */
    readonly enum: readonly string[]
    readonly description: string | undefined
  }[]
}

export interface PlaygroundScheme {
  /** Its key under `components.securitySchemes`. */
  readonly name: string
  /** The Security Scheme Object, references followed; `{}` if it is not declared. */
  readonly scheme: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
}

export interface PlaygroundParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  readonly required: boolean
  readonly deprecated: boolean
  /** Markdown as written. */
  readonly description: string | undefined
  /** As written, else the default of its location. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly schema: unknown
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Encoding Objects by property, of a form in `content`. */
  readonly encoding?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The first example of the document; absent if there is none. */
  readonly example: unknown
}

export interface PlaygroundBody {
  readonly mediaType: string
  readonly schema: unknown
  /** The examples of the document, by name (`''` for a single one). */
  readonly examples: readonly { readonly name: string; readonly summary: string | undefined; readonly value: unknown }[]
  /** Encoding Objects by property. */
  readonly encoding: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What the reader has filled in. Immutable: replaced on every change. */
export interface PlaygroundValues {
  readonly server: {
    /** The index in `servers`. */
    readonly index: number
    readonly variables: Readonly<Record<string, string>>
  }
  /** By `keyOf(parameter)`; absent ones are not sent. */
  readonly parameters: Readonly<Record<string, FieldValue>>
  readonly body: BodyValues
  readonly credentials: CredentialValues
}

/**
 * A value in a form: JSON, or a `File`. Text that does not fit its field, such as `v2` for a number, stays a string and is sent as typed.
 */
export type FieldValue = string | number | boolean | null | File | readonly FieldValue[] | { readonly [key: string]: FieldValue }

export interface BodyValues {
  /** The index in `bodies`. */
  readonly index: number
  readonly mode: 'form' | 'raw'
  /** The value of the form; `undefined` if no body is sent. */
  readonly value: FieldValue | undefined
  /** The text of the raw editor. Changing the mode converts it to the value of the form and back. */
  readonly text: string
}

/** In memory only, unless the reader chose to keep it for the tab's session. Never part of a URL of the site. */
export interface CredentialValues {
  /** The index in `security`; -1: without credentials. */
  readonly alternative: number
  /** By the name of the scheme. */
  readonly byScheme: Readonly<Record<string, Credential>>
}

/** A credential for a scheme. */
export type Credential =
  /** API keys, and the credentials of `http` schemes other than `basic`. */
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** For OAuth 2 and OpenID Connect. */
  | { readonly kind: 'token'; readonly accessToken: string; readonly expiresAt: number | undefined }

/** The settings of `docs.json` and the page, stored as data attributes of the button that opens the dialog. */
export interface PlaygroundSettings {
  /** Whether cookies are sent (`api.playground.credentials`). */
  readonly withCookies: boolean
  readonly prefill: boolean
  readonly defaults: 'required' | 'all'
  /** Languages by their names in docs.json; `undefined` for the default ones. */
  readonly languages: readonly string[] | undefined
}
