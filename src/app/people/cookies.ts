import type { IncomingHttpHeaders } from 'node:http'

/**
 * A cookie of ours on one host: never of a parent domain, never for scripts, sent along when somebody follows a link to us.
 *
 * Over TLS its name has the prefix by which browsers hold the server to that (`__Host-`, RFC 6265bis section 4.1.3). Over plain
 * HTTP, as on `localhost`, the prefix is not allowed.
 */
export interface HostCookie {
  read(request: { readonly headers: IncomingHttpHeaders }): string | undefined
  /** For `Set-Cookie`. */
  line(value: string, maxAgeSeconds: number): string
  /** For `Set-Cookie`: ends it. */
  readonly endLine: string
}

/** @param isSecure Whether browsers reach the host by `https`. */
export function hostCookie(name: string, isSecure: boolean): HostCookie {
  const fullName = isSecure ? `__Host-${name}` : name
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read({ headers }) {
      for (const pair of (headers.cookie ?? '').split(';')) {
        const [key = '', value = ''] = pair.trim().split('=', 2)
        if (key === fullName && /^[\w.~-]+$/.test(value)) return value
      }
      return undefined
    },
    line: (value, maxAgeSeconds) => `${fullName}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    endLine: `${fullName}=; Max-Age=0; ${attributes}`,
  }
}
