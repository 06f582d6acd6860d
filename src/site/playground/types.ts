/**
 * An operation, read from its slice: the part of an OpenAPI document that describes this operation.
 *
 * Created when the dialog opens. Schemas are unchanged; `resolve` follows their references.
 */
export interface PlaygroundOperation {
  /** Upper case, as sent. */
  readonly method: string
  /** The path template. */
  readonly path: string
  /** The summary, else the method and path. */
  readonly title: string
  /** The servers of the operation, else of the path item, else of the document. Never empty. */
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
  /** Follows the references of a schema. Boolean schemas become equivalent objects, anything else becomes `{}`. Never throws, and stops at circular references. */
  readonly resolve: (schema: unknown) => JsonSchema
}

/** An unchecked Schema Object of OpenAPI 3.0 or JSON Schema 2020-12. Its values can have any type, because documents can be invalid. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface PlaygroundServer {
  /** Unchanged, with `{variables}`. A relative URL is resolved against the URL of the document, else of the page. */
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
  /** The resolved Security Scheme Object; `{}` if the document does not define it. */
  readonly scheme: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
}

export interface PlaygroundParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  readonly required: boolean
  readonly deprecated: boolean
  /** Markdown. */
  readonly description: string | undefined
  /** From the document, else the default of the location. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly schema: unknown
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Encoding Objects by property, if `content` is a form. */
  readonly encoding?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The first example of the parameter itself, not of its schema; absent if there is none. */
  readonly example: unknown
}

export interface PlaygroundBody {
  readonly mediaType: string
  readonly schema: unknown
  /** The generated example of the page's code samples, if the document has none. */
  readonly generated?: unknown
  /** The examples from the document. The name of a single `example` is `''`. */
  readonly examples: readonly { readonly name: string; readonly summary: string | undefined; readonly value: unknown }[]
  /** Encoding Objects by property. */
  readonly encoding: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The values of the form. Immutable: replaced on every change. */
export interface PlaygroundValues {
  readonly server: {
    /** The index in `servers`. */
    readonly index: number
    readonly variables: Readonly<Record<string, string>>
  }
  /** By `keyOf(parameter)`; absent ones are not sent. */
  readonly parameters: Readonly<Record<string, FieldValue>>
  /** Headers and query parameters that the document does not describe. */
  readonly extras: readonly ExtraParameter[]
  readonly body: BodyValues
  /** The bodies of media types that were selected before, by their index in `bodies`. */
  readonly otherBodies: Readonly<Record<number, BodyValues>>
  readonly credentials: CredentialValues
}

/**
 * A value in a form: JSON or a `File`. Input that does not fit its field, such as `v2` for a number, is a string and is sent unchanged.
 */
export type FieldValue = string | number | boolean | null | File | readonly FieldValue[] | { readonly [key: string]: FieldValue }

export interface ExtraParameter {
  readonly in: 'header' | 'query'
  readonly name: string
  readonly value: string
  /** Whether it is sent. */
  readonly isOn: boolean
}

export interface BodyValues {
  /** The index in `bodies`. */
  readonly index: number
  readonly mode: 'form' | 'raw'
  /** The value of the form; `undefined` if no body is sent. */
  readonly value: FieldValue | undefined
  /** The text of the raw editor. Changing the mode converts it to the value of the form and back. */
  readonly text: string
}

/** Kept in memory, or in the tab's session storage if the reader chooses so. Never part of a URL of the site. */
export interface CredentialValues {
  /** The index in `security`; -1 for no credentials. */
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

/** Settings from `docs.json` and the page, stored as data attributes of the button that opens the dialog. */
export interface PlaygroundSettings {
  /** The path of the operation's slice in the site. */
  readonly slice: string
  /** Whether cookies are sent (`api.playground.credentials`). */
  readonly withCookies: boolean
  readonly prefill: boolean
  readonly defaults: 'required' | 'all'
  /** The language names from `docs.json`; `undefined` for the default languages. */
  readonly languages: readonly string[] | undefined
}
