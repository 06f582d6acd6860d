import { decodePercent } from '../text/plain/paths.ts'

/** The parts of a recorded URL that decide what it is for. User information and the fragment are left out. */
export interface RecordedUrl {
  /** In lower case, without the port of the scheme. `undefined` if it is unknown: masked, this machine, or not recorded. */
  readonly host: string | undefined
  /** Whether only a path was recorded, which can lack the base path. */
  readonly isPath: boolean
  /** The decoded segments of the path, without empty ones. */
  readonly segments: readonly string[]
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** Reads a recorded URL. Not with `URL`, which refuses the masks of recorders. */
export function readRecordedUrl(url: string): RecordedUrl | undefined {
  const [, scheme, authority, path = '', search = ''] = /^(?:(?:(https?):)?\/\/([^/?#]*))?([^?#]*)\??([^#]*)/is.exec(url) ?? []
  if (authority === undefined && !path.startsWith('/')) return undefined
  const written = (authority ?? '').toLowerCase().replace(/^.*@/s, '')
  const port = scheme?.toLowerCase() === 'http' ? ':80' : ':443'
  const host = written.endsWith(port) ? written.slice(0, -port.length) : written
  return {
    host: host === '' || hasMask(host) || isThisMachine.test(host) || !/^[\w.:[\]-]+$/.test(host) ? undefined : host,
    isPath: authority === undefined,
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodePercent),
    query: [...new URLSearchParams(search)],
  }
}

/** Tests record what a server on this machine answers. */
const isThisMachine = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/

const mask = /<[^<>]*>|\{\{[^{}]*\}\}|\*{3,}|x{4,}|\[?(?:redacted|filtered|masked|censored|scrubbed|sanitized)\]?/gi

/** Whether a recorder or a person has replaced a part of a text. */
export function hasMask(text: string): boolean {
  return text.search(mask) !== -1
}

/** A text with `wildcard` in place of each mask. */
export function replaceMasks(text: string, wildcard: string): string {
  return text.replace(mask, wildcard)
}
