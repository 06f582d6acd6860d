import { isObject, type JsonObject } from '../../../text/json/json-values.ts'

/** The methods whose operations Spectral's rules read: not `query` of OpenAPI 3.2. */
export const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

interface FoundOperation {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
}

/** The operations of `paths`. */
export function* listOperations(paths: unknown): Iterable<FoundOperation> {
  if (!isObject(paths)) return
  for (const [path, pathItem] of Object.entries(paths)) {
    if (!isObject(pathItem)) continue
    for (const [method, operation] of Object.entries(pathItem)) {
      if (isObject(operation) && methods.includes(method)) yield { path, method, operation }
    }
  }
}
