import type { Api } from '../model/api.ts'
import type { Parameter } from '../model/parameters.ts'
import type { CollectedOperation } from '../openapi/read/collect-operations.ts'
import type { Exchange } from './exchange.ts'

/** An operation that recorded requests can be for. */
export interface RoutedOperation {
  readonly api: Api
  /** The path template. */
  readonly path: string
  /** In upper case. */
  readonly method: string
  readonly collected: CollectedOperation
  /** The parameters of the operation and its path item. */
  readonly parameters: readonly Parameter[]
}

/** An exchange, and what it is for. */
export type Routed =
  | RoutedExchange
  /** Inside of the base path of these documents, and in none of them. `path`: the template whose other methods are documented. */
  | { readonly kind: 'undocumented'; readonly exchange: Exchange; readonly api: Api; readonly path: string | undefined }
  /** Another API: outside of every base path. */
  | { readonly kind: 'outside'; readonly exchange: Exchange }
  /** A preflight request. */
  | { readonly kind: 'ignored'; readonly exchange: Exchange }
  /** A mask is in place of a part of the path that is not a parameter, or the URL cannot be read. */
  | { readonly kind: 'unreadable'; readonly exchange: Exchange; readonly reason: string }

export interface RoutedExchange {
  readonly kind: 'operation'
  readonly exchange: Exchange
  readonly operation: RoutedOperation
  /** The decoded texts of the path parameters by name. */
  readonly pathValues: ReadonlyMap<string, string>
  /** Name and value of the fields of the query, decoded, in order. */
  readonly query: readonly (readonly [name: string, value: string])[]
}
