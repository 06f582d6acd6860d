import { type Encoding, readEncodings } from '../../src/model/content.ts'
import { listSchemes, type SecurityRequirement } from '../../src/model/security.ts'
import { followSlice, toPlace } from '../../src/playground/request/read-schema.ts'

const apiOf = (value: unknown) => ({ root: toPlace(value), release: '3.2', follow: followSlice(value) }) as const

/** The encodings of a media type, from its `encoding`. */
export function encodingsOf(encoding: unknown = {}): readonly Encoding[] {
  const mediaType = { encoding }
  return readEncodings(toPlace(mediaType), apiOf(mediaType)).named
}

/** A requirement of all schemes, from Security Scheme Objects by name. */
export function requirementOf(securitySchemes: unknown): SecurityRequirement {
  return listSchemes(apiOf({ components: { securitySchemes } }))
}
