import { isFormType, isJsonType } from '../request/media-type.ts'
import type { PlaygroundOperation } from './types.ts'

/** Whether a request of an operation may need `other-bodies.ts`. */
export function needsOtherBodies({ bodies, parameters }: PlaygroundOperation): boolean {
  return (
    bodies.some(({ mediaType }) => !isJsonType(mediaType)) || parameters.some(({ contentType = '' }) => isFormType(contentType))
  )
}
