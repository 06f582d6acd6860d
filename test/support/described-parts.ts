import { readSlice, toPlace } from '../../src/model/api.ts'
import { type Encoding, readEncodings } from '../../src/model/content.ts'
import { listSchemes, type SecurityRequirement } from '../../src/model/security.ts'

const apiOf = (value: unknown) => readSlice(value)

/** The encodings of a media type, from its `encoding`. */
export function encodingsOf(encoding: unknown = {}): readonly Encoding[] {
  const mediaType = { encoding }
  return readEncodings(toPlace(mediaType), apiOf(mediaType)).named
}

/** A requirement of all schemes, from Security Scheme Objects by name. */
export function requirementOf(securitySchemes: unknown): SecurityRequirement {
  return listSchemes(apiOf({ components: { securitySchemes } }))
}
