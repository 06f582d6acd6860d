import type { WrittenNumber } from '../../text/json/json-values.ts'

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
export type FieldValue =
  | string
  | number
  | WrittenNumber
  | boolean
  | null
  | File
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue }

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
  /** What fills the form: the values of samples, without optional bodies for which the document has no example, or nothing but what schemas determine. */
  readonly prefill: 'all' | 'written' | undefined
  readonly defaults: 'required' | 'all'
  /** The keys of the languages of samples; `undefined` for the default ones. */
  readonly languages: readonly string[] | undefined
}
