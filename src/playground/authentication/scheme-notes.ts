import type { RequiredScheme } from '../../model/security.ts'
import { say } from '../controls/playground-messages.ts'

/** Schemes that compute credentials from a challenge of the server. Source: IANA, HTTP Authentication Scheme Registry. */
const challengeSchemes = /^(?:digest|negotiate|hoba|mutual|scram-.*|ntlm|oauth|aws4-hmac-sha256)$/i

/** How browsers limit a scheme, with names in backticks: a cookie, an HTTP scheme without its own field, or one that has no field. */
export function noteOn({ name, scheme }: RequiredScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return say(
        'Browsers do not let a page set cookies for another server. The code samples include this cookie. Requests from this page include only cookies that the server has already set, and only if this site enables cookies.',
      )
    case 'http': {
      const { scheme: kind } = scheme
      const sent = say('Your input is sent after `Authorization: {scheme}`.', kind)
      return challengeSchemes.test(kind)
        ? `${sent} ${say('This page cannot compute the credentials.')} ${say('Copy a code sample and run it in a terminal.')}`
        : sent
    }
    case 'mutualTLS':
      return say(
        '{name}: your browser provides a client certificate when the server requests one. This page cannot select it.',
        name,
      )
    default:
      return say(
        'The OpenAPI document does not define `{name}`, so this page cannot send it. If the operation has a header for it, enter the value there.',
        name,
      )
  }
}
