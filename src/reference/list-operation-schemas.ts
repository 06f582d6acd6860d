import { type CollectedOperation, childPlace, collectCallbackOperations } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import type { ReferenceContext } from './context.ts'
import { listPlaces, mapPlaces, readText } from './read-fields.ts'

/** A schema of an operation and what it is there. */
export interface OperationSchema {
  /** In words: `body`, `response 200`, `parameter filter`. */
  readonly words: string
  readonly schema: Place
}

/** The schemas of an operation, with those of its callbacks, in document order. Places without a schema are among them, with no value. */
export function listOperationSchemas(operation: CollectedOperation, context: ReferenceContext): OperationSchema[] {
  const callbacks = collectCallbackOperations([operation], context.follow)
  return [
    ...listOwnSchemas(operation, context),
    ...callbacks.flatMap((callback) =>
      listOwnSchemas(callback, context).map(({ words, schema }) => ({ words: `callback ${words}`, schema })),
    ),
  ]
}

function listOwnSchemas({ operation, pathItem }: CollectedOperation, { follow }: ReferenceContext): OperationSchema[] {
  const contentSchemas = (owner: Place, words: string) =>
    mapPlaces(owner, 'content').flatMap(({ place }) => {
      const mediaType = follow.end(place)
      return ['schema', 'itemSchema'].map((key) => ({ words, schema: childPlace(mediaType, key) }))
    })
  const valueSchemas = (owner: Place, words: string) => [
    { words, schema: childPlace(owner, 'schema') },
    ...contentSchemas(owner, words),
  ]
  const parameters = [...listPlaces(pathItem, 'parameters'), ...listPlaces(operation, 'parameters')].map((place) =>
    follow.end(place),
  )
  return [
    ...parameters.flatMap((place) => valueSchemas(place, `parameter ${readText(place.value, 'name') ?? ''}`)),
    ...contentSchemas(follow.end(childPlace(operation, 'requestBody')), 'body'),
    ...mapPlaces(operation, 'responses', 'left-out').flatMap(({ name, place }) => {
      const response = follow.end(place)
      const headers = mapPlaces(response, 'headers')
      return [
        ...contentSchemas(response, `response ${name}`),
        ...headers.flatMap((header) => valueSchemas(follow.end(header.place), `header ${header.name}`)),
      ]
    }),
  ]
}
