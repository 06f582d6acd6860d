import { isUri, isUriReference } from '../uri.ts'
import type { TextRule } from './shape.ts'

const token = /^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/
const mediaRange = /^(?:\*\/\*|[0-9A-Za-z!#$%&'*+.^_`|~-]+\/[0-9A-Za-z!#$%&'*+.^_`|~-]+)[ \t]*(?:;.*)?$/s
const methodFields = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE', 'QUERY'])

/** Rules for keys and texts that the tables name. */
export const textRules = {
  /** Source: OpenAPI 3.1.1, "Components Object". */
  component: { allows: (text) => /^[a-zA-Z0-9._-]+$/.test(text), expected: 'only letters, digits, `.`, `-` and `_`' },
  /** Source: RFC 9110, section 5.6.2. */
  token: { allows: (text) => token.test(text), expected: 'a name that HTTP allows' },
  /** Source: OpenAPI 3.1.1, "Media Type Object"; RFC 9110, sections 8.3.1 and 12.5.1. */
  'media-type': {
    allows: isMediaRange,
    expected: 'a media type such as `application/json`',
    code: 'media-type-name',
  },
  /** Source: OpenAPI 3.2.0, "Path Item Object". */
  method: {
    allows: (text) => token.test(text) && !methodFields.has(text),
    expected: 'an HTTP method that has no field of its own',
    hint: (text) => (methodFields.has(text) ? `use \`${text.toLowerCase()}\` of the path item` : undefined),
  },
  /** Source: JSON Schema 2020-12, core, section 8.2.2. */
  anchor: {
    allows: (text) => /^[A-Za-z_][-A-Za-z0-9._]*$/.test(text),
    expected: 'a letter or `_`, then letters, digits, `-`, `.` and `_`',
  },
  /** Source: JSON Schema 2020-12, core, section 8.2.1. */
  id: { allows: (text) => /^[^#]*#?$/.test(text), expected: 'an address without a fragment' },
  /** Source: OpenAPI 3.2.0, "OpenAPI Object". */
  self: { allows: (text) => !text.includes('#') && isUriReference(text), expected: 'an address without a fragment' },
  /** Source: JSON Schema 2020-12, core, section 8.1.2. */
  uri: { allows: isUri, expected: 'an absolute address' },
} as const satisfies { readonly [name: string]: TextRule }

/** A media type or range; what follows a `;` is looked at no further, as many forms of it are in use. */
function isMediaRange(text: string): boolean {
  return mediaRange.test(text)
}
