import { toWellFormed } from '../../text/escape-text.ts'

/** A pointer in the form it has after `#`: what an address cannot hold is percent-encoded. Source: RFC 6901, section 6; RFC 3986, section 3.5. */
export function toFragment(pointer: string): string {
  return `#${encodeURI(toWellFormed(pointer)).replaceAll('#', '%23').replaceAll('[', '%5B').replaceAll(']', '%5D')}`
}
