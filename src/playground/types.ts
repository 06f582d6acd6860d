/**
 * What the playground knows of an operation, read from its slice: a description of that operation alone, which the page links to.
 *
 * Plain data, made once when the dialog opens. Schemas stay as the document has them; `resolve` follows their references.
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
  /** Alternatives, each a combination that is needed together; empty where nothing is asked for. */
  readonly security: readonly (readonly PlaygroundScheme[])[]
  /** In document order within each location, in the order path, query, querystring, header, cookie. */
  readonly parameters: readonly PlaygroundParameter[]
  /** In document order; empty where no body is described. */
  readonly bodies: readonly PlaygroundBody[]
  readonly isBodyRequired: boolean
  /** Media types of the answers, for `Accept`. */
  readonly accepts: readonly string[]
  /** The Schema Object behind references, `{}` for what is none; `true` and `false` as schemas of the same meaning. Never throws, ends for circles. */
  readonly resolve: (schema: unknown) => JsonSchema
}

/** A Schema Object as written: keys of OpenAPI 3.0 or JSON Schema 2020-12, of any type, since documents have faults. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface PlaygroundServer {
  /** As written, with `{variables}`; relative ones are resolved against where the document came from, else the page. */
  readonly url: string
  readonly description: string | undefined
  readonly variables: readonly {
    readonly name: string
    readonly default: string
    /** Empty where any text goes. */
    readonly enum: readonly string[]
    readonly description: string | undefined
  }[]
}

export interface PlaygroundScheme {
  /** Its key under `components.securitySchemes`. */
  readonly name: string
  /** The Security Scheme Object, references followed; `{}` where it is not declared. */
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
  /** With the default of its location filled in. */
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly schema: unknown
  /** The media type of a parameter that has `content` instead of `schema`. */
  readonly contentType: string | undefined
  /** Encoding Objects by property, of a form in `content`. */
  readonly encoding?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The first example that is written for it; absent where there is none. */
  readonly example: unknown
}

export interface PlaygroundBody {
  readonly mediaType: string
  readonly schema: unknown
  /** The examples written for it, by name (`''` for the only one). */
  readonly examples: readonly { readonly name: string; readonly summary: string | undefined; readonly value: unknown }[]
  /** Encoding Objects by property. */
  readonly encoding: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What a reader has typed and chosen. Replaced, never changed in place. */
export interface PlaygroundValues {
  readonly server: {
    /** The index in `servers`. */
    readonly index: number
    readonly variables: Readonly<Record<string, string>>
  }
  /** By `keyOf(parameter)`; what is absent is not sent. */
  readonly parameters: Readonly<Record<string, FieldValue>>
  readonly body: BodyValues
  readonly credentials: CredentialValues
}

/**
 * A value in a form: JSON, with `File` where a file was chosen. Text that fits no type of its field (`v2` for a number) stays a string and is
 * sent as typed.
 */
export type FieldValue = string | number | boolean | null | File | readonly FieldValue[] | { readonly [key: string]: FieldValue }

export interface BodyValues {
  /** The index in `bodies`. */
  readonly index: number
  readonly mode: 'form' | 'raw'
  /** What the form holds; `undefined`: no body is sent. */
  readonly value: FieldValue | undefined
  /** What the raw editor holds; the form's value is made from it when the mode changes, and the other way round. */
  readonly text: string
}

/** In memory only, unless the reader chose to keep it for the tab's session; never in an address. */
export interface CredentialValues {
  /** The index in `security`; -1: without credentials. */
  readonly alternative: number
  /** By the name of the scheme. */
  readonly byScheme: Readonly<Record<string, Credential>>
}

/** What is sent for a scheme. */
export type Credential =
  /** API keys, and `http` schemes but `basic`: the text after the scheme's name. */
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** Of OAuth 2 and OpenID Connect. */
  | { readonly kind: 'token'; readonly accessToken: string; readonly expiresAt: number | undefined }

/** How the site is set up, from `docs.json` and the page, as data on the button that opens the dialog. */
export interface PlaygroundSettings {
  /** Whether cookies go along (`api.playground.credentials`). */
  readonly withCookies: boolean
  readonly prefill: boolean
  readonly defaults: 'required' | 'all'
  /** By the names that docs.json has for languages; `undefined`: those that ours has by default. */
  readonly languages: readonly string[] | undefined
}
