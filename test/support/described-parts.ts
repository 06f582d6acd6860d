import { type Encodings, readContent } from '../../src/model/content.ts'
import { listSchemes, type SecurityRequirement } from '../../src/model/security.ts'
import { followSlice, toPlace } from '../../src/playground/request/read-schema.ts'

const apiOf = (value: unknown) => ({ root: toPlace(value), release: '3.2', follow: followSlice(value) }) as const

/** The encodings of a media type, from its `encoding`. */
export function encodingsOf(encoding: unknown = {}): Encodings {
  const owner = { content: { 'multipart/form-data': { encoding } } }
  const [mediaType] = readContent(toPlace(owner), apiOf(owner))
  if (!mediaType) throw new Error('Missing media type')
  return mediaType.encodings
}

/** A requirement of all schemes, from Security Scheme Objects by name. */
export function requirementOf(securitySchemes: unknown): SecurityRequirement {
  return listSchemes(apiOf({ components: { securitySchemes } }))
}
