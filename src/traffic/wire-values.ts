import type { Api } from '../model/api.ts'
import type { MediaType } from '../model/content.ts'
import type { Parameter } from '../model/parameters.ts'
import type { Place } from '../text/json/json-values.ts'
import type { RecordedMessage } from './exchange.ts'
import type { RoutedExchange } from './route.ts'

/** A value that was sent or received, with the schema that describes it. */
export interface WireValue {
  /** Texts such as those of a query have the type that the schema asks for, if they can be read as it. */
  readonly value: unknown
  readonly schema: Place | undefined
}

/** The parameters of a request. */
export interface SentParameters {
  readonly sent: readonly (WireValue & { readonly parameter: Parameter })[]
  /** Documented parameters that the request does not have. */
  readonly omitted: readonly Parameter[]
  /** Names of query fields that no parameter describes. */
  readonly undocumented: readonly string[]
}

/** The values of a body. A stream has one for each event or line. */
export interface BodyValues {
  /** The media type of the document that describes the body; `undefined`: none does, although the document lists some. */
  readonly mediaType: MediaType | undefined
  readonly values: readonly WireValue[]
  /** Why values are missing; `undefined` if nothing is. */
  readonly unreadable: string | undefined
}

export declare function readSentParameters(routed: RoutedExchange): SentParameters
/** `owner`: the request body or the response. */
export declare function readBodyValues(message: RecordedMessage, owner: Place, api: Api): BodyValues
